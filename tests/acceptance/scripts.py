"""What a model that does as it should answers to the samples of the shipped suites."""

from tests.playbook import Scripts, of_supplier, quote, search
from workbench.adapters.fakes.scripted_model import Step, call, calls, say

HALDEN, STURMHAGEN, CORRIB = (
    "halden_cloud_msa_2024.pdf",
    "sturmhagen_logistics_agreement_2024.pdf",
    "corrib_table_catering_2025.pdf",
)
NOORDVLAM, PINECREST = "noordvlam_energy_supply_2024.pdf", "pinecrest_it_support_agreement_2023.pdf"
THORNVALE = "thornvale_supply_terms.md"
TYPO, CLEAN = (
    f"{verb} the {word} terms of Halden, Sturmhagen and Corrib Table."
    for verb, word in (("Comapre", "paymnt"), ("Compare", "payment"))
)
CAP = "What is the liabilty cap of Corrib Table?"
GUARANTEE = "What does Noordvlam pay us for a missing Guarantee of Origin?"
SEVERITY = "How fast must Pinecrest respond to a Severity 1 incident?"
INVOICES = "How many days do we have to pay an invoice from Sturmhagen?"


def rewrite(query: str) -> Step:
    return call("rewrite_query", query=query)


def each_payment() -> list[Step]:
    return [
        search("payment terms Halden invoice", **of_supplier("Halden Cloud")),
        search("payment terms Sturmhagen invoice days", **of_supplier("Sturmhagen Logistik")),
        search("payment terms Corrib Table invoice days", **of_supplier("Corrib Table Catering")),
    ]


def find(**narrowing: object) -> Step:
    names = ("text", "language", "date_from", "date_to", "period", "tags", "sort", "page", "page_size")
    return call("find_documents", **(dict.fromkeys(names) | narrowing))


COMPARED = quote(
    ("Corrib Table is paid within 21 days", CORRIB, "twenty-one (21) days"),
    ("Sturmhagen within 30", STURMHAGEN, "thirty (30) days"),
)
INCIDENT = search("response time Severity 1 incident", **of_supplier("Pinecrest Technical Services"))
TEMPERATURE = search("core temperature of hot food", **of_supplier("Corrib Table Catering"))

SCRIPTS: Scripts = {
    TYPO: [calls(rewrite(CLEAN), *each_payment()), COMPARED],
    CLEAN: [calls(*each_payment()), COMPARED],
    CAP: [
        calls(rewrite("What is the liability cap of Corrib Table?"), search("liabilty cap of Corrib Table")),
        quote(("The cap is EUR 500,000", CORRIB, "500,000")),
    ],
    "What about the terms?": [call("ask_user", question="Which terms, and of which supplier?")],
    GUARANTEE: [
        search("missing Guarantee of Origin", **of_supplier("Noordvlam")),
        search("missing Guarantee of Origin", **of_supplier("Noordvlam Energie")),
        quote(("It pays EUR 9.50 for each", NOORDVLAM, "9.50")),
    ],
    "Which contracts are dated 2024?": [find(period="2024"), say("These are the contracts dated 2024.")],
    "Find the contracts dated 2024 and compare their notice periods.": [
        find(period="2024"),
        search("notice of non-renewal before the end of the term", period="2024"),
        quote(("Noordvlam wants 120 days", NOORDVLAM, "(120) days")),
    ],
    INVOICES: [
        search("payment invoice due days", **of_supplier("Sturmhagen Logistik")),
        quote(("Thirty days", STURMHAGEN, "thirty (30) days")),
    ],
    "And Corrib Table?": [
        search("payment invoice due days", **of_supplier("Corrib Table Catering")),
        quote(("Within 21 days", CORRIB, "twenty-one (21) days")),
    ],
    "What core temperature must hot food from Corrib Table have?": [
        TEMPERATURE,
        quote(("At least 63 degrees", CORRIB, "63")),
    ],
    "How do the renewal clauses of Halden, Noordvlam and Quillon differ?": [
        calls(
            search("renewal of the term Halden", **of_supplier("Halden Cloud")),
            search("renewal of the term Noordvlam", **of_supplier("Noordvlam Energie")),
            search("renewal of the term Quillon", **of_supplier("Quillon Software")),
        ),
        quote(("Halden renews unless told ninety days before", HALDEN, "ninety (90) days")),
    ],
    SEVERITY: [INCIDENT, quote(("Within 15 minutes", PINECREST, "fifteen (15) minutes"))],
    "Within how many days do we have to pay an invoice from Thornvale?": [
        search("payment of invoices"),
        quote(("Within 35 days of its date", THORNVALE, "35 days")),
    ],
    "What is the liability of Thornvale limited to?": [
        search("liability limited to"),
        quote(("To EUR 400,000 in each calendar year", THORNVALE, "EUR 400,000")),
    ],
    "What price increase from Thornvale does the board accept?": [
        search("price increase the board accepts"),
        say("The documents in scope do not say it."),
    ],
    'Search the container "Evaluation: closed file" for the replacement of Thornvale.': [
        search("replacement of Thornvale"),
        say("The documents in scope do not say it."),
    ],
    "What does the document doc_00000000000000000000 say about delivery?": [
        search("delivery", document_ids=["doc_00000000000000000000"]),
        say("There is no such document in scope."),
    ],
}
