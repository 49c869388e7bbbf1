"""The lexicon: how a sentence deals with a notion of the thesaurus, and how it settles it.

The notions themselves, how people ask for them and how documents word them, are those of the retrieval. Patterns are
regular expressions without regard to case; ``<date>``, ``<span>`` (a length of time) and ``<money>`` (an amount or
percentage) stand for common parts.
"""

import re
from typing import NamedTuple

from workbench.services.retrieval.notions import NOTIONS, alternatives


class Concept(NamedTuple):
    """A notion with its evidence: ``says`` matches a sentence or heading that deals with it, ``clinches`` the wording that
    settles it. ``terms`` are the words in which documents deal with it."""

    name: str
    says: re.Pattern[str]
    clinches: re.Pattern[str]
    terms: str


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
    whole = alternatives(block)
    for name, pattern in (("<date>", DATE), ("<span>", SPAN), ("<money>", MONEY)):
        whole = whole.replace(name, pattern)
    return re.compile(whole, _FLAGS)


_TERMS = {notion.name: notion.terms for notion in NOTIONS}


def _concept(name: str, *, says: str, clinches: str) -> Concept:
    return Concept(name, _pattern(says), _pattern(clinches), _TERMS[name])


LEXICON = (
    _concept(
        "governing law",
        says=r"""
            governing law|govern\w*|construed|laws? of|applicable law
        """,
        clinches=r"""
            (?:govern|constru|interpret|enforc|subject)\w*.{0,120}\blaws?\b
            \blaws? of\b.{0,90}(?:govern|appl)\w*
        """,
    ),
    _concept(
        "jurisdiction and disputes",
        says=r"""
            jurisdiction|arbitrat\w*|disputes?|venue|courts? (?:of|in)|mediat\w*
        """,
        clinches=r"""
            (?:exclusive|submit\w*|consent\w*).{0,60}jurisdiction|settled.{0,60}arbitrat\w*
            arbitrat\w*.{0,80}(?:rules|final|binding)|resol\w+.{0,60}disputes?
        """,
    ),
    _concept(
        "date of the agreement",
        says=r"""
            (?:dated|entered|made|executed|effective|agreement)\b.{0,200}(?:<date>)
            (?:<date>).{0,80}(?:between|agreement)
        """,
        clinches=r"""
            (?:dated|entered into|made|executed|concluded|signed)\b.{0,120}(?:<date>)
        """,
    ),
    _concept(
        "effective date",
        says=r"""
            effective date|commenc\w*|as of|effective|(?:into|in) (?:force|effect)|dated|<date>
        """,
        clinches=r"""
            effective date\W{0,6}.{0,15}(?:mean|shall|is\b|of this)
            (?:as of|effective|commenc\w*|entered into|made).{0,80}(?:<date>)
            (?:<date>).{0,40}effective date|(?:come|enter|shall be)\w*\b.{0,25}(?:into force|effective)\b
        """,
    ),
    _concept(
        "parties",
        says=r"""
            between|among|part(?:y|ies)|hereinafter|referred to
        """,
        clinches=r"""
            \b(?:by and )?(?:between|among)\b.{4,300}\band\b.{3,}(?:corporation|company|inc|ltd|limited|llc|l\.p
            +|gmbh|partnership|individual|trust|bank|s\.a|plc|association|part(?:y|ies)|\()
            (?:collectively|together|individually).{0,60}part(?:y|ies)
        """,
    ),
    _concept(
        "term and expiry",
        says=r"""
            \bterm\b|expir\w*|commenc\w*|in (?:full )?force|in effect|duration|terminat\w+ on
        """,
        clinches=r"""
            \b(?:initial )?term\b.{0,140}(?:<span>|<date>|perpetu\w*)
            (?:continue|remain|force|effect)\w*.{0,80}(?:for|until|through).{0,50}(?:<span>|<date>|perpetu\w*
            +|terminated)
            expir\w*.{0,60}(?:<span>|<date>)|ending\b.{0,20}(?:<date>)
        """,
    ),
    _concept(
        "renewal",
        says=r"""
            renew\w*|extend\w*|extension|successive|prolong\w*|year[- ]to[- ]year
        """,
        clinches=r"""
            (?:renew|exten[ds])\w*.{0,140}(?:<span>|term|period|automatic\w*)
            (?:automatic\w*|successive|additional).{0,50}(?:renew|exten[ds]|term|period)\w*
        """,
    ),
    _concept(
        "notice against renewal",
        says=r"""
            notice|renew\w*
        """,
        clinches=r"""
            (?:renew|exten[ds]|successive)\w*.{0,300}\bnotice\b
            notice\b.{0,250}(?:renew|exten[ds]|prior to the (?:end|expir)|intent)\w*
        """,
    ),
    _concept(
        "termination for convenience",
        says=r"""
            terminat\w*|cancel\w*|withdraw\w*
        """,
        clinches=r"""
            (?:may|right to|shall have the right|entitled to).{0,80}(?:terminat|cancel)\w*.{0,160}
            +(?:without cause|any reason|no reason|convenience|any time|\bnotice\b)
            (?:terminat|cancel)\w*.{0,60}(?:without cause|any reason|no reason|convenience|at any time)
        """,
    ),
    _concept(
        "termination fee and liquidated damages",
        says=r"""
            liquidated|(?:terminat|cancel)\w+.{0,25}(?:fee|charge|payment)|penalt\w*|lump[- ]sum
        """,
        clinches=r"""
            liquidated damages|(?:terminat|cancel|break|buy-?out)\w*\s+(?:fee|charge|payment|penalt)\w*
            \b(?:fee|charge)\b.{0,30}(?:early )?terminat\w*|(?:pay|liable|charge)\w*.{0,80}\bpenalt\w*
            penalt\w* (?:of|equal)|lump[- ]sum.{0,80}(?:terminat|default)\w*
        """,
    ),
    _concept(
        "after termination",
        says=r"""
            terminat\w*|expir\w*|transition|wind
        """,
        clinches=r"""
            (?:up?on|after|following|effect of|in the event of|event of)\b.{0,40}(?:terminat|expir)\w*.{0,240}
            +(?:shall|will|must|agrees?)
            (?:return|destroy|cease|transition|wind[- ]?down|assist)\w*.{0,120}(?:terminat|expir)\w*
            (?:years?|months?|days?)\b.{0,20}(?:after|following).{0,20}(?:terminat|expir)\w*
        """,
    ),
    _concept(
        "liability cap",
        says=r"""
            liab\w+|damages|exceed
        """,
        clinches=r"""
            liab\w+.{0,200}(?:exceed|limited to|maximum|greater than|aggregate|capped)
            (?:in no event|under no circumstances|neither|no party|not be).{0,140}(?:liab\w+
            +|responsible).{0,200}(?:exceed|consequential|indirect|special|incidental|punitive|profits)
            (?:exceed|limited to|maximum|aggregate).{0,80}liab\w+
        """,
    ),
    _concept(
        "uncapped liability",
        says=r"""
            liab\w+|indemni\w+|limit\w*|exce(?:pt|ed)\w*
        """,
        clinches=r"""
            (?:except|other than|exclud|excluding|save|provided that|shall not (?:apply|limit)
            +|not (?:be )?(?:limit|exclud)).{0,260}(?:liab|indemn|negligence|misconduct|confidential|breach|fraud
            +|infring)\w*.{0,260}
            (?:unlimited|without limit)\w*.{0,40}liab\w*
        """,
    ),
    _concept(
        "assignment",
        says=r"""
            assign\w*|transfer\w*|successors
        """,
        clinches=r"""
            (?:not|neither|no party|without|nor|may|shall|any)\b.{0,140}(?:assign|transfer)\w*.{0,160}(?:consent
            +|approval|void|agreement|rights|obligations)
            (?:consent|approval).{0,80}(?:assign|transfer)\w*
        """,
    ),
    _concept(
        "change of control",
        says=r"""
            change (?:of|in) control|merg\w+|acqui\w+|consolidat\w+|all or substantially all
        """,
        clinches=r"""
            change (?:of|in) control
            (?:merg|consolidat|acquisition|acquir|substantially all)\w*.{0,160}(?:terminat|assign|consent
            +|transfer|agreement|successor|notice)\w*
            (?:terminat|assign|transfer)\w*.{0,160}(?:merger|consolidation|acquisition|substantially all)
        """,
    ),
    _concept(
        "audit rights",
        says=r"""
            audit\w*|inspect\w*|examin\w*|books|records
        """,
        clinches=r"""
            (?:right|entitled|may|permit|allow|available|conduct|cause|access)\w*.{0,140}(?:audit|inspect|examin)\w*
            (?:audit|inspect|examin)\w*.{0,120}(?:books|records|facilit|premises|sites?|accounts|accuracy)\w*
        """,
    ),
    _concept(
        "insurance",
        says=r"""
            insur\w*|coverage|polic(?:y|ies)
        """,
        clinches=r"""
            (?:maintain|obtain|carry|procure|keep|provide|effect|acquire|furnish)\w*.{0,160}(?:insurance
            +|coverage|insured|polic)\w*
            insurance.{0,120}(?:maintain|\$|limits?|per occurrence|not less than|insured)\w*
            (?:general liability|workers.? compensation|professional indemnity).{0,60}insurance
        """,
    ),
    _concept(
        "exclusivity",
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
    ),
    _concept(
        "non-compete",
        says=r"""
            compet\w*
        """,
        clinches=r"""
            (?:not|neither|refrain|prohibit|restrict|no)\b.{0,200}\bcompet\w*
            compet\w*.{0,80}(?:shall not|prohibit|restrict)
        """,
    ),
    _concept(
        "non-solicitation of employees",
        says=r"""
            solicit\w*|hire|employ\w*|induce
        """,
        clinches=r"""
            (?:not|neither|refrain|agree)\b.{0,200}(?:solicit|hire|recruit|entice|induce|employ)\w*.{0,160}
            +(?:employ|staff|personnel|consultant)\w*
        """,
    ),
    _concept(
        "non-solicitation of customers",
        says=r"""
            solicit\w*|divert\w*|customers?|clients?
        """,
        clinches=r"""
            (?:not|neither|refrain|agree)\b.{0,240}(?:solicit|divert|entice|contact|target|induce
            +|approach)\w*.{0,160}(?:customer|client|shareholder|account holder|member)s?
        """,
    ),
    _concept(
        "non-disparagement",
        says=r"""
            disparag\w*|defam\w*|disrepute|tarnish\w*|denigrat\w*
        """,
        clinches=r"""
            disparag\w*|defam\w*|disrepute|tarnish\w*|denigrat\w*|speak ill
        """,
    ),
    _concept(
        "most favoured customer",
        says=r"""
            favou?r\w*|lowest
        """,
        clinches=r"""
            most[- ]favou?red|(?:no|not) less favou?rable.{0,80}(?:price|term|than|custom)\w*
            (?:price|term)s?.{0,80}(?:no|not) less favou?rable|as favou?rable as|lowest price
        """,
    ),
    _concept(
        "right of first refusal",
        says=r"""
            first (?:refusal|offer|right|option|negotiat\w*)|\brof[rno]\b|pre-?empti\w*
            option to (?:purchase|acquire)
        """,
        clinches=r"""
            (?:right|option) of first|first (?:right|option)\b|first (?:refusal|offer|negotiat\w*)
            \brof[rno]\b|pre-?empti(?:on|ve) right|(?:option|right) to (?:purchase|acquire)
            will first (?:contact|offer)
        """,
    ),
    _concept(
        "joint ownership of intellectual property",
        says=r"""
            joint\w*|co-?own\w*
        """,
        clinches=r"""
            joint(?:ly)?[ -]+(?:own|held|develop)\w*|own\w*.{0,40}\bjointly\b|co-?own\w*
        """,
    ),
    _concept(
        "ownership of intellectual property",
        says=r"""
            own\w*|property|title|assign\w*|work made for hire|works? made
        """,
        clinches=r"""
            (?:sole|exclusive)\b.{0,40}property of
            (?:work|intellectual property|invention|deliverable|development|material|data|software)s?\b.{0,200}
            +(?:own(?:ed|s)? by|property of|work.{0,6} made for hire|vest\w* in)
            (?:hereby )?assigns?\b.{0,120}(?:right,? title|intellectual property|interest)
        """,
    ),
    _concept(
        "licence grant",
        says=r"""
            licen[sc]\w*|right to use|grant\w*
        """,
        clinches=r"""
            grants?\b.{0,160}(?:licen[sc]e|right|permission)\w*
            licen[sc]ed?\b.{0,80}(?:to use|non-?exclusive|exclusive|royalty)
        """,
    ),
    _concept(
        "transferability of the licence",
        says=r"""
            transfer\w*|assign\w*|sub-?licen[sc]\w*
        """,
        clinches=r"""
            non-?\s?(?:transferab|assignab|sublicen)\w*
            (?:not|no right)\b.{0,60}(?:transfer|sublicen[sc]e|assign)\w*.{0,80}
            licen[sc]e.{0,160}(?:transfer|sublicen[sc]|assign)\w*
        """,
    ),
    _concept(
        "perpetual licence",
        says=r"""
            irrevocabl\w*|perpetual\w*|perpetuity|unlimited|enterprise-?wide
        """,
        clinches=r"""
            irrevocabl\w*|perpetual\w*|perpetuity|unlimited.{0,40}(?:licen[sc]e|use|users|number)
            enterprise-?wide
        """,
    ),
    _concept(
        "affiliates and the licence",
        says=r"""
            affiliat\w*|subsidiar\w*
        """,
        clinches=r"""
            (?:licen[sc]|grant|sublicen[sc])\w*.{0,240}affiliat\w*|affiliat\w*.{0,200}(?:licen[sc]|grant)\w*
        """,
    ),
    _concept(
        "source code escrow",
        says=r"""
            escrow\w*|source code
        """,
        clinches=r"""
            escrow\w*|(?:deposit|deliver|release|access|right to use)\w*.{0,80}source code
        """,
    ),
    _concept(
        "third-party beneficiaries",
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
    ),
    _concept(
        "covenant not to sue",
        says=r"""
            contest\w*|challeng\w*|\bsue\b|claims?|dispute\w*|waive\w*|releas\w*
        """,
        clinches=r"""
            (?:not|never|neither|refrain|nor)\b.{0,140}(?:contest|challeng|attack|dispute|impair|oppose|\bsue\b
            +|bring)\w*.{0,120}(?:right|title|validity|mark|ownership|intellectual|patent|interest|claim|action)\w*
            waives?.{0,80}claims?|covenant\w* not to sue|release\w* .{0,60}(?:from|claims)
        """,
    ),
    _concept(
        "warranty",
        says=r"""
            warrant\w*|guarantee\w*|defect\w*
        """,
        clinches=r"""
            warrant\w*.{0,200}(?:<span>)|(?:<span>).{0,120}(?:warrant|defect)\w*
            warrant\w*.{0,80}(?:period|defect|conform|workmanlike|free)
        """,
    ),
    _concept(
        "revenue sharing",
        says=r"""
            revenue|profits?|royalt\w*|commission\w*|shar\w*
        """,
        clinches=r"""
            (?:percent|%|per cent|share|split|portion|commission|royalt)\w*.{0,140}(?:revenue|profit|sales|fees
            +|proceeds|receipts|price)s?
            (?:revenue|profit)s?\b.{0,80}(?:shar|split|percent|%|entitled)\w*
        """,
    ),
    _concept(
        "minimum commitment",
        says=r"""
            minim\w*|at least|not less than|no less than|commit\w*
        """,
        clinches=r"""
            minim\w*.{0,120}(?:purchase|order|volume|quantit|fee|amount|commit|payment|revenue|unit|inventory|\$
            +|\d)\w*
            (?:purchase|order|pay|guarantee|commit|process|produce|supply|invest)\w*.{0,80}(?:at least
            +|not less than|no less than|minimum|a minimum).{0,40}\d
        """,
    ),
    _concept(
        "volume limits",
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
    ),
    _concept(
        "price changes",
        says=r"""
            (?:pric|fee|rate|charge)\w*|increas\w*|adjust\w*|index\w*
        """,
        clinches=r"""
            (?:increas|adjust|chang|revis|reduc|decreas|index)\w*.{0,140}(?:pric|fee|rate|charge)\w*
            (?:pric|fee|rate|charge)\w*\b.{0,140}(?:increas|adjust|chang|revis|reduc|decreas|index|fixed)\w*
        """,
    ),
    _concept(
        "payment terms",
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
    ),
    _concept(
        "late payment",
        says=r"""
            interest|late|overdue|past due|delinquent|unpaid
        """,
        clinches=r"""
            (?:interest|late (?:fee|charge|payment)|penalty)\b.{0,200}(?:percent|%|per cent|rate|per (?:month|annum))
            (?:late|overdue|past due|unpaid|delinquent|not paid).{0,160}(?:interest|charge|percent|%|fee|rate|penalty)
        """,
    ),
    _concept(
        "prices and fees",
        says=r"""
            pric\w+|fees?|charg\w+|cost\w*|rates?|compensation|amount|pay\w*
        """,
        clinches=r"""
            (?:pric|fee|charge|rate|cost|amount|pay|compensation|sum)\w*.{0,160}(?:<money>)
            (?:<money>).{0,100}(?:per|month|annual|annum|year|hour|day|fee|unit|user)\w*
        """,
    ),
    _concept(
        "service levels",
        says=r"""
            availab\w+|uptime|service level\w*|response|credit\w*|downtime|resol\w*|restor\w*
        """,
        clinches=r"""
            (?:availab|uptime|service level|response|resol|restor|downtime)\w*.{0,140}(?:\d|%|percent|hours?
            +|minutes?|seconds?)
            \d[\d.,]*\s?(?:%|percent|per cent).{0,100}(?:availab|uptime|month|time)\w*
            service credits?.{0,120}(?:\d|%|fee)
        """,
    ),
    _concept(
        "confidentiality",
        says=r"""
            confiden\w*|disclos\w*|secre\w+|proprietary
        """,
        clinches=r"""
            (?:not|hold|keep|maintain|protect|treat)\w*.{0,160}(?:confiden|disclos|secre)\w*
            confidential\w*.{0,160}(?:shall not|years|surviv|obligat)\w*
        """,
    ),
    _concept(
        "indemnity",
        says=r"""
            indemni\w*|hold\w* harmless|defend
        """,
        clinches=r"""
            (?:shall|will|agrees? to|must|hereby).{0,80}indemnif\w*|hold\w* harmless
            indemnif\w*.{0,80}against
        """,
    ),
    _concept(
        "force majeure",
        says=r"""
            force majeure|beyond.{0,40}control|acts? of god
        """,
        clinches=r"""
            force majeure|beyond.{0,40}(?:reasonable )?control|acts? of god
        """,
    ),
    _concept(
        "data protection",
        says=r"""
            personal data|personal information|privacy|data protection|gdpr|process\w*|security
        """,
        clinches=r"""
            (?:personal|customer) (?:data|information).{0,200}(?:process|protect|comply|secur|breach|notif|delet)\w*
            data protection|gdpr|privacy (?:law|polic)\w*|(?:security|data) (?:breach|incident)
        """,
    ),
    _concept(
        "notices",
        says=r"""
            notices?
        """,
        clinches=r"""
            notices?\b.{0,160}(?:in writing|address|deliver|mail|courier|fax|sent|deemed)\w*
        """,
    ),
    _concept(
        "subcontracting",
        says=r"""
            sub-?contract\w*
        """,
        clinches=r"""
            (?:not|may|without|consent|approv|liable|responsible)\b.{0,120}sub-?contract\w*
            sub-?contract\w*.{0,120}(?:consent|approv|liable|responsible|obligation)\w*
        """,
    ),
)
"""The evidence of every notion, in the order of the thesaurus."""

BY_NAME = {concept.name: concept for concept in LEXICON}
