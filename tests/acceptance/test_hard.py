"""A quick part of the hard files, judged as the measurement ``python -m tests.bench hard`` judges them all."""

import os
from pathlib import Path

import pytest

from tests.bench.hard import measured

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.req("LIB-9"),
    pytest.mark.skipif(not os.environ.get("PINCITE_CORPUS"), reason="PINCITE_CORPUS names no outside material"),
]

QUICK = frozenset(
    {
        "docling__csv-too-few-columns.csv", "own__cp1251_russian.csv", "own__bom_semicolon_decimal_comma.csv",
        "poi__SampleDoc.doc", "poi__word2.doc", "poi__table_footnotes.docx", "poi__comment.docx",
        "poi__ExternalEntityInText.docx", "mail__japanese_shift_jis.eml", "unstructured__mime-multipart-digest.eml",
        "unstructured__ideas-page.html", "own__injection_white_text.docx", "poi__cyrillic_message.msg",
        "unstructured__eng_spa_mult.odt", "msoffcrypto-tool__example_password.xlsx", "poi__PasswordProtected.doc",
        "msoffcrypto-tool__xor_password_123456789012345.xls", "own__mixed_text_and_scanned_pages.pdf",
        "own__html_named.pdf", "own__docx_named.pdf", "own__plain_zip_named.xlsx", "own__zero_bytes.csv",
        "tika__russian.cp866.txt", "own__two_cells_far_apart.xlsx", "own__zip_bomb_300MB.xlsx", "poi__sample.xlsb",
        "poi__testEXCEL_95.xls", "own__formulas_without_cached_values.xlsx", "poi__poc-xmlbomb-empty.xlsx",
    }
)  # fmt: skip


def test_every_quick_file_gives_what_it_should() -> None:
    results = list(measured(Path(os.environ["PINCITE_CORPUS"]) / "hard", QUICK))
    assert len(results) == len(QUICK)
    wrong = {each.file: each.problem for each in results if each.problem or each.crash or each.hang or each.silent}
    assert wrong == {}
