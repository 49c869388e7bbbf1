"""The supplier review memo, written before the 2025 amendments: its terms are out of date on purpose."""

from __future__ import annotations

import io

from docx import Document
from docx.shared import Pt

from .catalogue import AUTHOR
from .office import STAMP, repack

HEAD = (
    ("To", "Group executive committee"),
    ("From", "Marcus Oyelaran, Group Procurement Director"),
    ("Date", "12 May 2025"),
    ("Subject", "Review of eight supplier contracts"),
)
SUMMARY = (
    (
        "We reviewed the eight largest supplier contracts of the group. Payment terms range from 14 to 60 days, limits of "
        "liability from EUR 250,000 for an event to twice the annual fee, and four of the eight contracts renew "
        "themselves if nobody gives notice in time."
    ),
    (
        "Two contracts need a decision before the summer: Halden Cloud, where our shared service centre cannot keep to "
        "the agreed 30 days, and Pinecrest, whose limit of liability of $750,000 no longer fits the number of devices."
    ),
)
TERMS = (
    ("Supplier", "Payment", "Limit of liability", "Law"),
    ("Halden Cloud", "30 days from receipt", "100% of the charges of 12 months", "Norway"),
    ("Veltrano", "60 days from end of month", "EUR 2,500,000 a year", "Italy"),
    ("Brightmoor", "30 days from receipt", "GBP 1,000,000 a year", "England and Wales"),
    ("Sturmhagen", "30 days, 2% within 14 days", "EUR 1,250,000 for an event", "Germany"),
    ("Pinecrest", "45 days from invoice date", "12 months' fees, at most $750,000", "New York"),
    ("Corrib Table", "21 days from invoice date", "EUR 500,000 a year", "Ireland"),
    ("Noordvlam", "14 days, direct debit", "EUR 250,000 for an event", "Netherlands"),
    ("Quillon", "45 days end of month", "200% of the annual licence fee", "France"),
)
ACTIONS = (
    "Ask Halden Cloud for 45 days and a higher limit of liability in return for waiving this year's volume discount.",
    "Ask Pinecrest for a limit of liability of at least $1,000,000.",
    "Enter the notice dates of Halden Cloud, Noordvlam, Pinecrest and Quillon in the group calendar.",
    "Obtain the renewed insurance certificate of Brightmoor: the one on file ended on 31 March 2025.",
)


def build_memo() -> bytes:
    """The bytes of the memo."""
    document = Document()
    properties = document.core_properties
    properties.author = properties.last_modified_by = AUTHOR
    properties.title = "Supplier review memo"
    properties.comments = ""
    properties.created = properties.modified = STAMP
    document.styles["Normal"].font.size = Pt(10.5)
    document.add_heading("Memorandum", level=0)
    for label, value in HEAD:
        paragraph = document.add_paragraph()
        paragraph.paragraph_format.space_after = Pt(2)
        paragraph.add_run(f"{label}: ").bold = True
        paragraph.add_run(value)
    document.add_heading("1. Summary", level=1)
    for text in SUMMARY:
        document.add_paragraph(text)
    document.add_heading("2. Terms at the date of this memo", level=1)
    table = document.add_table(rows=0, cols=4, style="Light Grid Accent 1")
    for row in TERMS:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.add_heading("3. Proposed actions", level=1)
    for text in ACTIONS:
        document.add_paragraph(text, style="List Number")
    document.add_heading("4. What we did not review", level=1)
    document.add_paragraph(
        "Laundry, patient transport and interpreting are bought by the hospitals themselves and are not part of this "
        "review. Prices are in the workbook price_list_2025.xlsx."
    )
    buffer = io.BytesIO()
    document.save(buffer)
    return repack(buffer.getvalue())
