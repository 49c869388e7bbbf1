"""Pages: labels for people, and the boxes of a passage."""

import pytest

from workbench.domain.pages import Box, Page, Word, boxes_for, page_label


@pytest.mark.req("CITE-6")
@pytest.mark.parametrize(
    ("number", "label", "expected"),
    [(1, None, "p. 1"), (12, "12", "p. 12"), (6, "iv", "p. iv (PDF 6)"), (5, "2", "p. 2 (PDF 5)")],
)
def test_labels_show_the_physical_page_and_another_printed_one(number: int, label: str | None, expected: str) -> None:
    assert page_label(number, label) == expected


@pytest.mark.parametrize(
    ("text", "has_images", "status"), [("words", True, "text"), (" \n", True, "no text"), ("", False, "empty")]
)
@pytest.mark.req("LIB-6")
def test_status_says_how_reading_went(text: str, has_images: bool, status: str) -> None:
    assert Page(number=1, text=text, has_images=has_images).status == status


def page(*words: Word) -> Page:
    return Page(number=1, text="alpha beta gamma delta", words=words)


@pytest.mark.req("CITE-7")
class TestBoxes:
    one_line = page(Word(0, 5, 10, 100, 40, 112), Word(6, 10, 44, 100, 70, 112), Word(11, 16, 74, 100, 110, 112))

    def test_words_of_a_line_are_one_box(self) -> None:
        assert boxes_for(self.one_line, 0, 16) == [Box(10, 100, 110, 112)]

    def test_only_words_that_overlap_count(self) -> None:
        assert boxes_for(self.one_line, 6, 10) == [Box(44, 100, 70, 112)]
        assert boxes_for(self.one_line, 5, 6) == []

    def test_lines_give_a_box_each(self) -> None:
        lines = page(Word(0, 5, 10, 100, 40, 112), Word(6, 10, 10, 114, 36, 126))
        assert boxes_for(lines, 0, 10) == [Box(10, 100, 40, 112), Box(10, 114, 36, 126)]

    def test_columns_stay_apart(self) -> None:
        columns = page(Word(0, 5, 10, 100, 40, 112), Word(6, 10, 300, 100, 330, 112))
        assert len(boxes_for(columns, 0, 10)) == 2

    def test_a_word_split_over_two_lines_is_marked_on_both(self) -> None:
        split = page(Word(0, 3, 180, 100, 200, 112), Word(3, 5, 10, 114, 25, 126))
        assert boxes_for(split, 0, 5) == [Box(180, 100, 200, 112), Box(10, 114, 25, 126)]
