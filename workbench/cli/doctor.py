"""``pincite doctor``: what works on this machine, what does not, and how to mend it."""

from typing import Annotated

import typer

from workbench import settings
from workbench.cli import output


def doctor(
    online: Annotated[
        bool, typer.Option("--online", help="Call the configured provider as well, with three small requests.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check models, OCR, office conversion, sandbox, stores and settings, and say how to mend what is missing.

    Nothing is changed. The exit code is 1 where something has to be mended.
    """
    found = settings.load()
    from workbench.doctor import State, examine  # noqa: PLC0415 - what it looks at takes seconds to import

    findings = []
    for each in examine(found, online=online):
        findings.append(each)
        if not json:
            typer.echo(f"{each.state.value:8} {each.check}: {each.found}")
            if each.advice:
                typer.echo(f"         {each.advice}")
    failed = any(each.state is State.FAILED for each in findings)
    if json:
        output.print_json({"ok": not failed, "findings": [each._asdict() for each in findings]})
    if failed:
        raise typer.Exit(1)
