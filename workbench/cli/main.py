"""``pincite``: run the app, ingest, search and ask from a shell.

Exit codes: 0 done, 1 a problem that the message names (some files failed, nothing found to work on), 2 wrong usage.
"""

import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

import workbench
from workbench import bootstrap, settings
from workbench.cli import evaluation, mcp, output
from workbench.cli.doctor import doctor
from workbench.cli.opened import opened as _workbench
from workbench.domain.budgets import Profile
from workbench.domain.documents import DocumentState
from workbench.domain.errors import NotFound, PinciteError
from workbench.domain.gaps import GapOrigin
from workbench.domain.ids import ConversationId
from workbench.domain.results import TurnStatus
from workbench.domain.scope import Filters
from workbench.domain.tags import Tag, parse_tag
from workbench.services.export import ExportFormat
from workbench.services.ingestion.jobs import Upload
from workbench.services.passages.query import PassageQuery
from workbench.services.turn_values import turn_values

app = typer.Typer(help="Pincite: every claim opens the page it came from.", no_args_is_help=True, add_completion=False)
export_app = typer.Typer(help="Export what is stored.", no_args_is_help=True)
app.add_typer(export_app, name="export")
app.add_typer(evaluation.app, name="eval")
app.add_typer(mcp.app, name="mcp")
app.command()(doctor)

Container = Annotated[str, typer.Option("--container", "-c", help="The container by name.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="A tag as key=value; repeat for more.")]


@app.command()
def run(
    port: Annotated[int, typer.Option(help="The port of the app.")] = 8501,
    address: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
) -> None:
    """Start the app and keep it running until it is interrupted."""
    script = Path(workbench.__file__).resolve().parent.parent / "app.py"
    if not script.is_file():
        raise NotFound(f"The app's file {script.name} is not beside the package.", "Run from a checkout.")
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += ["--server.port", str(port), "--server.address", address]
    raise typer.Exit(subprocess.call(command, cwd=script.parent))  # noqa: S603 - our own interpreter and script


@app.command()
def ingest(
    files: Annotated[list[Path], typer.Argument(help="Files to read.", exists=True, dir_okay=False, readable=True)],
    container: Container,
    tag: Tags = None,
    json: Json = False,
) -> None:
    """Read files into a container, which is made if it does not exist, and wait until they are searchable."""
    tags = tuple(parse_tag(text) for text in tag or ())
    with _workbench() as (bench, access):
        home = bench.library.ensure_container(access, container)
        member = bench.library.access(access.user_id)
        uploads = [Upload(path.name, path.read_bytes(), tags) for path in files]
        outcomes = bench.ingestion.submit(member, home.id, uploads)
        bench.ingestion.wait([outcome.document_id for outcome in outcomes if outcome.document_id])
        rows = [
            output.document_values(bench.library.document(member, outcome.document_id))
            if outcome.document_id
            else {"name": outcome.name, "state": "failed", "error": outcome.error}
            for outcome in outcomes
        ]
    if json:
        output.print_json({"container": container, "documents": rows})
    else:
        for row in rows:
            typer.echo(f"{row['state']:8} {row['name']}" + (f"  {row['error']}" if row["error"] else ""))
    if any(row["state"] != DocumentState.READY.value for row in rows):
        raise typer.Exit(1)


@app.command()
def search(
    query: str,
    container: Container,
    tag: Tags = None,
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many passages at most.")] = 8,
    json: Json = False,
) -> None:
    """Search a container without any model and print the passages, best first."""
    with _workbench() as (bench, access):
        chosen = (bench.library.container_named(access, container).id,)
        asked = PassageQuery(text=query, containers=chosen, filters=_filters(tag), page_size=limit)
        found = bench.passages.find(access, asked, GapOrigin.COMMAND_LINE)
    if json:
        output.print_json(output.search_values(found))
        return
    for line in (*found.notes, *(suggestion.text for suggestion in found.suggestions)):
        typer.echo(line)
    for passage in found.passages:
        typer.echo(f"{passage.score:.2f}  {passage.document.name}, {passage.pages}\n      {passage.excerpt}")


@app.command()
def ask(
    question: str,
    container: Container,
    tag: Tags = None,
    profile: Annotated[Profile, typer.Option(help="How much effort the turn may take.")] = Profile.QUICK,
    conversation: Annotated[str | None, typer.Option(help="Go on with this conversation, by id.")] = None,
    json: Json = False,
) -> None:
    """Ask a question about the documents of a container and print the answer with its sources."""
    with _workbench() as (bench, access):
        chosen = [bench.library.container_named(access, container).id]
        if conversation is None:
            talk = bench.conversations.create(access, chosen, _filters(tag), profile)
        else:
            talk = bench.conversations.choose(access, ConversationId(conversation), chosen, _filters(tag), profile)
        turn = bench.turns.wait(access, bench.turns.ask(access, talk.id, question).id)
        events = bench.turns.events(access, turn.id)
    if json:
        output.print_json(turn_values(turn, events))
    else:
        typer.echo(turn.answer.text)
        if turn.reason:
            typer.echo(f"\n[{turn.status.value}] {turn.reason} {turn.advice}")
        for citation in turn.answer.citations:
            typer.echo(f"  [{citation.number}] {citation.label}: {' '.join(citation.quote.split())}")
    if turn.status not in (TurnStatus.ANSWERED, TurnStatus.PARTIAL):
        raise typer.Exit(1)


@app.command()
def conversations(
    search: Annotated[str, typer.Option(help="Only those in which all of these words stand.")] = "",
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 50,
    json: Json = False,
) -> None:
    """List your conversations with their ids, pinned ones first and then the one used last."""
    with _workbench() as (bench, access):
        found = bench.conversations.find(access, search, limit=limit)
    if json:
        items = [each.model_dump(mode="json") for each in found.items]
        output.print_json({"total": found.total, "conversations": items})
        return
    for each in found.items:
        typer.echo(f"{each.id}  {each.updated_at:%Y-%m-%d %H:%M}  {output.one_line(each.title)}")
    if found.total > len(found.items):
        typer.echo(f"and {found.total - len(found.items):,} more")


@export_app.command("conversation")
def export_conversation(
    conversation: Annotated[str, typer.Argument(help="The conversation by id, as `pincite conversations` lists it.")],
    format_: Annotated[
        ExportFormat, typer.Option("--format", help="md: with numbered sources, to read; json: all that is stored.")
    ] = ExportFormat.MARKDOWN,
    to: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file and not to the screen.", dir_okay=False)
    ] = None,
) -> None:
    """Export a conversation: Markdown with its sources, or JSON with everything that is stored of it."""
    with _workbench() as (bench, access):
        exported = bench.export.file(access, ConversationId(conversation), format_)
    if to is None:
        typer.echo(exported.text, nl=False)
    else:
        to.write_text(exported.text, encoding="utf-8")
        typer.echo(f"{to} written")


@app.command()
def probe(json: Json = False) -> None:
    """Try out whether the configured provider keeps conversations; costs three small requests and is remembered."""
    result = bootstrap.probe(settings.load())
    if json:
        output.print_json(result.model_dump(mode="json"))
        return
    typer.echo(f"History: {result.history}. {result.found}")
    if result.left:
        typer.echo(f"Could not be deleted at the provider: {', '.join(result.left)}")


def _filters(tags: list[str] | None) -> Filters:
    wanted: dict[str, tuple[str, ...]] = {}
    for tag in _parsed(tags):
        wanted[tag.key] = (*wanted.get(tag.key, ()), tag.value)
    return Filters(tags=wanted)


def _parsed(tags: list[str] | None) -> list[Tag]:
    return [parse_tag(text) for text in tags or ()]


def main() -> None:
    """The entry point: errors that Pincite raises on purpose are printed as a sentence, not as a traceback."""
    try:
        app()
    except PinciteError as error:
        typer.echo(f"pincite: {error}", err=True)
        raise SystemExit(1) from error
