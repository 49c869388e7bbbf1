"""``pincite mcp``: serve one MCP client over standard input and output, and keep the tokens of those that come by HTTP."""

from typing import Annotated, Any

import typer

from workbench import bootstrap, settings
from workbench.cli import output
from workbench.domain.clients import ClientToken
from workbench.domain.errors import DataDirectoryBusy, PinciteError
from workbench.domain.ids import TokenId
from workbench.mcp_server.http import served_at
from workbench.mcp_server.shapes import ASK
from workbench.services.tools.registry import CALLABLE

app = typer.Typer(add_completion=False)
token_app = typer.Typer(help="Tokens of clients that come by HTTP.", no_args_is_help=True)
app.add_typer(token_app, name="token")

TOOLS = (*CALLABLE, ASK)
Tools = Annotated[
    list[str] | None, typer.Option("--tool", help=f"Allow only this tool; repeat for more. {', '.join(TOOLS)}.")
]
Containers = Annotated[
    list[str] | None, typer.Option("--container", "-c", help="Allow only this container, by name; repeat for more.")
]


@app.callback(invoke_without_command=True)
def serve(context: typer.Context, tool: Tools = None, container: Containers = None) -> None:
    """Serve one MCP client over standard input and output, as the local user, until it closes its end.

    Only frames of the protocol are written to standard output; all else goes to standard error.
    """
    if context.invoked_subcommand is not None:
        return
    from workbench.mcp_server import stdio  # noqa: PLC0415 - it takes seconds to import

    found, tools = settings.load(), _checked(tool)
    try:
        stdio.serve(lambda: bootstrap.build(found), lambda bench: bench.clients.local(tools, container))
    except DataDirectoryBusy as error:
        raise DataDirectoryBusy(error.message, _instead(found)) from error


@token_app.command("create")
def create(
    client: Annotated[str, typer.Option("--client", help="What the client is called, in the trace as well.")],
    days: Annotated[int, typer.Option("--days", min=1, help="How many days it is good for.")] = 30,
    tool: Tools = None,
    container: Containers = None,
    user: Annotated[
        str | None, typer.Option("--user", help="For whom it acts, by e-mail or id; without sign-in the local user.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Make a token and print it, once: only its hash is stored. It may run while the app does."""
    with bootstrap.clients(settings.load()) as clients:
        made = clients.create(client, days, tools=_checked(tool), containers=container, user=user)
    if json:
        output.print_json({**_values(made.token, ""), "token": made.secret})
        return
    typer.echo(made.secret)
    typer.echo(
        f"{made.token.id}: good until {made.token.expires_at:%Y-%m-%d %H:%M %Z}. It is not shown again.", err=True
    )


@token_app.command("list")
def list_tokens(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the tokens, without their secrets, and whether each still opens anything."""
    with bootstrap.clients(settings.load()) as clients:
        rows = [_values(token, clients.refusal(token)) for token in clients.tokens()]
    if json:
        output.print_json({"tokens": rows})
        return
    for row in rows:
        tools = ", ".join(row["tools"] or ["all tools"])
        containers = ", ".join(row["containers"] or ["all containers"])
        state = row["refusal"] or f"good until {row['expires_at'][:10]}"
        typer.echo(f"{row['id']}  {output.one_line(row['client'])}  {state}  ({tools}; {containers})")


@token_app.command("revoke")
def revoke(
    token: Annotated[str, typer.Argument(help="The token by id, as `pincite mcp token list` gives it.")],
) -> None:
    """End a token: it opens nothing from the next request on."""
    with bootstrap.clients(settings.load()) as clients:
        ended = clients.revoke(TokenId(token))
    typer.echo(f"{ended.id} of {output.one_line(ended.client.name)} is revoked")


def _values(token: ClientToken, refusal: str) -> dict[str, Any]:
    values = token.model_dump(mode="json", exclude={"digest", "client"})
    client = token.client.model_dump(mode="json")
    return {**values, "client": client.pop("name"), **client, "refusal": refusal}


def _checked(tools: list[str] | None) -> list[str] | None:
    unknown = [name for name in tools or () if name not in TOOLS]
    if unknown:
        raise PinciteError(f"There is no tool named {unknown[0]!r}.", f"The tools are {', '.join(TOOLS)}.")
    return tools


def _instead(found: settings.Settings) -> str:
    """Say what to do where the app runs: it serves the same over HTTP."""
    address = served_at(found)
    if address:
        return f"It serves MCP itself: connect the client to {address}, with a token of `pincite mcp token create`."
    return "Close it first; or set PINCITE_MCP=on, start it again, and connect the client to its address and /mcp."
