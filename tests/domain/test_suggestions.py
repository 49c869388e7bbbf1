"""What the rules read out of names and first pages, and what they leave open."""

import pytest

from workbench.domain.document_dates import dated
from workbench.domain.kinds import kind
from workbench.domain.openings import Opening, Place, Source
from workbench.domain.parties import supplier, trade_name
from workbench.domain.regions import region
from workbench.domain.suggestions import suggest

COVER = """Dated 4 May 2022

MASTER HOSTING AGREEMENT

Orlund Data AS

(the Supplier) and

Fernhill Clinics plc

(the Customer)"""


def opening(*pages: str, name: str = "scan 17.pdf", title: str = "", laws: tuple[str, ...] = ()) -> Opening:
    return Opening(
        name,
        title,
        tuple(Place(number, text) for number, text in enumerate(pages, 1)),
        tuple(Place(9, text) for text in laws),
    )


def value(found: object) -> str | None:
    return None if found is None else found.value


def test_a_cover_gives_all_four_with_the_words_they_rest_on() -> None:
    found = {
        each.key: each
        for each in suggest(opening(COVER, laws=("17.1 This Agreement is governed by the laws of Norway.",)), {})
    }
    assert {key: each.value for key, each in found.items()} == {
        "supplier": "Orlund Data",
        "document type": "Hosting agreement",
        "region": "Nordics",
        "date": "2022-05-04",
    }
    assert (found["date"].quote, found["date"].page) == ("Dated 4 May 2022", 1)
    assert found["document type"].quote == "MASTER HOSTING AGREEMENT"
    assert found["supplier"].quote.startswith("Orlund Data AS (the Supplier)")
    assert (found["region"].page, "laws of Norway" in found["region"].quote) == (9, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("between Fernhill Clinics plc (the “Client”) and Brask Cleaning Ltd (“Brask”)", "Brask Cleaning"),
        ('by and between Tova Corp. ("Tova"), a Texas corporation, and Lumen Shops ("Reseller")', "Tova"),
        ("Supplier\tKarsen Energi B.V., Utrecht\nOfftaker\tFernhill", "Karsen Energi"),
        ("Licensor: QUAY SOFTWARE, INC.", "Quay Software"),
        ("between DOT LLC (the Developer), and (Client) Pine Inc. for software", "DOT"),
        # Nothing says which of the two supplies the other.
        ('between Arden Inc. ("Arden") and Sorrel Inc. ("Sorrel")', None),
        ("a Delaware limited liability company (“Seller”)", None),
        # The head of a table is not a supplier.
        ("Supplier\tPayment\tLaw", None),
        ("no parties here", None),
    ],
)
def test_the_supplier_is_the_party_that_is_called_so_or_that_remains(text: str, expected: str | None) -> None:
    assert value(supplier(opening(text))) == expected


def test_of_two_equal_parties_a_known_supplier_or_the_one_in_the_file_name_is_taken() -> None:
    text = 'between Arden Group Inc. ("Arden") and Sorrel Foods Inc. ("Sorrel")'
    assert value(supplier(opening(text), ["sorrel foods"])) == "sorrel foods"
    assert value(supplier(opening(text, name="ArdenGroup_2021.pdf"))) == "Arden Group"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("PINE & ROWAN SERVICES, INC.", "Pine & Rowan Services"),
        ("Karsen Energi B.V.", "Karsen Energi"),
        ("Dong-Ho Co., Ltd.", "Dong-Ho"),
        ("IBM", "IBM"),
        ("BANK OF THE WEST LIMITED", "Bank of the West"),
    ],
)
def test_a_trade_name_has_no_legal_form_and_no_shouting(name: str, expected: str) -> None:
    assert trade_name(name) == expected


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("RESELLER AGREEMENT", "Reseller agreement"),
        ("Software Licence and Maintenance Agreement", "Licence agreement"),
        ("Transportation Services Agreement", "Transportation agreement"),
        ("Contract for Cleaning and Domestic Services", "Cleaning agreement"),
        ("AMENDMENT NO. 3\nto the Hosting Agreement of 2 May 2020", "Amendment"),
        ("Framework Agreement", "Agreement"),
        ("Rechnung Nr. 4711", "Invoice"),
        ("Price list 2024", "Price list"),
        ("Minutes of the board", "Minutes"),
        ("We report here that the agreement was never signed by any of the four parties to it", None),
        ("Notes", None),
    ],
)
def test_the_kind_is_read_from_a_heading(heading: str, expected: str | None) -> None:
    assert value(kind(opening(heading))) == expected


def test_the_kind_falls_back_to_the_title_and_the_file_name_and_says_so() -> None:
    by_title = kind(opening("Hello", title="Supply Agreement"))
    by_name = kind(opening("Hello", name="Acme_PriceList_2025.xlsx"))
    assert by_title is not None
    assert (by_title.value, by_title.source) == ("Supply agreement", Source.TITLE)
    assert by_name is not None
    assert (by_name.value, by_name.source, by_name.page) == ("Price list", Source.NAME, None)
    assert value(kind(opening("Dear all", name="re fees.eml"))) == "E-mail"


def test_a_wider_kind_or_region_in_use_is_preferred() -> None:
    assert value(kind(opening("HOSTING AGREEMENT"), ["Contract", "Memo"])) == "Contract"
    german = opening("", laws=("(2) German law applies.",))
    assert value(region(german)) == "Germany"
    assert value(region(german, ["DACH"])) == "DACH"


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("governed by the law of England and Wales", "UK and Ireland"),
        ("GOVERNING LAW The laws of the State of New York govern all matters", "North America"),
        ("construed in accordance with the laws of the Province of Ontario", "North America"),
        ("Governing law. This Agreement is governed by French law", "Benelux and France"),
        # The place of a company is not the law of the contract.
        ("Orlund AS, a company incorporated under the laws of Norway", None),
        ("governed by the terms set out in Exhibit A. Norway is lovely", None),
        ("Use is governed by Section 5 of the Spanish manual", None),
    ],
)
def test_the_region_is_that_of_the_governing_law(clause: str, expected: str | None) -> None:
    assert value(region(opening("", laws=(clause,)))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Effective as of March 6, 2021", "2021-03-06"),
        ("made as of the 30th day of June 1999", "1999-06-30"),
        ('is entered into on 2 May 2020 and effective 1 June 2020 (the "Effective Date")', "2020-06-01"),
        ("Date\t20 November 2019", "2019-11-20"),
        ("Datum: 03.09.2018", "2018-09-03"),
        ("a request dated June 17th, 2001 led to this, entered into on January 21st, 2002", "2002-01-21"),
        ("this ___ day of ______, 2004", None),
        ("Dated 31 February 2020", None),
        ("Dated 03/04/2020", None),
    ],
)
def test_the_date_is_that_of_effect_or_of_making(text: str, expected: str | None) -> None:
    assert value(dated(opening(text))) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("orlund_2024-03-09.pdf", "2024-03-09"),
        ("20240309 minutes.docx", "2024-03-09"),
        ("Protokoll 9.3.2024.docx", "2024-03-09"),
        ("orlund_2024.pdf", None),
        ("part 20249999.pdf", None),
        ("120240309.pdf", None),
    ],
)
def test_without_a_date_in_the_text_the_file_name_counts(name: str, expected: str | None) -> None:
    found = dated(opening("", name=name))
    assert value(found) == expected
    assert found is None or found.source is Source.NAME
