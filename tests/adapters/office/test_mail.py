"""Mail: who, when, what, and the names of what is attached."""

from email.message import EmailMessage

import pytest

from workbench.adapters.office.mail import EmailConverter
from workbench.domain.errors import EmptyFile

pytestmark = pytest.mark.req("LIB-6")


def message(**parts: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ada <ada@example.org>", "bo@example.org", "Fee für Halden"
    mail["Date"] = "Mon, 03 Mar 2025 10:00:00 +0000"
    mail.set_content(parts.get("text", "The fee is 10 EUR.\n\nBest, Ada"))
    if "html" in parts:
        mail.add_alternative(parts["html"], subtype="html")
    return mail


def flow(mail: EmailMessage):
    return EmailConverter().convert(mail.as_bytes(), "a.eml")


def test_headers_and_text_are_read() -> None:
    found = flow(message())
    text = "".join(found.sections[0])
    assert found.title == "Fee für Halden"
    assert "Ada &lt;ada@example.org&gt;" in text
    assert "<p>The fee is 10 EUR.</p><p>Best, Ada</p>" in text


def test_the_same_text_in_two_forms_is_read_once() -> None:
    found = "".join(flow(message(html="<p>The fee is 10 EUR.</p>")).sections[0])
    assert found.count("The fee is 10 EUR.") == 1


def test_attachments_are_named_as_not_read() -> None:
    mail = message()
    mail.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="offer.pdf")
    found = flow(mail)
    assert "Attachments (not read): offer.pdf" in "".join(found.sections[0])
    assert any("offer.pdf" in note for note in found.notes)


def test_html_alone_is_read_as_text_without_scripts() -> None:
    mail = EmailMessage()
    mail["Subject"] = "x"
    mail.set_content("<p>Only <b>here</b></p><script>no</script>", subtype="html")
    text = "".join(flow(mail).sections[0])
    assert "Only <b>here</b>" in text
    assert "no</script>" not in text


def test_a_message_within_a_message_is_read() -> None:
    mail = message()
    mail.add_attachment(message(text="Inner terms"))
    assert "Inner terms" in "".join(flow(mail).sections[0])


def test_an_empty_message_is_refused() -> None:
    with pytest.raises(EmptyFile):
        EmailConverter().convert(b"\n \n", "a.eml")
