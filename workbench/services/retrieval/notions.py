"""The thesaurus: notions that people ask contracts and reports about, and how such documents word them.

Lawyers ask for "the governing law" and contracts say "construed in accordance with". Patterns are regular expressions
without regard to case. A new notion is one more entry; one that is asked for by narrower words than another names it in
``over``.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple


class Notion(NamedTuple):
    """One notion. ``asks`` matches a question about it; ``terms`` are the words in which documents deal with it; ``over``
    names wider notions that are left aside when this one is asked about."""

    name: str
    asks: re.Pattern[str]
    terms: str
    over: tuple[str, ...]


WEAKEST = "prices and fees"
"""Nearly every contract names prices all over: beside another notion this one is left aside."""


def notions_of(question: str) -> tuple[Notion, ...]:
    """Return the notions ``question`` asks about; a wider notion gives way to a narrower one."""
    found = [notion for notion in NOTIONS if notion.asks.search(question.strip(" ?.!"))]
    wider = {name for notion in found for name in notion.over}
    if len(found) > 1:
        wider.add(WEAKEST)
    return tuple(notion for notion in found if notion.name not in wider)


def wording(notions: Sequence[Notion]) -> str:
    """Return the words in which documents deal with the notions, one after the other."""
    return " ".join(notion.terms for notion in notions)


def alternatives(block: str) -> str:
    """Return the pattern of a block, each line of which is one or more alternatives; one that starts with "+" goes on from
    the line before."""
    whole = re.sub(r"\n\s*\+", "", block)
    whole = "|".join(line.strip() for line in whole.splitlines() if line.strip())
    return rf"(?<!\w)(?:{whole})"


def _notion(name: str, *, asks: str, terms: str, over: tuple[str, ...] = ()) -> Notion:
    return Notion(name, re.compile(alternatives(asks), re.IGNORECASE | re.DOTALL), terms, over)


NOTIONS = (
    _notion(
        "governing law",
        asks=r"""
            govern\w*\s+law|laws?\s+(?:that\s+)?(?:govern|appl)|(?:which|what|whose)\b.{0,30}\blaws?\b
            applicable law|choice of law|governed by
        """,
        terms="governing law governed by and construed in accordance with the laws of",
    ),
    _notion(
        "jurisdiction and disputes",
        asks=r"""
            jurisdiction|arbitrat\w*|disputes?|venue|courts?\b|mediat\w*
        """,
        terms="exclusive jurisdiction courts disputes arbitration",
    ),
    _notion(
        "date of the agreement",
        asks=r"""
            (?:date|dated|signed|executed)\b.{0,20}\b(?:agreement|contract)|agreement date
            when (?:was|were)\b.{0,40}(?:signed|made|executed|entered|concluded)|signature date
        """,
        terms="this agreement is made and entered into as of dated day of between",
    ),
    _notion(
        "effective date",
        asks=r"""
            effective date|take\s+effect|takes effect|(?:come|go|enter)\w* into (?:force|effect)|commence\w*
            start date|when\b.{0,40}\b(?:start|begin|effective)
        """,
        terms="effective date this agreement is entered into as of shall commence",
        over=("date of the agreement",),
    ),
    _notion(
        "parties",
        asks=r"""
            \bwho\b.{0,30}part(?:y|ies)|parties to|contracting parties|between whom
            who (?:signed|made|entered|are the part)
        """,
        terms="agreement by and between a corporation hereinafter referred to as party collectively the parties",
    ),
    _notion(
        "term and expiry",
        asks=r"""
            expir\w*|initial term|\bterm of (?:the|this|our)
            how long (?:is|does|will|do)\b.{0,40}(?:term|last|run|agreement|contract)
            duration of (?:the|this)|end date|when\b.{0,40}\bends?\b
            (?:the|its|contract|agreement) term\b(?! sheet)
        """,
        terms="initial term shall commence and continue for a period of years unless terminated expire",
    ),
    _notion(
        "renewal",
        asks=r"""
            renew\w*|extension|extend\w*|roll\w* over|prolong\w*
        """,
        terms="automatically renew for successive renewal terms unless written notice of non-renewal",
        over=("term and expiry",),
    ),
    _notion(
        "notice against renewal",
        asks=r"""
            notice\b.{0,60}renew\w*|renew\w*.{0,60}notice|non-?renewal|stop\b.{0,40}renew\w*
            prevent\b.{0,40}renew\w*
        """,
        terms="unless either party gives written notice of non-renewal days prior to the end of the term",
        over=(
            "renewal",
            "term and expiry",
        ),
    ),
    _notion(
        "termination for convenience",
        asks=r"""
            without (?:cause|(?:a |any |giving a |giving any )?reason)|for convenience|notice periods?
            +|period of notice|terminat\w*.{0,40}(?:any|no) (?:time
            +|reason)
            (?:can|may|how|right to|notice\b.{0,20})\b.{0,50}(?:terminat|cancel)\w*
            (?:terminat|cancel)\w*.{0,50}(?:notice|right)|^termination$
        """,
        terms="may terminate this agreement at any time without cause for convenience upon days prior written notice",
    ),
    _notion(
        "termination fee and liquidated damages",
        asks=r"""
            liquidated damages|termination (?:fee|charge)|break(?:age)? fee|penalt\w*
            cancellation (?:fee|charge)|early termination
        """,
        terms="liquidated damages termination fee cancellation fee penalty payable upon early termination",
        over=("termination for convenience",),
    ),
    _notion(
        "after termination",
        asks=r"""
            after (?:the )?(?:terminat|expir)\w*|post-?terminat\w*
            (?:effect|consequence)s? of (?:terminat|expir)\w*|exit|transition
            (?:upon|on) (?:terminat|expir)\w*|wind[- ]?down
        """,
        terms="upon termination or expiration shall return cease using transition assistance following termination",
        over=(
            "term and expiry",
            "termination for convenience",
        ),
    ),
    _notion(
        "liability cap",
        asks=r"""
            liab\w+.{0,40}\b(?:cap|capped|limit\w*|ceiling|maximum)
            (?:cap|capped|limit\w*|ceiling|maximum).{0,40}\bliab\w+|how much\b.{0,40}liable|\bcap on\b
            \bcaps?$|^liability$|exclusions? of liab\w*
        """,
        terms="limitation of liability in no event shall aggregate liability exceed the amount consequential damages",
    ),
    _notion(
        "uncapped liability",
        asks=r"""
            uncapped|unlimited liab\w*|liab\w+.{0,20}(?:not|un)\s?(?:limited|capped)
            (?:carve|exception|exclusion)s?\b.{0,40}(?:cap|liab)\w*
        """,
        terms="limitation shall not apply except for gross negligence wilful misconduct indemnity confidentiality",
        over=("liability cap",),
    ),
    _notion(
        "assignment",
        asks=r"""
            assign(?:ed|able|ment)?\b.{0,60}(?:agreement|contract|consent|part|clause)
            (?:agreement|contract|rights?).{0,60}assign\w*|assignab\w+|^assignment$
            transfer\w*\b.{0,30}(?:agreement|contract)\b|novat\w*
        """,
        terms="neither party may assign this agreement without the prior written consent of the other party successors",
    ),
    _notion(
        "change of control",
        asks=r"""
            change (?:of|in) control|(?:take|taken) over|takeover|acqui(?:red|sition)|merge[rd]?\b
        """,
        terms="change of control merger acquisition sale of all or substantially all of the assets",
        over=("assignment",),
    ),
    _notion(
        "audit rights",
        asks=r"""
            audit\w*|inspect\w*|books (?:and|or|,)
        """,
        terms="right to audit inspect examine books and records upon reasonable notice during business hours",
    ),
    _notion(
        "insurance",
        asks=r"""
            insur\w*|\bcoverage\b|policy limits
        """,
        terms="maintain insurance coverage commercial general liability workers compensation not less than per occurrence",
        over=("liability cap",),
    ),
    _notion(
        "exclusivity",
        asks=r"""
            exclusiv\w*|sole supplier|sole source
        """,
        terms="exclusive right appoints as exclusive distributor in the territory shall purchase exclusively",
    ),
    _notion(
        "non-compete",
        asks=r"""
            non-?compet\w*|compet(?:e|ing)\b|restrict\w*.{0,30}compet\w*|competit(?:ion|ive|or)\w*
        """,
        terms="shall not directly or indirectly compete engage in competing business during the term and for a period after",
    ),
    _notion(
        "non-solicitation of employees",
        asks=r"""
            solicit\w*.{0,40}(?:employee|staff|personnel)\w*
            (?:poach|hir(?:e|ing))\b.{0,40}(?:employee|staff|personnel)|non-?solicit\w*
        """,
        terms="shall not solicit hire or induce employees of the other party to leave employment",
    ),
    _notion(
        "non-solicitation of customers",
        asks=r"""
            solicit\w*.{0,40}(?:customer|client)\w*|divert\w*.{0,30}(?:customer|client|business)
        """,
        terms="shall not solicit divert customers or clients of the other party",
    ),
    _notion(
        "non-disparagement",
        asks=r"""
            disparag\w*|defam\w*
        """,
        terms="not disparage defame criticise reputation bring into disrepute",
    ),
    _notion(
        "most favoured customer",
        asks=r"""
            most[- ]favou?red|favou?red (?:nation|customer)|best price
        """,
        terms="most favoured customer prices no less favourable than those offered to other customers",
    ),
    _notion(
        "right of first refusal",
        asks=r"""
            first (?:refusal|offer|negotiat\w*)|pre-?empti\w*|\brof[rno]\b
        """,
        terms="right of first refusal first offer first negotiation option to purchase",
    ),
    _notion(
        "joint ownership of intellectual property",
        asks=r"""
            joint\w*.{0,20}own\w*|own\w*.{0,20}joint\w*|co-?own\w*
        """,
        terms="jointly owned intellectual property joint ownership",
        over=("ownership of intellectual property",),
    ),
    _notion(
        "ownership of intellectual property",
        asks=r"""
            (?:own\w*|property|title|belong\w*|assign\w*)\b.{0,60}(?:intellectual property|\bip\b|work product
            +|inventions?|developments?|deliverables)
            (?:intellectual property|\bip\b|work product|inventions?|deliverables).{0,60}(?:own\w*|property
            +|title|belong\w*|assign\w*)
        """,
        terms="intellectual property shall be owned by sole property work made for hire assigns right title interest",
    ),
    _notion(
        "licence grant",
        asks=r"""
            licen[sc]e\b.{0,40}(?:grant\w*|scope|given)|(?:grant\w*|what|which)\b.{0,30}\blicen[sc]e
            right to use
        """,
        terms="hereby grants a non-exclusive non-transferable royalty-free licence to use",
    ),
    _notion(
        "transferability of the licence",
        asks=r"""
            non-?transferab\w*|licen[sc]e\b.{0,30}transfer\w*|transfer\w*.{0,30}licen[sc]e|sub-?licen[sc]\w*
        """,
        terms="non-exclusive non-transferable licence may not be transferred sublicensed assigned",
        over=(
            "licence grant",
            "assignment",
        ),
    ),
    _notion(
        "perpetual licence",
        asks=r"""
            irrevocabl\w*|perpetual\w*|unlimited (?:usage )?licen[sc]e|enterprise-?wide
        """,
        terms="perpetual irrevocable licence unlimited use",
        over=(
            "licence grant",
            "term and expiry",
        ),
    ),
    _notion(
        "affiliates and the licence",
        asks=r"""
            licen[sc]e\b.{0,60}affiliates?|affiliates?.{0,60}licen[sc]e
        """,
        terms="licence granted to licensee and its affiliates subsidiaries sublicense",
        over=(
            "renewal",
            "licence grant",
        ),
    ),
    _notion(
        "source code escrow",
        asks=r"""
            escrow\w*|source code
        """,
        terms="source code deposited in escrow agent release",
    ),
    _notion(
        "third-party beneficiaries",
        asks=r"""
            third[- ]part\w*.{0,40}(?:benefici\w*|enforce|rights?)|benefici\w*
        """,
        terms="third party beneficiaries no person other than the parties shall have any rights enforce benefit",
    ),
    _notion(
        "covenant not to sue",
        asks=r"""
            covenant not to sue|contest\w*|challeng\w*|bring\w* claims?
            barred from\b.{0,40}(?:su(?:e|ing)|claims?)
        """,
        terms="not contest or challenge the validity ownership of the trademarks or bring any claim covenant not to sue",
        over=("jurisdiction and disputes",),
    ),
    _notion(
        "warranty",
        asks=r"""
            warrant\w*|guarantee\w*|defect\w*
        """,
        terms="warranty period warrants free from defects for a period of days months after delivery",
        over=("term and expiry",),
    ),
    _notion(
        "revenue sharing",
        asks=r"""
            (?:revenue|profit)s?\b.{0,30}(?:shar|split|with)\w*|shar\w*.{0,30}(?:revenue|profit)|royalt\w*
            commission\w*
        """,
        terms="share of revenue percent of net revenues profits royalty commission payable",
    ),
    _notion(
        "minimum commitment",
        asks=r"""
            minimum\b.{0,40}(?:purchase|volume|commit\w*|order|quantit\w*|fee|amount|spend)?
            (?:purchase|volume)\s+commit\w*|take[- ]or[- ]pay
        """,
        terms="minimum purchase commitment minimum volume order quantity at least not less than",
        over=("term and expiry",),
    ),
    _notion(
        "volume limits",
        asks=r"""
            (?:limit|cap|maximum|restrict\w*)\b.{0,40}(?:volume|usage|use|quantit\w*)
            (?:volume|usage)\b.{0,40}(?:limit|cap|restrict)\w*|extra fees|overage\w*
        """,
        terms="in excess of additional fees charge per exceeds maximum number up to limit volume usage",
    ),
    _notion(
        "price changes",
        asks=r"""
            pric\w+\b.{0,40}(?:increas|reduc|chang|adjust|restrict|review|index)\w*
            (?:increas|reduc|chang|adjust|index)\w*.{0,40}(?:pric|fee|rate|charge)\w*|indexation
        """,
        terms="increase in prices fees rates adjusted annually not more than percent consumer price index",
    ),
    _notion(
        "payment terms",
        asks=r"""
            pay(?:ment|able|ing)?\b.{0,40}(?:terms?|days|period|deadline|due|conditions|schedule)
            (?:invoice|amount|fee)s?\b.{0,40}\b(?:paid|payable|due)
            (?:when|days|how soon)\b.{0,60}\b(?:pay|paid|payable|due|invoice)|pay\b.{0,20}invoice|invoic\w*
            payment\b|credit period
        """,
        terms="invoices shall be paid due and payable within thirty days of receipt of invoice net",
    ),
    _notion(
        "late payment",
        asks=r"""
            late payment|overdue|interest\b.{0,30}(?:rate|charged|bear|payable)?|(?:pay|paid)\b.{0,20}late
            past due
        """,
        terms="late payment overdue amounts bear interest at the rate of percent per month",
        over=(
            "payment terms",
            "prices and fees",
        ),
    ),
    _notion(
        "prices and fees",
        asks=r"""
            how much\b(?! notice| time)|\bprices?\b|\bfees?\b|pricing|\bcosts?\b|charges?\b|annual amount
            +|amount to be paid
            hourly|day rate|\brates?\b
        """,
        terms="fees charges price monthly annual amount payable per",
    ),
    _notion(
        "service levels",
        asks=r"""
            service[- ]levels?|severity|incidents?|respon[ds]\w*|\bsla\b|availab\w+|uptime|up-time
            +|response times?|service credits?|downtime
            resolution time
        """,
        terms="service levels availability percent per month response time hours service credits",
    ),
    _notion(
        "confidentiality",
        asks=r"""
            confidential\w*|non-?disclosure|\bnda\b|secre\w+
        """,
        terms="confidential information shall not disclose to third parties years after termination",
    ),
    _notion(
        "indemnity",
        asks=r"""
            indemni\w*|hold harmless
        """,
        terms="shall indemnify defend and hold harmless against claims losses",
    ),
    _notion(
        "force majeure",
        asks=r"""
            force majeure|acts? of god|beyond\b.{0,20}control
        """,
        terms="force majeure events beyond reasonable control delay in performance excused",
    ),
    _notion(
        "data protection",
        asks=r"""
            data protection|personal data|gdpr|privacy|data breach|sub-?processors?|data security
        """,
        terms="personal data processing data protection security breach notification",
    ),
    _notion(
        "notices",
        asks=r"""
            notices?\b.{0,30}(?:sent|given|address\w*|deliver\w*|served)|(?:address|where)\b.{0,30}notices?
            ^notices?$
        """,
        terms="notices shall be in writing delivered to the address deemed received",
    ),
    _notion(
        "subcontracting",
        asks=r"""
            sub-?contract\w*
        """,
        terms="may not subcontract without prior written consent subcontractors",
    ),
)
"""All notions."""
