"""Questions about several documents, amended clauses and tables, and those without an answer in the documents."""

from __future__ import annotations

from .question_types import (
    BRIGHTMOOR,
    CORRIB,
    HALDEN,
    HALDEN_1,
    NOORDVLAM,
    PINECREST,
    PINECREST_2,
    QUILLON,
    STURMHAGEN,
    VELTRANO,
    Question,
)

HALDEN_PAYMENT_NEW = (
    "The Customer shall pay each undisputed invoice within forty-five (45) days of the date on which it receives "
    "the invoice at its shared service centre."
)
HALDEN_PAYMENT_OLD = (
    "The Customer shall pay each undisputed invoice within thirty (30) days of the date on which it receives the "
    "invoice."
)

COMPARE: list[Question] = [
    (
        "compare",
        "Compare the payment terms in our three supplier contracts with Halden, Sturmhagen and Corrib Table.",
        (
            "Halden: 45 days from receipt since 1 July 2025 (before: 30). Sturmhagen: 30 days from receipt, or 14 days "
            "with 2% discount. Corrib Table: 21 days from the invoice date."
        ),
        [
            (HALDEN_1, HALDEN_PAYMENT_NEW),
            (HALDEN, HALDEN_PAYMENT_OLD),
            (STURMHAGEN, "Invoices are due thirty (30) days after receipt without deduction."),
            (CORRIB, "The Hospital shall pay each correct invoice within twenty-one (21) days of the invoice date"),
        ],
    ),
    (
        "compare",
        "Which of Veltrano, Brightmoor and Noordvlam has the lowest liability cap?",
        (
            "Noordvlam: EUR 250,000 for each event and EUR 500,000 a year. Brightmoor: GBP 1,000,000 in each contract "
            "year. Veltrano: EUR 2,500,000 in each calendar year."
        ),
        [
            (VELTRANO, "the aggregate liability of the Seller shall not exceed EUR 2,500,000 in each calendar year."),
            (BRIGHTMOOR, "is limited to one million pounds (\u00a31,000,000) in each Contract Year."),
            (NOORDVLAM, "is limited to EUR 250,000 for each event and EUR 500,000 for each calendar year."),
        ],
    ),
    (
        "compare",
        "What are the governing law and courts under the Quillon, Sturmhagen and Pinecrest contracts?",
        (
            "Quillon: French law, Commercial Court of Paris. Sturmhagen: German law, Hamburg. Pinecrest: New York law, "
            "courts in Erie County."
        ),
        [
            (QUILLON, "The agreement is governed by French law."),
            (
                STURMHAGEN,
                (
                    "German law applies, with the exception of the United Nations Convention on Contracts for the "
                    "International Sale of Goods. The place of jurisdiction is Hamburg."
                ),
            ),
            (PINECREST, "This Agreement is governed by the laws of the State of New York"),
        ],
    ),
    (
        "compare",
        "How do the renewal clauses of Halden, Noordvlam and Quillon differ?",
        (
            "Halden: renews for 12 months each time, 90 days' notice. Noordvlam: once for 12 months, 120 days' notice. "
            "Quillon: tacitly for one year each time, six months' notice by registered letter."
        ),
        [
            (HALDEN, "this Agreement renews automatically for successive periods of twelve (12) months"),
            (
                NOORDVLAM,
                (
                    "If neither party has given notice at least one hundred and twenty (120) days before that date, it is "
                    "renewed once for twelve (12) months"
                ),
            ),
            (
                QUILLON,
                (
                    "shall say so by registered letter with acknowledgement of receipt at least six (6) months before the "
                    "end of the current period."
                ),
            ),
        ],
    ),
    (
        "compare",
        "Compare the deadlines for reporting data breaches in the Halden, Corrib Table and Sturmhagen contracts.",
        "Corrib Table: 12 hours. Halden: 24 hours. Sturmhagen: 36 hours.",
        [
            (HALDEN, "in any event within twenty-four (24) hours after becoming aware of it"),
            (CORRIB, "tells it of a breach within twelve (12) hours."),
            (STURMHAGEN, "within thirty-six (36) hours after it has become known."),
        ],
    ),
    (
        "compare",
        "How much notice do we need to end the Brightmoor, Pinecrest and Corrib Table contracts without a reason?",
        (
            "Brightmoor: six months. Pinecrest: 120 days, with a charge in the initial term. Corrib Table: four months, "
            "not before 31 December 2025."
        ),
        [
            (
                BRIGHTMOOR,
                (
                    "The Client may end the contract at any time without giving a reason on not less than six (6) "
                    "months' written notice."
                ),
            ),
            (
                PINECREST,
                "Customer may terminate for convenience upon one hundred twenty (120) days' written notice",
            ),
            (
                CORRIB,
                (
                    "Either party may terminate the Agreement on four (4) months' written notice, which may not expire "
                    "before 31 December 2025."
                ),
            ),
        ],
    ),
]

AMENDED: list[Question] = [
    (
        "amended",
        "How many days do we currently have to pay an invoice from Halden Cloud?",
        (
            "Forty-five (45) days from receipt at the shared service centre, since Amendment No. 1 replaced clause 9.2 "
            "with effect from 1 July 2025. The original term was thirty (30) days."
        ),
        [(HALDEN_1, HALDEN_PAYMENT_NEW), (HALDEN, HALDEN_PAYMENT_OLD)],
    ),
    (
        "amended",
        "What is Halden Cloud's liability cap today?",
        (
            "The greater of EUR 3,000,000 and 150% of the charges of the preceding twelve months (Amendment No. 1, "
            "clause 3.1). The original cap was 100% of those charges."
        ),
        [
            (
                HALDEN_1,
                (
                    "shall not exceed the greater of EUR 3,000,000 and one hundred and fifty per cent. (150%) of the "
                    "Charges paid and payable in the twelve (12) months before the event giving rise to the claim."
                ),
            ),
            (
                HALDEN,
                (
                    "shall not exceed one hundred per cent. (100%) of the Charges paid and payable in the twelve (12) "
                    "months before the event giving rise to the claim."
                ),
            ),
        ],
    ),
    (
        "amended",
        "What are the payment terms with Pinecrest for an invoice dated November 2025?",
        (
            "Net thirty (30) days from the date of the invoice under Amendment No. 2 (1% off within ten days); before "
            "1 October 2025 it was net forty-five (45) days."
        ),
        [
            (PINECREST_2, "Undisputed amounts are due net thirty (30) days from the date of the invoice."),
            (PINECREST, "Undisputed amounts are due net forty-five (45) days from the date of the invoice."),
        ],
    ),
    (
        "amended",
        "Has the liability cap in the Pinecrest agreement changed, and to what?",
        (
            "Yes. Amendment No. 2 replaced the lesser of twelve months' fees and $750,000 by the greater of twelve "
            "months' fees and $1,200,000."
        ),
        [
            (PINECREST_2, "THE GREATER OF THE FEES PAID IN THE TWELVE MONTHS PRECEDING THE CLAIM AND $1,200,000"),
            (PINECREST, "THE LESSER OF THE FEES PAID IN THE TWELVE MONTHS PRECEDING THE CLAIM AND $750,000."),
        ],
    ),
]

TABLES: list[Question] = [
    (
        "table",
        "What does a single-use pressure transducer cost in the Veltrano price list, and in what unit is it sold?",
        "EUR 164.00 for a box of 10 (code VT-3070).",
        [(VELTRANO, "VT-3070 Pressure transducer, single use IIb box of 10 164.00")],
    ),
    (
        "table",
        "What yearly consumption does the Noordvlam agreement expect at Amersfoort?",
        "5,600 MWh.",
        [(NOORDVLAM, "Amersfoort 871687120000445518 10 kV 1,600 1,490 1,270 1,355 1,485 5,600")],
    ),
    (
        "figure",
        "What would 30 additional hours of a Brightmoor cleaning operative on a Sunday cost, before VAT?",
        "\u00a3702.00 (30 hours at \u00a323.40).",
        [(BRIGHTMOOR, "Cleaning operative \u00a317.85 \u00a323.40")],
    ),
]

OPEN: list[Question] = [
    (
        "absent",
        "What price per kilogram do we pay for laundry, and to which supplier?",
        "The documents hold no laundry contract and no such price.",
        [],
    ),
    (
        "absent",
        "By how much must Veltrano cut its carbon emissions each year under our agreement?",
        "The Veltrano agreement sets no target for carbon emissions.",
        [],
    ),
    (
        "vague",
        "What about the terms?",
        "A question back: which terms (payment, liability, renewal, service levels) and which suppliers?",
        [],
    ),
]

WIDER: list[Question] = [*COMPARE, *AMENDED, *TABLES, *OPEN]
