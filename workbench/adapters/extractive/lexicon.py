"""The lexicon of contract notions: how people ask about one, and how contracts say it.

Lawyers ask for "the governing law" and contracts say "construed in accordance with". Patterns are regular expressions
without regard to case; ``<date>``, ``<span>`` (a length of time) and ``<money>`` (an amount or percentage) stand for common
parts. A new notion is one more entry; one that is asked for by narrower words than another names it in ``over``.
"""

import re
from typing import NamedTuple


class Concept(NamedTuple):
    """One notion. ``asks`` matches a question about it, ``says`` a sentence or heading that deals with it, ``clinches`` the
    wording that settles it. ``terms`` are the words to search for when the question's own words found little; ``over``
    names wider notions that are left aside when this one is asked about."""

    name: str
    asks: re.Pattern[str]
    says: re.Pattern[str]
    clinches: re.Pattern[str]
    terms: str
    over: tuple[str, ...]


_FLAGS = re.IGNORECASE | re.DOTALL
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
DATE = (
    rf"(?:{_MONTH}\s+(?:{_DAY},?\s+)?\d{{4}}|{_DAY}\s+(?:day\s+)?(?:of\s+)?{_MONTH},?\s+\d{{4}}"
    r"|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2})"
)
SPAN = (
    r"(?:\w+\s*\(?\d*\)?[\s-]+(?:(?:calendar|business|working|consecutive)\s+)?"
    r"(?:days?|months?|years?|weeks?|anniversar\w+))"
)
MONEY = (
    r"(?:(?:[$€£¥]|usd|eur|gbp|chf|dollars|euros|pounds)\s?\d"
    r"|\d[\d,. ]*\s?(?:dollars|euros?|pounds|usd|eur|gbp|chf|€)|\d\s?%|percent|per cent)"
)


def _pattern(block: str) -> re.Pattern[str]:
    """Each line of a block is one or more alternatives; a line that starts with "+" goes on from the one before."""
    whole = re.sub(r"\n\s*\+", "", block)
    whole = "|".join(line.strip() for line in whole.splitlines() if line.strip())
    for name, pattern in (("<date>", DATE), ("<span>", SPAN), ("<money>", MONEY)):
        whole = whole.replace(name, pattern)
    return re.compile(rf"(?<!\w)(?:{whole})", _FLAGS)


def _concept(name: str, *, asks: str, says: str, clinches: str, terms: str, over: tuple[str, ...] = ()) -> Concept:
    return Concept(name, _pattern(asks), _pattern(says), _pattern(clinches), terms, over)


LEXICON = (
    _concept(
        "governing law",
        asks=r"""
            govern\w*\s+law|laws?\s+(?:that\s+)?(?:govern|appl)|(?:which|what|whose)\b.{0,30}\blaws?\b
            applicable law|choice of law|governed by
        """,
        says=r"""
            governing law|govern\w*|construed|laws? of|applicable law
        """,
        clinches=r"""
            (?:govern|constru|interpret|enforc|subject)\w*.{0,120}\blaws?\b
            \blaws? of\b.{0,90}(?:govern|appl)\w*
        """,
        terms="governing law governed by and construed in accordance with the laws of",
    ),
    _concept(
        "jurisdiction and disputes",
        asks=r"""
            jurisdiction|arbitrat\w*|disputes?|venue|courts?\b|mediat\w*
        """,
        says=r"""
            jurisdiction|arbitrat\w*|disputes?|venue|courts? (?:of|in)|mediat\w*
        """,
        clinches=r"""
            (?:exclusive|submit\w*|consent\w*).{0,60}jurisdiction|settled.{0,60}arbitrat\w*
            arbitrat\w*.{0,80}(?:rules|final|binding)|resol\w+.{0,60}disputes?
        """,
        terms="exclusive jurisdiction courts disputes arbitration",
    ),
    _concept(
        "date of the agreement",
        asks=r"""
            (?:date|dated|signed|executed)\b.{0,20}\b(?:agreement|contract)|agreement date
            when (?:was|were)\b.{0,40}(?:signed|made|executed|entered|concluded)|signature date
        """,
        says=r"""
            (?:dated|entered|made|executed|effective|agreement)\b.{0,200}(?:<date>)
            (?:<date>).{0,80}(?:between|agreement)
        """,
        clinches=r"""
            (?:dated|entered into|made|executed|concluded|signed)\b.{0,120}(?:<date>)
        """,
        terms="this agreement is made and entered into as of dated day of between",
    ),
    _concept(
        "effective date",
        asks=r"""
            effective date|take\s+effect|takes effect|(?:come|go|enter)\w* into (?:force|effect)|commence\w*
            start date|when\b.{0,40}\b(?:start|begin|effective)
        """,
        says=r"""
            effective date|commenc\w*|as of|effective|(?:into|in) (?:force|effect)|dated|<date>
        """,
        clinches=r"""
            effective date\W{0,6}.{0,15}(?:mean|shall|is\b|of this)
            (?:as of|effective|commenc\w*|entered into|made).{0,80}(?:<date>)
            (?:<date>).{0,40}effective date|(?:come|enter|shall be)\w*\b.{0,25}(?:into force|effective)\b
        """,
        terms="effective date this agreement is entered into as of shall commence",
        over=("date of the agreement",),
    ),
    _concept(
        "parties",
        asks=r"""
            \bwho\b.{0,30}part(?:y|ies)|parties to|contracting parties|between whom
            who (?:signed|made|entered|are the part)
        """,
        says=r"""
            between|among|part(?:y|ies)|hereinafter|referred to
        """,
        clinches=r"""
            \b(?:by and )?(?:between|among)\b.{4,300}\band\b.{3,}(?:corporation|company|inc|ltd|limited|llc|l\.p
            +|gmbh|partnership|individual|trust|bank|s\.a|plc|association|part(?:y|ies)|\()
            (?:collectively|together|individually).{0,60}part(?:y|ies)
        """,
        terms="agreement by and between a corporation hereinafter referred to as party collectively the parties",
    ),
    _concept(
        "term and expiry",
        asks=r"""
            expir\w*|initial term|\bterm of (?:the|this|our)
            how long (?:is|does|will|do)\b.{0,40}(?:term|last|run|agreement|contract)
            duration of (?:the|this)|end date|when\b.{0,40}\bends?\b
            (?:the|its|contract|agreement) term\b(?! sheet)
        """,
        says=r"""
            \bterm\b|expir\w*|commenc\w*|in (?:full )?force|in effect|duration|terminat\w+ on
        """,
        clinches=r"""
            \b(?:initial )?term\b.{0,140}(?:<span>|<date>|perpetu\w*)
            (?:continue|remain|force|effect)\w*.{0,80}(?:for|until|through).{0,50}(?:<span>|<date>|perpetu\w*
            +|terminated)
            expir\w*.{0,60}(?:<span>|<date>)|ending\b.{0,20}(?:<date>)
        """,
        terms="initial term shall commence and continue for a period of years unless terminated expire",
    ),
    _concept(
        "renewal",
        asks=r"""
            renew\w*|extension|extend\w*|roll\w* over|prolong\w*
        """,
        says=r"""
            renew\w*|extend\w*|extension|successive|prolong\w*|year[- ]to[- ]year
        """,
        clinches=r"""
            (?:renew|exten[ds])\w*.{0,140}(?:<span>|term|period|automatic\w*)
            (?:automatic\w*|successive|additional).{0,50}(?:renew|exten[ds]|term|period)\w*
        """,
        terms="automatically renew for successive renewal terms unless written notice of non-renewal",
        over=("term and expiry",),
    ),
    _concept(
        "notice against renewal",
        asks=r"""
            notice\b.{0,60}renew\w*|renew\w*.{0,60}notice|non-?renewal|stop\b.{0,40}renew\w*
            prevent\b.{0,40}renew\w*
        """,
        says=r"""
            notice|renew\w*
        """,
        clinches=r"""
            (?:renew|exten[ds]|successive)\w*.{0,300}\bnotice\b
            notice\b.{0,250}(?:renew|exten[ds]|prior to the (?:end|expir)|intent)\w*
        """,
        terms="unless either party gives written notice of non-renewal days prior to the end of the term",
        over=(
            "renewal",
            "term and expiry",
        ),
    ),
    _concept(
        "termination for convenience",
        asks=r"""
            without (?:cause|(?:a |any |giving a |giving any )?reason)|for convenience|notice periods?
            +|period of notice|terminat\w*.{0,40}(?:any|no) (?:time
            +|reason)
            (?:can|may|how|right to|notice\b.{0,20})\b.{0,50}(?:terminat|cancel)\w*
            (?:terminat|cancel)\w*.{0,50}(?:notice|right)|^termination$
        """,
        says=r"""
            terminat\w*|cancel\w*|withdraw\w*
        """,
        clinches=r"""
            (?:may|right to|shall have the right|entitled to).{0,80}(?:terminat|cancel)\w*.{0,160}
            +(?:without cause|any reason|no reason|convenience|any time|\bnotice\b)
            (?:terminat|cancel)\w*.{0,60}(?:without cause|any reason|no reason|convenience|at any time)
        """,
        terms="may terminate this agreement at any time without cause for convenience upon days prior written notice",
    ),
    _concept(
        "termination fee and liquidated damages",
        asks=r"""
            liquidated damages|termination (?:fee|charge)|break(?:age)? fee|penalt\w*
            cancellation (?:fee|charge)|early termination
        """,
        says=r"""
            liquidated|(?:terminat|cancel)\w+.{0,25}(?:fee|charge|payment)|penalt\w*|lump[- ]sum
        """,
        clinches=r"""
            liquidated damages|(?:terminat|cancel|break|buy-?out)\w*\s+(?:fee|charge|payment|penalt)\w*
            \b(?:fee|charge)\b.{0,30}(?:early )?terminat\w*|(?:pay|liable|charge)\w*.{0,80}\bpenalt\w*
            penalt\w* (?:of|equal)|lump[- ]sum.{0,80}(?:terminat|default)\w*
        """,
        terms="liquidated damages termination fee cancellation fee penalty payable upon early termination",
        over=("termination for convenience",),
    ),
    _concept(
        "after termination",
        asks=r"""
            after (?:the )?(?:terminat|expir)\w*|post-?terminat\w*
            (?:effect|consequence)s? of (?:terminat|expir)\w*|exit|transition
            (?:upon|on) (?:terminat|expir)\w*|wind[- ]?down
        """,
        says=r"""
            terminat\w*|expir\w*|transition|wind
        """,
        clinches=r"""
            (?:up?on|after|following|effect of|in the event of|event of)\b.{0,40}(?:terminat|expir)\w*.{0,240}
            +(?:shall|will|must|agrees?)
            (?:return|destroy|cease|transition|wind[- ]?down|assist)\w*.{0,120}(?:terminat|expir)\w*
            (?:years?|months?|days?)\b.{0,20}(?:after|following).{0,20}(?:terminat|expir)\w*
        """,
        terms="upon termination or expiration shall return cease using transition assistance following termination",
        over=(
            "term and expiry",
            "termination for convenience",
        ),
    ),
    _concept(
        "liability cap",
        asks=r"""
            liab\w+.{0,40}\b(?:cap|capped|limit\w*|ceiling|maximum)
            (?:cap|capped|limit\w*|ceiling|maximum).{0,40}\bliab\w+|how much\b.{0,40}liable|\bcap on\b
            \bcaps?$|^liability$|exclusions? of liab\w*
        """,
        says=r"""
            liab\w+|damages|exceed
        """,
        clinches=r"""
            liab\w+.{0,200}(?:exceed|limited to|maximum|greater than|aggregate|capped)
            (?:in no event|under no circumstances|neither|no party|not be).{0,140}(?:liab\w+
            +|responsible).{0,200}(?:exceed|consequential|indirect|special|incidental|punitive|profits)
            (?:exceed|limited to|maximum|aggregate).{0,80}liab\w+
        """,
        terms="limitation of liability in no event shall aggregate liability exceed the amount consequential damages",
    ),
    _concept(
        "uncapped liability",
        asks=r"""
            uncapped|unlimited liab\w*|liab\w+.{0,20}(?:not|un)\s?(?:limited|capped)
            (?:carve|exception|exclusion)s?\b.{0,40}(?:cap|liab)\w*
        """,
        says=r"""
            liab\w+|indemni\w+|limit\w*|exce(?:pt|ed)\w*
        """,
        clinches=r"""
            (?:except|other than|exclud|excluding|save|provided that|shall not (?:apply|limit)
            +|not (?:be )?(?:limit|exclud)).{0,260}(?:liab|indemn|negligence|misconduct|confidential|breach|fraud
            +|infring)\w*.{0,260}
            (?:unlimited|without limit)\w*.{0,40}liab\w*
        """,
        terms="limitation shall not apply except for gross negligence wilful misconduct indemnity confidentiality",
        over=("liability cap",),
    ),
    _concept(
        "assignment",
        asks=r"""
            assign(?:ed|able|ment)?\b.{0,60}(?:agreement|contract|consent|part|clause)
            (?:agreement|contract|rights?).{0,60}assign\w*|assignab\w+|^assignment$
            transfer\w*\b.{0,30}(?:agreement|contract)\b|novat\w*
        """,
        says=r"""
            assign\w*|transfer\w*|successors
        """,
        clinches=r"""
            (?:not|neither|no party|without|nor|may|shall|any)\b.{0,140}(?:assign|transfer)\w*.{0,160}(?:consent
            +|approval|void|agreement|rights|obligations)
            (?:consent|approval).{0,80}(?:assign|transfer)\w*
        """,
        terms="neither party may assign this agreement without the prior written consent of the other party successors",
    ),
    _concept(
        "change of control",
        asks=r"""
            change (?:of|in) control|(?:take|taken) over|takeover|acqui(?:red|sition)|merge[rd]?\b
        """,
        says=r"""
            change (?:of|in) control|merg\w+|acqui\w+|consolidat\w+|all or substantially all
        """,
        clinches=r"""
            change (?:of|in) control
            (?:merg|consolidat|acquisition|acquir|substantially all)\w*.{0,160}(?:terminat|assign|consent
            +|transfer|agreement|successor|notice)\w*
            (?:terminat|assign|transfer)\w*.{0,160}(?:merger|consolidation|acquisition|substantially all)
        """,
        terms="change of control merger acquisition sale of all or substantially all of the assets",
        over=("assignment",),
    ),
    _concept(
        "audit rights",
        asks=r"""
            audit\w*|inspect\w*|books (?:and|or|,)
        """,
        says=r"""
            audit\w*|inspect\w*|examin\w*|books|records
        """,
        clinches=r"""
            (?:right|entitled|may|permit|allow|available|conduct|cause|access)\w*.{0,140}(?:audit|inspect|examin)\w*
            (?:audit|inspect|examin)\w*.{0,120}(?:books|records|facilit|premises|sites?|accounts|accuracy)\w*
        """,
        terms="right to audit inspect examine books and records upon reasonable notice during business hours",
    ),
    _concept(
        "insurance",
        asks=r"""
            insur\w*|\bcoverage\b|policy limits
        """,
        says=r"""
            insur\w*|coverage|polic(?:y|ies)
        """,
        clinches=r"""
            (?:maintain|obtain|carry|procure|keep|provide|effect|acquire|furnish)\w*.{0,160}(?:insurance
            +|coverage|insured|polic)\w*
            insurance.{0,120}(?:maintain|\$|limits?|per occurrence|not less than|insured)\w*
            (?:general liability|workers.? compensation|professional indemnity).{0,60}insurance
        """,
        terms="maintain insurance coverage commercial general liability workers compensation not less than per occurrence",
        over=("liability cap",),
    ),
    _concept(
        "exclusivity",
        asks=r"""
            exclusiv\w*|sole supplier|sole source
        """,
        says=r"""
            exclusiv\w*|\bsole(?:ly)?\b|only from
        """,
        clinches=r"""
            (?<!non-)(?<!non)exclusiv\w*.{0,160}(?:right|territory|distribut|appoint|agent|partner|suppl
            +|purchase|market|sell|licen[sc]e)\w*
            (?:appoint|grant|right|agree)\w*.{0,80}\b(?<!non-)exclusive
            (?:not|neither).{0,60}(?:directly or indirectly )?(?:appoint|purchase|sell|market|source).{0,80}
            +(?:other|third|any)
        """,
        terms="exclusive right appoints as exclusive distributor in the territory shall purchase exclusively",
    ),
    _concept(
        "non-compete",
        asks=r"""
            non-?compet\w*|compet(?:e|ing)\b|restrict\w*.{0,30}compet\w*|competit(?:ion|ive|or)\w*
        """,
        says=r"""
            compet\w*
        """,
        clinches=r"""
            (?:not|neither|refrain|prohibit|restrict|no)\b.{0,200}\bcompet\w*
            compet\w*.{0,80}(?:shall not|prohibit|restrict)
        """,
        terms="shall not directly or indirectly compete engage in competing business during the term and for a period after",
    ),
    _concept(
        "non-solicitation of employees",
        asks=r"""
            solicit\w*.{0,40}(?:employee|staff|personnel)\w*
            (?:poach|hir(?:e|ing))\b.{0,40}(?:employee|staff|personnel)|non-?solicit\w*
        """,
        says=r"""
            solicit\w*|hire|employ\w*|induce
        """,
        clinches=r"""
            (?:not|neither|refrain|agree)\b.{0,200}(?:solicit|hire|recruit|entice|induce|employ)\w*.{0,160}
            +(?:employ|staff|personnel|consultant)\w*
        """,
        terms="shall not solicit hire or induce employees of the other party to leave employment",
    ),
    _concept(
        "non-solicitation of customers",
        asks=r"""
            solicit\w*.{0,40}(?:customer|client)\w*|divert\w*.{0,30}(?:customer|client|business)
        """,
        says=r"""
            solicit\w*|divert\w*|customers?|clients?
        """,
        clinches=r"""
            (?:not|neither|refrain|agree)\b.{0,240}(?:solicit|divert|entice|contact|target|induce
            +|approach)\w*.{0,160}(?:customer|client|shareholder|account holder|member)s?
        """,
        terms="shall not solicit divert customers or clients of the other party",
    ),
    _concept(
        "non-disparagement",
        asks=r"""
            disparag\w*|defam\w*
        """,
        says=r"""
            disparag\w*|defam\w*|disrepute|tarnish\w*|denigrat\w*
        """,
        clinches=r"""
            disparag\w*|defam\w*|disrepute|tarnish\w*|denigrat\w*|speak ill
        """,
        terms="not disparage defame criticise reputation bring into disrepute",
    ),
    _concept(
        "most favoured customer",
        asks=r"""
            most[- ]favou?red|favou?red (?:nation|customer)|best price
        """,
        says=r"""
            favou?r\w*|lowest
        """,
        clinches=r"""
            most[- ]favou?red|(?:no|not) less favou?rable.{0,80}(?:price|term|than|custom)\w*
            (?:price|term)s?.{0,80}(?:no|not) less favou?rable|as favou?rable as|lowest price
        """,
        terms="most favoured customer prices no less favourable than those offered to other customers",
    ),
    _concept(
        "right of first refusal",
        asks=r"""
            first (?:refusal|offer|negotiat\w*)|pre-?empti\w*|\brof[rno]\b
        """,
        says=r"""
            first (?:refusal|offer|right|option|negotiat\w*)|\brof[rno]\b|pre-?empti\w*
            option to (?:purchase|acquire)
        """,
        clinches=r"""
            (?:right|option) of first|first (?:right|option)\b|first (?:refusal|offer|negotiat\w*)
            \brof[rno]\b|pre-?empti(?:on|ve) right|(?:option|right) to (?:purchase|acquire)
            will first (?:contact|offer)
        """,
        terms="right of first refusal first offer first negotiation option to purchase",
    ),
    _concept(
        "joint ownership of intellectual property",
        asks=r"""
            joint\w*.{0,20}own\w*|own\w*.{0,20}joint\w*|co-?own\w*
        """,
        says=r"""
            joint\w*|co-?own\w*
        """,
        clinches=r"""
            joint(?:ly)?[ -]+(?:own|held|develop)\w*|own\w*.{0,40}\bjointly\b|co-?own\w*
        """,
        terms="jointly owned intellectual property joint ownership",
        over=("ownership of intellectual property",),
    ),
    _concept(
        "ownership of intellectual property",
        asks=r"""
            (?:own\w*|property|title|belong\w*|assign\w*)\b.{0,60}(?:intellectual property|\bip\b|work product
            +|inventions?|developments?|deliverables)
            (?:intellectual property|\bip\b|work product|inventions?|deliverables).{0,60}(?:own\w*|property
            +|title|belong\w*|assign\w*)
        """,
        says=r"""
            own\w*|property|title|assign\w*|work made for hire|works? made
        """,
        clinches=r"""
            (?:sole|exclusive)\b.{0,40}property of
            (?:work|intellectual property|invention|deliverable|development|material|data|software)s?\b.{0,200}
            +(?:own(?:ed|s)? by|property of|work.{0,6} made for hire|vest\w* in)
            (?:hereby )?assigns?\b.{0,120}(?:right,? title|intellectual property|interest)
        """,
        terms="intellectual property shall be owned by sole property work made for hire assigns right title interest",
    ),
    _concept(
        "licence grant",
        asks=r"""
            licen[sc]e\b.{0,40}(?:grant\w*|scope|given)|(?:grant\w*|what|which)\b.{0,30}\blicen[sc]e
            right to use
        """,
        says=r"""
            licen[sc]\w*|right to use|grant\w*
        """,
        clinches=r"""
            grants?\b.{0,160}(?:licen[sc]e|right|permission)\w*
            licen[sc]ed?\b.{0,80}(?:to use|non-?exclusive|exclusive|royalty)
        """,
        terms="hereby grants a non-exclusive non-transferable royalty-free licence to use",
    ),
    _concept(
        "transferability of the licence",
        asks=r"""
            non-?transferab\w*|licen[sc]e\b.{0,30}transfer\w*|transfer\w*.{0,30}licen[sc]e|sub-?licen[sc]\w*
        """,
        says=r"""
            transfer\w*|assign\w*|sub-?licen[sc]\w*
        """,
        clinches=r"""
            non-?\s?(?:transferab|assignab|sublicen)\w*
            (?:not|no right)\b.{0,60}(?:transfer|sublicen[sc]e|assign)\w*.{0,80}
            licen[sc]e.{0,160}(?:transfer|sublicen[sc]|assign)\w*
        """,
        terms="non-exclusive non-transferable licence may not be transferred sublicensed assigned",
        over=(
            "licence grant",
            "assignment",
        ),
    ),
    _concept(
        "perpetual licence",
        asks=r"""
            irrevocabl\w*|perpetual\w*|unlimited (?:usage )?licen[sc]e|enterprise-?wide
        """,
        says=r"""
            irrevocabl\w*|perpetual\w*|perpetuity|unlimited|enterprise-?wide
        """,
        clinches=r"""
            irrevocabl\w*|perpetual\w*|perpetuity|unlimited.{0,40}(?:licen[sc]e|use|users|number)
            enterprise-?wide
        """,
        terms="perpetual irrevocable licence unlimited use",
        over=(
            "licence grant",
            "term and expiry",
        ),
    ),
    _concept(
        "affiliates and the licence",
        asks=r"""
            licen[sc]e\b.{0,60}affiliates?|affiliates?.{0,60}licen[sc]e
        """,
        says=r"""
            affiliat\w*|subsidiar\w*
        """,
        clinches=r"""
            (?:licen[sc]|grant|sublicen[sc])\w*.{0,240}affiliat\w*|affiliat\w*.{0,200}(?:licen[sc]|grant)\w*
        """,
        terms="licence granted to licensee and its affiliates subsidiaries sublicense",
        over=(
            "renewal",
            "licence grant",
        ),
    ),
    _concept(
        "source code escrow",
        asks=r"""
            escrow\w*|source code
        """,
        says=r"""
            escrow\w*|source code
        """,
        clinches=r"""
            escrow\w*|(?:deposit|deliver|release|access|right to use)\w*.{0,80}source code
        """,
        terms="source code deposited in escrow agent release",
    ),
    _concept(
        "third-party beneficiaries",
        asks=r"""
            third[- ]part\w*.{0,40}(?:benefici\w*|enforce|rights?)|benefici\w*
        """,
        says=r"""
            third[- ]part\w* benefi\w*|inure\w*|successors|other than the parties|not a party
        """,
        clinches=r"""
            third[- ]?\s?part\w* benefi\w*
            (?:no|not|nothing|only|solely|sole)\b.{0,160}(?:benefit|rights?|remed|enforc)\w*\b.{0,80}
            +(?:other than the part|not a party|any other (?:person|party|entity)|any (?:person|third part))\w*
            (?:person|entity|anyone)s? (?:who is |that is )?(?:not a party|other than).{0,100}
            +(?:benefit|enforce|rights?|remedy)
            benefits?\b.{0,60}(?:in trust|on behalf of)
        """,
        terms="third party beneficiaries no person other than the parties shall have any rights enforce benefit",
    ),
    _concept(
        "covenant not to sue",
        asks=r"""
            covenant not to sue|contest\w*|challeng\w*|bring\w* claims?
            barred from\b.{0,40}(?:su(?:e|ing)|claims?)
        """,
        says=r"""
            contest\w*|challeng\w*|\bsue\b|claims?|dispute\w*|waive\w*|releas\w*
        """,
        clinches=r"""
            (?:not|never|neither|refrain|nor)\b.{0,140}(?:contest|challeng|attack|dispute|impair|oppose|\bsue\b
            +|bring)\w*.{0,120}(?:right|title|validity|mark|ownership|intellectual|patent|interest|claim|action)\w*
            waives?.{0,80}claims?|covenant\w* not to sue|release\w* .{0,60}(?:from|claims)
        """,
        terms="not contest or challenge the validity ownership of the trademarks or bring any claim covenant not to sue",
        over=("jurisdiction and disputes",),
    ),
    _concept(
        "warranty",
        asks=r"""
            warrant\w*|guarantee\w*|defect\w*
        """,
        says=r"""
            warrant\w*|guarantee\w*|defect\w*
        """,
        clinches=r"""
            warrant\w*.{0,200}(?:<span>)|(?:<span>).{0,120}(?:warrant|defect)\w*
            warrant\w*.{0,80}(?:period|defect|conform|workmanlike|free)
        """,
        terms="warranty period warrants free from defects for a period of days months after delivery",
        over=("term and expiry",),
    ),
    _concept(
        "revenue sharing",
        asks=r"""
            (?:revenue|profit)s?\b.{0,30}(?:shar|split|with)\w*|shar\w*.{0,30}(?:revenue|profit)|royalt\w*
            commission\w*
        """,
        says=r"""
            revenue|profits?|royalt\w*|commission\w*|shar\w*
        """,
        clinches=r"""
            (?:percent|%|per cent|share|split|portion|commission|royalt)\w*.{0,140}(?:revenue|profit|sales|fees
            +|proceeds|receipts|price)s?
            (?:revenue|profit)s?\b.{0,80}(?:shar|split|percent|%|entitled)\w*
        """,
        terms="share of revenue percent of net revenues profits royalty commission payable",
    ),
    _concept(
        "minimum commitment",
        asks=r"""
            minimum\b.{0,40}(?:purchase|volume|commit\w*|order|quantit\w*|fee|amount|spend)?
            (?:purchase|volume)\s+commit\w*|take[- ]or[- ]pay
        """,
        says=r"""
            minim\w*|at least|not less than|no less than|commit\w*
        """,
        clinches=r"""
            minim\w*.{0,120}(?:purchase|order|volume|quantit|fee|amount|commit|payment|revenue|unit|inventory|\$
            +|\d)\w*
            (?:purchase|order|pay|guarantee|commit|process|produce|supply|invest)\w*.{0,80}(?:at least
            +|not less than|no less than|minimum|a minimum).{0,40}\d
        """,
        terms="minimum purchase commitment minimum volume order quantity at least not less than",
        over=("term and expiry",),
    ),
    _concept(
        "volume limits",
        asks=r"""
            (?:limit|cap|maximum|restrict\w*)\b.{0,40}(?:volume|usage|use|quantit\w*)
            (?:volume|usage)\b.{0,40}(?:limit|cap|restrict)\w*|extra fees|overage\w*
        """,
        says=r"""
            exceed\w*|maximum|up to|limit\w*|excess|additional|in addition
        """,
        clinches=r"""
            (?:exceed|excess of|over and above|more than|maximum|up to|no more than)\w*.{0,160}(?:additional
            +|extra|charge|fee|rate|hours|users|gb|units?|copies|per)\b
            (?:additional|extra|overage)\s+(?:fee|charge|compensation|cost)\w*.{0,120}(?:exceed|excess|over
            +|beyond|more)\w*
            (?:up to|maximum of|no more than|limited to)\b.{0,40}(?:\d|\w+ \(\d+\))
        """,
        terms="in excess of additional fees charge per exceeds maximum number up to limit volume usage",
    ),
    _concept(
        "price changes",
        asks=r"""
            pric\w+\b.{0,40}(?:increas|reduc|chang|adjust|restrict|review|index)\w*
            (?:increas|reduc|chang|adjust|index)\w*.{0,40}(?:pric|fee|rate|charge)\w*|indexation
        """,
        says=r"""
            (?:pric|fee|rate|charge)\w*|increas\w*|adjust\w*|index\w*
        """,
        clinches=r"""
            (?:increas|adjust|chang|revis|reduc|decreas|index)\w*.{0,140}(?:pric|fee|rate|charge)\w*
            (?:pric|fee|rate|charge)\w*\b.{0,140}(?:increas|adjust|chang|revis|reduc|decreas|index|fixed)\w*
        """,
        terms="increase in prices fees rates adjusted annually not more than percent consumer price index",
    ),
    _concept(
        "payment terms",
        asks=r"""
            pay(?:ment|able|ing)?\b.{0,40}(?:terms?|days|period|deadline|due|conditions|schedule)
            (?:invoice|amount|fee)s?\b.{0,40}\b(?:paid|payable|due)
            (?:when|days|how soon)\b.{0,60}\b(?:pay|paid|payable|due|invoice)|pay\b.{0,20}invoice|invoic\w*
            payment\b|credit period
        """,
        says=r"""
            pay\w*|paid|invoic\w*|\bdue\b|billed|billing
        """,
        clinches=r"""
            (?:pay|paid|payable|payment|invoice|due|remit)\w*.{0,140}(?:(?:with)?in|net|no later than
            +|not later than|by the|on or before|of receipt|upon receipt|after).{0,50}(?:days?|month|receipt)
            \bnet[ -](?:\w+\s*)?\(?\d+
            (?:within|net)\b.{0,40}\bdays\b.{0,100}(?:invoice|receipt|statement|pay)\w*|due and payable
            payable (?:in advance|monthly|upon)
        """,
        terms="invoices shall be paid due and payable within thirty days of receipt of invoice net",
    ),
    _concept(
        "late payment",
        asks=r"""
            late payment|overdue|interest\b.{0,30}(?:rate|charged|bear|payable)?|(?:pay|paid)\b.{0,20}late
            past due
        """,
        says=r"""
            interest|late|overdue|past due|delinquent|unpaid
        """,
        clinches=r"""
            (?:interest|late (?:fee|charge|payment)|penalty)\b.{0,200}(?:percent|%|per cent|rate|per (?:month|annum))
            (?:late|overdue|past due|unpaid|delinquent|not paid).{0,160}(?:interest|charge|percent|%|fee|rate|penalty)
        """,
        terms="late payment overdue amounts bear interest at the rate of percent per month",
        over=(
            "payment terms",
            "prices and fees",
        ),
    ),
    _concept(
        "prices and fees",
        asks=r"""
            how much\b(?! notice| time)|\bprices?\b|\bfees?\b|pricing|\bcosts?\b|charges?\b|annual amount
            +|amount to be paid
            hourly|day rate|\brates?\b
        """,
        says=r"""
            pric\w+|fees?|charg\w+|cost\w*|rates?|compensation|amount|pay\w*
        """,
        clinches=r"""
            (?:pric|fee|charge|rate|cost|amount|pay|compensation|sum)\w*.{0,160}(?:<money>)
            (?:<money>).{0,100}(?:per|month|annual|annum|year|hour|day|fee|unit|user)\w*
        """,
        terms="fees charges price monthly annual amount payable per",
    ),
    _concept(
        "service levels",
        asks=r"""
            service[- ]levels?|severity|incidents?|respon[ds]\w*|\bsla\b|availab\w+|uptime|up-time
            +|response times?|service credits?|downtime
            resolution time
        """,
        says=r"""
            availab\w+|uptime|service level\w*|response|credit\w*|downtime|resol\w*|restor\w*
        """,
        clinches=r"""
            (?:availab|uptime|service level|response|resol|restor|downtime)\w*.{0,140}(?:\d|%|percent|hours?
            +|minutes?|seconds?)
            \d[\d.,]*\s?(?:%|percent|per cent).{0,100}(?:availab|uptime|month|time)\w*
            service credits?.{0,120}(?:\d|%|fee)
        """,
        terms="service levels availability percent per month response time hours service credits",
    ),
    _concept(
        "confidentiality",
        asks=r"""
            confidential\w*|non-?disclosure|\bnda\b|secre\w+
        """,
        says=r"""
            confiden\w*|disclos\w*|secre\w+|proprietary
        """,
        clinches=r"""
            (?:not|hold|keep|maintain|protect|treat)\w*.{0,160}(?:confiden|disclos|secre)\w*
            confidential\w*.{0,160}(?:shall not|years|surviv|obligat)\w*
        """,
        terms="confidential information shall not disclose to third parties years after termination",
    ),
    _concept(
        "indemnity",
        asks=r"""
            indemni\w*|hold harmless
        """,
        says=r"""
            indemni\w*|hold\w* harmless|defend
        """,
        clinches=r"""
            (?:shall|will|agrees? to|must|hereby).{0,80}indemnif\w*|hold\w* harmless
            indemnif\w*.{0,80}against
        """,
        terms="shall indemnify defend and hold harmless against claims losses",
    ),
    _concept(
        "force majeure",
        asks=r"""
            force majeure|acts? of god|beyond\b.{0,20}control
        """,
        says=r"""
            force majeure|beyond.{0,40}control|acts? of god
        """,
        clinches=r"""
            force majeure|beyond.{0,40}(?:reasonable )?control|acts? of god
        """,
        terms="force majeure events beyond reasonable control delay in performance excused",
    ),
    _concept(
        "data protection",
        asks=r"""
            data protection|personal data|gdpr|privacy|data breach|sub-?processors?|data security
        """,
        says=r"""
            personal data|personal information|privacy|data protection|gdpr|process\w*|security
        """,
        clinches=r"""
            (?:personal|customer) (?:data|information).{0,200}(?:process|protect|comply|secur|breach|notif|delet)\w*
            data protection|gdpr|privacy (?:law|polic)\w*|(?:security|data) (?:breach|incident)
        """,
        terms="personal data processing data protection security breach notification",
    ),
    _concept(
        "notices",
        asks=r"""
            notices?\b.{0,30}(?:sent|given|address\w*|deliver\w*|served)|(?:address|where)\b.{0,30}notices?
            ^notices?$
        """,
        says=r"""
            notices?
        """,
        clinches=r"""
            notices?\b.{0,160}(?:in writing|address|deliver|mail|courier|fax|sent|deemed)\w*
        """,
        terms="notices shall be in writing delivered to the address deemed received",
    ),
    _concept(
        "subcontracting",
        asks=r"""
            sub-?contract\w*
        """,
        says=r"""
            sub-?contract\w*
        """,
        clinches=r"""
            (?:not|may|without|consent|approv|liable|responsible)\b.{0,120}sub-?contract\w*
            sub-?contract\w*.{0,120}(?:consent|approv|liable|responsible|obligation)\w*
        """,
        terms="may not subcontract without prior written consent subcontractors",
    ),
)
"""All notions."""
