"""The looks of the contracts: fonts, sizes, headers and footers, one look for each supplier's paper."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

SOFT_HYPHEN = "\u00ad"
LIGATURES = {"fi": "\ufb01", "fl": "\ufb02"}  # the two that Bitstream Vera holds

# Where long words of the narrow columns may break. A list, because reportlab's hyphenation needs a library
# and a dictionary whose versions would change the bytes.
BREAKS = """
accept-ance accord-ance addi-tional adminis-trative affili-ates agree-ment appli-cable applic-ation audit-ing
author-ised avail-ability breach-es certi-fied circum-stances com-mence-ment com-mer-cial com-mit-ment com-pens-ation
com-pet-ent com-pon-ents con-di-tions con-fid-en-tial con-fid-en-ti-al-ity con-sequen-tial con-tinu-ity con-tract-ual
cor-rec-tion cor-res-pond-ing cus-tomer dam-ages dele-tion deliv-er-ables deploy-ment determ-ined devel-op-ment
docu-ment-ation dur-ation elec-tronic employ-ees envir-on-ment equi-val-ent estab-lish-ment exclus-ively
exer-cise express-ly func-tion-al-ity gov-ern-ing guar-an-tee imme-di-ately imple-ment-ation indem-nify
inde-pend-ent indir-ect inform-ation infringe-ment install-ation instruc-tions insur-ance intel-lec-tual inter-est
inter-rup-tion judg-ment juris-dic-tion legis-la-tion liab-il-ity licen-see limit-ation main-ten-ance mater-ial
modi-fic-ation neces-sary non-exclus-ive noti-fic-ation oblig-a-tions oper-at-ing origin-al payment per-form-ance
per-son-nel pre-ced-ing pro-ced-ures pro-cessing pro-fes-sional pro-tec-tion pro-vi-sions reas-on-able recog-nised
regis-tered regu-la-tion remed-ies repro-duce require-ments respect-ive respons-ible restric-tion sched-ule
sig-ni-fic-ant soft-ware spe-cific-ation sub-con-tract-ors sub-scrip-tion sub-stan-tial suf-fi-cient sup-plier
sup-ple-ment-ary ter-min-ate ter-min-ation trans-fer-able under-stand-ing val-id-ity war-rant-ies writ-ten
"""
BREAKS_BY_WORD = {word.replace("-", ""): word.replace("-", SOFT_HYPHEN) for word in BREAKS.split()}
WORD = re.compile(r"[A-Za-z]{6,}")


@dataclass(frozen=True)
class Look:
    """How one supplier's paper is set."""

    fonts: tuple[str, str]
    accent: Color
    page: tuple[float, float] = A4
    size: float = 10.5
    justify: bool = True
    cover: str = "classic"
    emblem: str = "circles"
    header: tuple[str, str] = ("", "")
    footer: str = "{label}"
    footer_side: str = "centre"
    inline_numbers: bool = False
    caps: bool = False
    table: str = "grid"
    ligatures: bool = False
    indent: float = 36

    @property
    def body(self) -> str:
        """The name of the text font."""
        return self.fonts[0]

    @property
    def bold(self) -> str:
        """The name of the bold font."""
        return self.fonts[1]

    def plain(self, raw: str) -> str:
        """A text as it is printed: with typographic apostrophes, and with ligatures where the font has them."""
        raw = raw.replace("'", "\u2019")
        if self.ligatures:
            for letters, glyph in LIGATURES.items():
                raw = raw.replace(letters, glyph)
        return raw

    def text(self, raw: str, hyphenate: bool = False) -> str:
        """Reportlab's paragraph markup for a piece of a contract, every character standing for itself."""
        if hyphenate:
            raw = WORD.sub(_with_breaks, raw)
        return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", html.escape(self.plain(raw), quote=False))

    def style(self, name: str, **changes: object) -> ParagraphStyle:
        """A paragraph style derived from the body text of this look."""
        base: dict[str, object] = {
            "fontName": self.body,
            "fontSize": self.size,
            "leading": round(self.size * 1.34, 2),
            "alignment": TA_JUSTIFY if self.justify else TA_LEFT,
            "spaceAfter": 6,
            "allowWidows": 0,
            "allowOrphans": 0,
        }
        return ParagraphStyle(name, **{**base, **changes})

    def heading(self, **changes: object) -> ParagraphStyle:
        """The style of clause headings."""
        wanted: dict[str, object] = {
            "fontName": self.bold,
            "fontSize": self.size + 1,
            "textColor": self.accent,
            "alignment": TA_LEFT,
            "spaceBefore": 10,
            "spaceAfter": 5,
            "keepWithNext": 1,
        }
        return self.style("heading", **{**wanted, **changes})

    def centred(self, size: float, after: float = 8, bold: bool = True) -> ParagraphStyle:
        """The style of titles."""
        font = self.bold if bold else self.body
        changes = {"fontName": font, "fontSize": size, "leading": size * 1.25, "spaceAfter": after}
        return self.style("centred", alignment=TA_CENTER, **changes)


def _with_breaks(match: re.Match[str]) -> str:
    """A word with its break points, in the case it was written in."""
    word = match.group()
    broken = BREAKS_BY_WORD.get(word.lower())
    if broken is None:
        return word
    letters = iter(word)
    return "".join(char if char == SOFT_HYPHEN else next(letters) for char in broken)


def register_fonts() -> None:
    """Make the Bitstream Vera fonts, which come with reportlab, usable by name."""
    for face in VERA:
        pdfmetrics.registerFont(TTFont(face, f"{face}.ttf"))
    pdfmetrics.registerFontFamily("Vera", normal="Vera", bold="VeraBd", italic="Vera", boldItalic="VeraBd")


TIMES = ("Times-Roman", "Times-Bold")
HELVETICA = ("Helvetica", "Helvetica-Bold")
VERA = ("Vera", "VeraBd")

HALDEN = Look(
    fonts=TIMES,
    accent=HexColor("#17365d"),
    table="zebra",
    indent=40,
    header=("Halden Cloud AS / Tarnbrook Hospitals Group plc", "Master Services Agreement HC-MSA-2024-0117"),
)
PINECREST = Look(
    fonts=TIMES,
    accent=HexColor("#000000"),
    page=LETTER,
    size=11,
    justify=False,
    inline_numbers=True,
    caps=True,
    cover="american",
    header=("", "Managed IT Support Agreement"),
    footer="Page {label} of {total}",
)

LOOKS: dict[str, Look] = {
    "halden_cloud_msa_2024": HALDEN,
    "halden_cloud_amendment_1_2025": replace(
        HALDEN,
        header=("Amendment No. 1 to HC-MSA-2024-0117", "Confidential"),
        footer="Page {label} of {total}",
    ),
    "veltrano_devices_supply_agreement_2023": Look(
        fonts=HELVETICA,
        accent=HexColor("#7a1f3d"),
        size=9.5,
        cover="band",
        header=("Veltrano Dispositivi Medici S.p.A.", "Framework Supply Agreement no. 2023/418"),
        footer="Page {label} of {total}",
        footer_side="right",
        table="rules",
        indent=34,
    ),
    "brightmoor_cleaning_services_2024": Look(
        fonts=HELVETICA,
        accent=HexColor("#1f5c4a"),
        size=10,
        justify=False,
        header=("Cleaning and Domestic Services Contract", "BFS/THG/24/006"),
        footer="Page {label}",
        footer_side="right",
        table="zebra",
        indent=38,
    ),
    "sturmhagen_logistics_agreement_2024": Look(
        fonts=TIMES,
        accent=HexColor("#222222"),
        size=10.5,
        cover="band",
        emblem="bars",
        header=("Sturmhagen Logistik GmbH", "Logistics Agreement LV 2024-77"),
        footer="\u2013 {label} \u2013",
        table="grid",
        indent=26,
    ),
    "pinecrest_it_support_agreement_2023": PINECREST,
    "pinecrest_it_support_amendment_2_2025": replace(
        PINECREST,
        header=("", "Amendment No. 2 to Managed IT Support Agreement"),
    ),
    "corrib_table_catering_2025": Look(
        fonts=TIMES,
        accent=HexColor("#4a3b12"),
        size=11,
        header=("Corrib Table Catering Limited", "Catering Services Agreement"),
        footer="{label} / {total}",
        caps=True,
        table="rules",
        indent=36,
    ),
    "noordvlam_energy_supply_2024": Look(
        fonts=VERA,
        accent=HexColor("#b34700"),
        size=8.8,
        justify=False,
        cover="band",
        emblem="triangles",
        header=("Noordvlam Energie B.V.", "Electricity Supply Agreement NE-24-30551"),
        footer="{label}",
        footer_side="right",
        table="zebra",
        ligatures=True,
        indent=34,
    ),
    "quillon_software_licence_2025": Look(
        fonts=HELVETICA,
        accent=HexColor("#2b3a8c"),
        size=9.8,
        cover="classic",
        header=("Quillon Software SAS", "Licence Agreement QS-LIC-2025-0093"),
        footer="{label}/{total}",
        footer_side="right",
        table="grid",
        indent=32,
    ),
}
