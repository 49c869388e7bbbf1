"""What the sample files are: titles, tags, dates, and the difficulties that each of them holds on purpose."""

from __future__ import annotations

from dataclasses import dataclass, field

LICENCE = "CC0-1.0"
AUTHOR = "Pincite contributors"

AGREEMENT, AMENDMENT = "Agreement", "Amendment"


@dataclass(frozen=True)
class Entry:
    """One sample file. ``traps`` maps a difficulty to the physical pages that hold it (none for Office files)."""

    file: str
    title: str
    supplier: str
    kind: str
    region: str
    date: str
    traps: dict[str, list[int]] = field(default_factory=dict)

    def record(self, pages: int | None) -> dict[str, object]:
        """The entry as the manifest states it."""
        return {
            "file": self.file,
            "title": self.title,
            "tags": {"supplier": self.supplier, "document type": self.kind, "region": self.region},
            "date": self.date,
            "language": "en",
            "pages": pages,
            "licence": LICENCE,
            "author": AUTHOR,
            "traps": [{"trap": trap, "pages": where} for trap, where in self.traps.items()],
        }


CATALOGUE = (
    Entry(
        "halden_cloud_msa_2024.pdf",
        "Halden Cloud: Master Services Agreement",
        "Halden Cloud",
        AGREEMENT,
        "Nordics",
        "2024-01-15",
        {
            "page labels": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
            "sentence over a page break": [5, 6],
            "amended clause": [5, 6],
            "same clause number, other value": [5],
        },
    ),
    Entry(
        "halden_cloud_amendment_1_2025.pdf",
        "Halden Cloud: Amendment No. 1",
        "Halden Cloud",
        AMENDMENT,
        "Nordics",
        "2025-06-02",
        {"amending clause": [2]},
    ),
    Entry(
        "veltrano_devices_supply_agreement_2023.pdf",
        "Veltrano: Framework Supply Agreement",
        "Veltrano Dispositivi Medici",
        AGREEMENT,
        "Southern Europe",
        "2023-10-11",
        {"table over a page break": [5, 6]},
    ),
    Entry(
        "brightmoor_cleaning_services_2024.pdf",
        "Brightmoor: Contract for Cleaning and Domestic Services",
        "Brightmoor Facility Services",
        AGREEMENT,
        "UK and Ireland",
        "2024-03-25",
        {"image-only scanned page": [7]},
    ),
    Entry(
        "sturmhagen_logistics_agreement_2024.pdf",
        "Sturmhagen: Logistics Agreement",
        "Sturmhagen Logistik",
        AGREEMENT,
        "Germany",
        "2024-09-03",
        {"paragraph numbers that restart": [2, 3, 4]},
    ),
    Entry(
        "pinecrest_it_support_agreement_2023.pdf",
        "Pinecrest: Managed IT Support Agreement",
        "Pinecrest Technical Services",
        AGREEMENT,
        "North America",
        "2023-03-06",
        {"dollar signs and a placeholder in angle brackets": [3], "amended clause": [3, 4]},
    ),
    Entry(
        "pinecrest_it_support_amendment_2_2025.pdf",
        "Pinecrest: Amendment No. 2",
        "Pinecrest Technical Services",
        AMENDMENT,
        "North America",
        "2025-09-15",
        {"amending clause": [2]},
    ),
    Entry(
        "corrib_table_catering_2025.pdf",
        "Corrib Table: Catering Services Agreement",
        "Corrib Table Catering",
        AGREEMENT,
        "UK and Ireland",
        "2025-02-10",
        {"same clause number, other value": [3]},
    ),
    Entry(
        "noordvlam_energy_supply_2024.pdf",
        "Noordvlam: Electricity Supply Agreement",
        "Noordvlam Energie",
        AGREEMENT,
        "Benelux and France",
        "2024-11-20",
        {"ligatures": [2, 3, 4, 5, 6], "rotated page": [6], "page labels": [6]},
    ),
    Entry(
        "quillon_software_licence_2025.pdf",
        "Quillon Software: Licence and Maintenance Agreement",
        "Quillon Software",
        AGREEMENT,
        "Benelux and France",
        "2025-04-14",
        {"two-column page": [3], "words hyphenated at line ends": [3]},
    ),
    Entry(
        "price_list_2025.xlsx",
        "Price list 2025, all suppliers",
        "All suppliers",
        "Price list",
        "Group",
        "2025-05-05",
        {"formulas with cached values": [], "merged header": [], "hidden sheet": [], "hidden row": []},
    ),
    Entry(
        "supplier_review_memo.docx",
        "Supplier review memo, May 2025",
        "All suppliers",
        "Memo",
        "Group",
        "2025-05-12",
        {"states terms that an amendment changed later": []},
    ),
)
