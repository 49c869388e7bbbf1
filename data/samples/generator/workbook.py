"""The price list workbook: several sheets, formulas with cached values, a merged header, a hidden sheet and row."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.worksheet import Worksheet

from .catalogue import AUTHOR
from .office import STAMP, repack

EURO = '#,##0.00\\ "\u20ac"'
EURO_ACCOUNTING = "_-* #,##0.00\\ [$\u20ac-407]_-;\\-* #,##0.00\\ [$\u20ac-407]_-"
PERCENT = "0.0%"
NUMBER = "#,##0"
HEAD = PatternFill("solid", fgColor="17365D")

DEVICES = (
    ("VT-1010", "Volumetric infusion pump Aqualis 3", 1845.0, 160),
    ("VT-1020", "Syringe driver Aqualis S", 1390.0, 90),
    ("VT-1030", "Docking station, six places", 2780.0, 24),
    ("VT-2010", "Bedside monitor Corvena 12 inch", 4150.0, 52),
    ("VT-2020", "Transport monitor Corvena T", 3685.0, 12),
    ("VT-2041", "Module, capnography", 2340.0, 18),
    ("VT-3010", "Infusion set, standard (box of 100)", 138.0, 2400),
    ("VT-3040", "Needle-free connector (box of 100)", 152.0, 1150),
    ("VT-3070", "Pressure transducer, single use (box of 10)", 164.0, 310),
)
DISCOUNTED = ("VT-1", "VT-2")  # Equipment; consumables carry no discount
RECURRING = (
    ("Halden Cloud", "Production environment, large hospital", "month", 18400.0, 36),
    ("Halden Cloud", "Production environment, standard hospital", "month", 9750.0, 132),
    ("Halden Cloud", "Test or training environment", "month", 2310.0, 60),
    ("Sturmhagen Logistik", "Storage at 2 to 8 \u00b0C", "pallet and month", 21.4, 5200),
    ("Sturmhagen Logistik", "Scheduled delivery, first roll container", "stop", 38.5, 10150),
    ("Corrib Table Catering", "Patient Day, standard menu", "day", 28.4, 78200),
    ("Corrib Table Catering", "Patient Day, Special Diet", "day", 31.9, 21400),
    ("Quillon Software", "Licence, up to 6,500 named users", "year", 312000.0, 1),
    ("Quillon Software", "Maintenance", "year", 56160.0, 1),
)
ENERGY = (
    ("Q1", 5765, 0.46),
    ("Q2", 4885, 0.49),
    ("Q3", 5200, 0.49),
    ("Q4", 5750, 0.46),
)
PEAK, OFF_PEAK = 91.4, 78.25
EXPECTED_RISE = 0.028


@dataclass
class Sheet:
    """A worksheet and the values of its formulas."""

    sheet: Worksheet
    values: dict[str, float] = field(default_factory=dict)

    def put(self, cell: str, content: object, form: str | None = None, value: float | None = None) -> None:
        """Write a constant, or a formula together with the value it has."""
        self.sheet[cell] = content
        if form:
            self.sheet[cell].number_format = form
        if value is not None:
            self.values[cell] = round(value, 6)

    def title(self, text: str, last: str) -> None:
        """A title merged over the width of the table."""
        self.sheet.merge_cells(f"A1:{last}1")
        self.put("A1", text)
        self.sheet["A1"].font = Font(bold=True, size=14)
        self.sheet["A1"].alignment = Alignment(horizontal="center")

    def header(self, row: int, names: Sequence[str], widths: Sequence[float]) -> None:
        """The header row and the widths of the columns."""
        for column, (name, width) in enumerate(zip(names, widths, strict=True), 1):
            cell = self.sheet.cell(row=row, column=column, value=name)
            cell.font = Font(bold=True, color="FFFFFF")
            cell.fill = HEAD
            cell.alignment = Alignment(wrap_text=True, vertical="center")
            self.sheet.column_dimensions[cell.column_letter].width = width
        self.sheet.freeze_panes = f"A{row + 1}"

    def total(self, row: int, column: str, formula: str, value: float) -> None:
        """A total in bold."""
        self.put(f"A{row}", "Total")
        self.put(f"{column}{row}", formula, EURO_ACCOUNTING, value)
        for cell in (f"A{row}", f"{column}{row}"):
            self.sheet[cell].font = Font(bold=True)


def _assumptions(page: Sheet) -> None:
    page.title("Assumptions for the 2025 budget (internal)", "B")
    page.header(2, ("Assumption", "Value"), (46, 14))
    page.put("A3", "Discount on equipment, Veltrano, from 150 pieces")
    page.put("B3", 0.07, PERCENT)
    page.put("A4", "Discount on equipment, Veltrano, from 50 pieces")
    page.put("B4", 0.04, PERCENT)
    page.put("A5", "Expected rise of prices in 2026")
    page.put("B5", EXPECTED_RISE, PERCENT)
    page.sheet.sheet_state = "hidden"


def _devices(page: Sheet) -> float:
    page.title("Veltrano Dispositivi Medici: devices and consumables", "F")
    page.header(2, ("Code", "Product", "Price", "Quantity 2025", "Discount", "Amount"), (11, 46, 14, 12, 11, 18))
    total = 0.0
    for row, (code, product, price, quantity) in enumerate(DEVICES, 3):
        equipment = code.startswith(DISCOUNTED)
        discount = (0.07 if quantity >= 150 else 0.04 if quantity >= 50 else 0.0) if equipment else 0.0
        page.put(f"A{row}", code)
        page.put(f"B{row}", product)
        page.put(f"C{row}", price, EURO)
        page.put(f"D{row}", quantity, NUMBER)
        formula = f"=IF(D{row}>=150,Assumptions!$B$3,IF(D{row}>=50,Assumptions!$B$4,0))" if equipment else 0
        page.put(f"E{row}", formula, PERCENT, discount if equipment else None)
        amount = round(price * quantity * (1 - discount), 2)
        page.put(f"F{row}", f"=ROUND(C{row}*D{row}*(1-E{row}),2)", EURO_ACCOUNTING, amount)
        total += amount
    last = len(DEVICES) + 2
    page.total(last + 1, "F", f"=SUM(F3:F{last})", total)
    return total


def _recurring(page: Sheet) -> float:
    page.title("Recurring services in euro", "F")
    page.header(2, ("Supplier", "Service", "Unit", "Price", "Quantity 2025", "Amount"), (24, 42, 17, 14, 12, 18))
    total = 0.0
    for row, (supplier, service, unit, price, quantity) in enumerate(RECURRING, 3):
        for column, text in zip("ABC", (supplier, service, unit), strict=True):
            page.put(f"{column}{row}", text)
        page.put(f"D{row}", price, EURO)
        page.put(f"E{row}", quantity, NUMBER)
        page.put(f"F{row}", f"=D{row}*E{row}", EURO_ACCOUNTING, price * quantity)
        total += price * quantity
    # Training environments are billed to another cost centre: their row is hidden but counted.
    page.sheet.row_dimensions[5].hidden = True
    last = len(RECURRING) + 2
    page.total(last + 1, "F", f"=SUM(F3:F{last})", total)
    return total


def _energy(page: Sheet) -> float:
    page.title("Noordvlam Energie: electricity, expected cost", "E")
    page.header(
        2, ("Quarter", "Consumption MWh", "Peak share", "Average price per MWh", "Amount"), (10, 15, 11, 16, 18)
    )
    page.put("G2", "Peak")
    page.put("H2", PEAK, EURO)
    page.put("G3", "Off-peak")
    page.put("H3", OFF_PEAK, EURO)
    total = 0.0
    for row, (quarter, consumption, share) in enumerate(ENERGY, 3):
        average = share * PEAK + (1 - share) * OFF_PEAK
        page.put(f"A{row}", quarter)
        page.put(f"B{row}", consumption, NUMBER)
        page.put(f"C{row}", share, PERCENT)
        page.put(f"D{row}", f"=C{row}*$H$2+(1-C{row})*$H$3", EURO, average)
        page.put(f"E{row}", f"=B{row}*D{row}", EURO_ACCOUNTING, average * consumption)
        total += average * consumption
    page.total(7, "E", "=SUM(E3:E6)", total)
    return total


def _overview(page: Sheet, devices: float, recurring: float, energy: float) -> None:
    page.title("Tarnbrook Hospitals Group: price list 2025", "C")
    page.header(2, ("Area", "Expected cost 2025", "Expected cost 2026"), (30, 22, 22))
    areas = (
        ("Devices and consumables", "=Devices!F12", devices),
        ("Recurring services", "=Services!F12", recurring),
        ("Electricity", "=Energy!E7", energy),
    )
    for row, (area, formula, value) in enumerate(areas, 3):
        page.put(f"A{row}", area)
        page.put(f"B{row}", formula, EURO_ACCOUNTING, value)
        page.put(f"C{row}", f"=B{row}*(1+Assumptions!$B$5)", EURO_ACCOUNTING, value * (1 + EXPECTED_RISE))
    total = devices + recurring + energy
    page.total(6, "B", "=SUM(B3:B5)", total)
    page.total(6, "C", "=SUM(C3:C5)", total * (1 + EXPECTED_RISE))
    page.put("A8", "Amounts in euro without VAT. Contracts in pounds or dollars are not part of this list.")


def build_workbook() -> bytes:
    """The bytes of the workbook."""
    book = Workbook()
    book.properties.creator = book.properties.lastModifiedBy = AUTHOR
    book.properties.title = "Price list 2025"
    book.properties.created = STAMP
    first = book.active
    first.title = "Overview"
    pages = [Sheet(first)] + [Sheet(book.create_sheet(name)) for name in ("Devices", "Services", "Energy")]
    assumptions = Sheet(book.create_sheet("Assumptions"))
    overview, devices, services, energy = pages
    _assumptions(assumptions)
    _overview(overview, _devices(devices), _recurring(services), _energy(energy))
    buffer = io.BytesIO()
    book.save(buffer)
    cached = {f"xl/worksheets/sheet{number}.xml": page.values for number, page in enumerate(pages, 1)}
    return repack(buffer.getvalue(), cached)
