"""Questions about one document."""

from __future__ import annotations

from .question_types import BRIGHTMOOR, CORRIB, HALDEN, NOORDVLAM, PINECREST, QUILLON, STURMHAGEN, VELTRANO, Question

SINGLE: list[Question] = [
    (
        "single",
        "How long before the end of the term do we have to tell Halden Cloud that we do not want to renew?",
        "At least ninety (90) days before the end of the current period, in writing.",
        [
            (
                HALDEN,
                (
                    "unless either party gives the other written notice of non-renewal at least ninety (90) days "
                    "before the end of the period then running"
                ),
            )
        ],
    ),
    (
        "single",
        "How quickly must Halden Cloud report a personal data breach to us?",
        "Without undue delay, at the latest twenty-four (24) hours after becoming aware of it.",
        [
            (
                HALDEN,
                (
                    "The Supplier shall notify the Customer of a personal data breach without undue delay and in any "
                    "event within twenty-four (24) hours after becoming aware of it"
                ),
            )
        ],
    ),
    (
        "single",
        "May Halden Cloud switch off the services if we pay late?",
        (
            "Only if an undisputed amount has been overdue for more than sixty (60) days and two written reminders "
            "have been sent."
        ),
        [
            (HALDEN, "from the due date until payment. The Supplier may not"),
            (
                HALDEN,
                (
                    "suspend the Services for late payment unless an undisputed amount has been overdue for more than "
                    "sixty (60) days and two written reminders have been sent."
                ),
            ),
        ],
    ),
    (
        "single",
        "When do we have to pay invoices from Veltrano?",
        "Within sixty (60) days from the end of the month in which the invoice is received.",
        [
            (
                VELTRANO,
                (
                    "Payment shall be made by bank transfer within sixty (60) days from the end of the month in which "
                    "the invoice is received."
                ),
            )
        ],
    ),
    (
        "single",
        "What penalty can we apply when Veltrano delivers late?",
        "0.5% of the value of the delayed products for each working day, up to 10%.",
        [
            (
                VELTRANO,
                (
                    "For each working day of delay the Buyer may apply a penalty of 0.5% of the value of the delayed "
                    "Products, up to a maximum of 10%."
                ),
            )
        ],
    ),
    (
        "single",
        "How fast does Veltrano have to provide a replacement pump if it cannot be repaired on site?",
        "Within forty-eight (48) hours.",
        [
            (
                VELTRANO,
                "the Seller shall supply an equivalent replacement device within forty-eight (48) hours",
            )
        ],
    ),
    (
        "single",
        "Can the Brightmoor cleaning contract be extended, and with how much notice?",
        "Yes, by the client alone, twice by twelve (12) months, with at least three (3) months' written notice.",
        [
            (
                BRIGHTMOOR,
                (
                    "The Client alone may extend the contract twice, each time by twelve (12) months, by giving the "
                    "Contractor not less than three (3) months' written notice"
                ),
            )
        ],
    ),
    (
        "single",
        "What may we deduct if the average cleaning score of a Brightmoor site falls below 90 per cent?",
        "Five per cent. (5%) of the monthly fee for that site (ten per cent. below 85 per cent.).",
        [(BRIGHTMOOR, "below 90 per cent., five per cent. (5%); and below 85 per cent., ten per cent. (10%).")],
    ),
    (
        "single",
        "Within what time must Brightmoor do a terminal clean after an isolation patient leaves?",
        "Within ninety (90) minutes of the call.",
        [(BRIGHTMOOR, "shall complete a terminal clean within ninety (90) minutes of the call")],
    ),
    (
        "single",
        "What is the limit of Brightmoor's employers' liability insurance according to the certificate?",
        "GBP 15,000,000 any one occurrence.",
        [(BRIGHTMOOR, "Employers' liability GBP 15,000,000 any one occurrence", "scan")],
    ),
    (
        "single",
        "Is there a discount if we pay Sturmhagen early?",
        (
            "Yes, two per cent. (2%) of the net amount if paid within fourteen (14) days after receipt; otherwise "
            "invoices are due after thirty (30) days."
        ),
        [
            (
                STURMHAGEN,
                (
                    "If the Principal pays within fourteen (14) days after receipt, it may deduct a discount of two "
                    "per cent. (2%) from the net amount."
                ),
            )
        ],
    ),
    (
        "single",
        "How much is Sturmhagen liable for when goods are damaged in the warehouse?",
        "EUR 35,000 for each event (EUR 70,000 a year for differences found at a stocktaking).",
        [
            (
                STURMHAGEN,
                "For loss of or damage to goods in storage the liability is limited to EUR 35,000 for each event.",
            )
        ],
    ),
    (
        "single",
        "What purchase order format must Pinecrest put on its invoices?",
        "<Customer Reference>-<Site Code>-<Month>, for example THI-BUF1-2023-04.",
        [
            (
                PINECREST,
                (
                    "Each invoice must carry the purchase order number in the form <Customer Reference>-<Site "
                    "Code>-<Month>, for example THI-BUF1-2023-04."
                ),
            )
        ],
    ),
    (
        "single",
        "How fast must Pinecrest respond to a Severity 1 incident?",
        "Within fifteen (15) minutes, in at least 95% of all incidents in a month.",
        [(PINECREST, "Provider shall respond to Severity 1 incidents within fifteen (15) minutes")],
    ),
    (
        "single",
        "What would it cost us to leave the Pinecrest contract early without cause?",
        "120 days' notice and a charge of two (2) monthly fixed fees during the initial term; nothing after it.",
        [
            (
                PINECREST,
                "payment of an early termination charge equal to two (2) monthly fixed Fees during the initial term",
            )
        ],
    ),
    (
        "single",
        "Under clause 9.2 of the Corrib Table agreement, how many days do we have to pay?",
        "Twenty-one (21) days from the invoice date.",
        [
            (
                CORRIB,
                (
                    "The Hospital shall pay each correct invoice within twenty-one (21) days of the invoice date, by "
                    "credit transfer."
                ),
            )
        ],
    ),
    (
        "single",
        "What core temperature must hot food from Corrib Table have?",
        "At least 63 degrees Celsius when it is handed to the patient.",
        [(CORRIB, "Hot food must have a core temperature of at least 63 degrees Celsius")],
    ),
    (
        "single",
        "What is Corrib Table's liability cap?",
        "EUR 500,000 in aggregate in a year of the agreement, with exceptions.",
        [
            (
                CORRIB,
                (
                    "In all other cases the liability of the Caterer in a year of the Agreement is limited to "
                    "EUR 500,000 in aggregate."
                ),
            )
        ],
    ),
    (
        "single",
        "What price do we pay Noordvlam for peak electricity?",
        "EUR 91.40 per MWh in peak hours (EUR 78.25 off-peak), before energy tax, grid fees and VAT.",
        [(NOORDVLAM, "the fixed price is EUR 91.40 per MWh for Peak hours and EUR 78.25 per MWh for Off-peak hours.")],
    ),
    (
        "single",
        "What happens if our consumption is well below the contract volume with Noordvlam?",
        (
            "Below 85% the shortfall is settled at the average day-ahead price and we bear the difference where that "
            "is lower than the fixed price."
        ),
        [
            (
                NOORDVLAM,
                (
                    "If the consumption in a calendar year is below 85% of the Contract Volume, the Supplier settles the "
                    "shortfall at the average day-ahead price"
                ),
            )
        ],
    ),
    (
        "single",
        "What does Noordvlam pay us for a missing Guarantee of Origin?",
        "EUR 9.50 for each one missing on 31 March of the following year.",
        [
            (
                NOORDVLAM,
                (
                    "For every Guarantee of Origin that is missing on that date the Supplier pays EUR 9.50 to the "
                    "Offtaker."
                ),
            )
        ],
    ),
    (
        "single",
        "When can we get access to Quillon's source code?",
        (
            "If Quillon ceases operations, is placed in judicial liquidation, or stops maintenance for more than "
            "ninety (90) consecutive days."
        ),
        [
            (
                QUILLON,
                (
                    "The Licensee may obtain access to the deposit if the Licensor ceases its operations, is placed in "
                    "judicial liquidation, or ceases to provide maintenance for more than ninety (90) consecutive days."
                ),
            )
        ],
    ),
    (
        "single",
        "Which Quillon errors are not covered by maintenance?",
        (
            "Errors from our own modifications, from use in an undocumented environment, or from not installing a "
            "correction within six (6) months."
        ),
        [
            (
                QUILLON,
                (
                    "Maintenance does not cover errors resulting from a modification made by the Licensee, from the use "
                    "of the Software in an environment other than the one described in the documentation"
                ),
            )
        ],
    ),
    (
        "single",
        "How is Quillon's liability limited?",
        "To two hundred per cent. (200%) of the annual licence fee for each contractual year.",
        [
            (
                QUILLON,
                "the liability of the Licensor is limited to two hundred per cent. (200%) of the annual licence fee.",
            )
        ],
    ),
]
