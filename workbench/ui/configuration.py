"""The Settings screen: what is configured, how to change it, and what became of deletions. No setting is changed here."""

from collections.abc import Iterable, Sequence

import streamlit as st

from workbench.domain.budgets import UNITS, LimitName, Profile, ProfileSettings
from workbench.domain.errors import PinciteError
from workbench.ui import receipts, vector_index
from workbench.ui.containers import listing as containers
from workbench.ui.session import Session
from workbench.ui.text import escaped, literal

_EXTRACTIVE = (
    "<b>No language model is configured. The embedded extractive model answers</b>: it searches your documents and quotes "
    "the sentences that fit, word for word, each with its page. It needs no key and no network. It counts and "
    "adds up in tables, but does not reason or summarise; configure a language model for that."
)

_RECIPES = {
    "OpenAI": """export PINCITE_PROVIDER=openai
export PINCITE_MODEL=<name of the model>
export PINCITE_API_KEY=<your key>""",
    "Azure OpenAI": """export PINCITE_PROVIDER=azure
export PINCITE_MODEL=<name of your deployment>
export PINCITE_BASE_URL=https://<your resource>.openai.azure.com
export PINCITE_API_KEY=<your key>""",
    "Azure with Entra ID": """export PINCITE_PROVIDER=azure
export PINCITE_MODEL=<name of your deployment>
export PINCITE_BASE_URL=https://<your resource>.openai.azure.com
export PINCITE_AZURE_AUTH=entra""",
    "Compatible server": """export PINCITE_PROVIDER=compatible
export PINCITE_MODEL=<name of the model>
export PINCITE_BASE_URL=http://127.0.0.1:8000/v1
export PINCITE_API_KEY=<a key, where the server asks for one>""",
}


def show(session: Session) -> None:
    """Draw the screen."""
    with st.container(width=920):
        _show(session)


def _show(session: Session) -> None:
    settings = session.workbench.settings
    st.header("Settings", anchor=False)
    st.subheader("Who answers", anchor=False)
    st.html(f'<p class="pc-read">{_EXTRACTIVE if settings.embedded else _remote(session.workbench.model.name)}</p>')
    _show_recipes(settings.embedded)
    if not settings.embedded:
        _probe(session)
    _show_engine(session)
    vector_index.show(session)
    st.subheader("What is set", anchor=False)
    rows = ((escaped(r.name), f"<span>{escaped(r.value)}</span>", _code(r.variable)) for r in settings.describe())
    st.html(_table(("Setting", "Value", "Changed by"), rows))
    st.html(
        '<p class="pc-quiet">Each can also stand in the file <code>config.toml</code> of the data directory, in lower '
        'case and without the prefix: <code>model = "..."</code>. The environment wins. Changes take effect at the '
        "next start.</p>"
    )
    st.subheader("Limits of a turn", anchor=False)
    st.html(_table(("", *(profile.value.capitalize() for profile in settings.profiles)), _limits(settings.profiles)))
    containers.show(session)
    receipts.show(session)


def _remote(model: str) -> str:
    return (
        f"<b>{escaped(model)}</b> answers. Questions, and the passages found for them, go to its provider. Nothing else "
        "leaves this machine."
    )


def _probe(session: Session) -> None:
    """Offer to try out who keeps the conversations; the result counts from the next start."""
    if not st.button(
        "Test the provider",
        icon=":material/science:",
        help="Sends three small requests to find out whether the provider keeps conversations, and remembers the result",
    ):
        return
    try:
        with st.spinner("Asking the provider…"):
            result = session.workbench.probe()
    except PinciteError as error:
        st.error(literal(str(error)), icon=":material/error:")
        return
    kept = (
        "The provider keeps conversations" if result.history == "chain" else "Each call brings the conversation along"
    )
    left = f" Could not be deleted there: {', '.join(result.left)}." if result.left else ""
    st.success(literal(f"{kept}: {result.found}{left} This counts from the next start."), icon=":material/check:")


def _show_engine(session: Session) -> None:
    """Say what runs the code of calculations, or why nothing does and what to do."""
    st.subheader("Calculations", anchor=False)
    engine = session.workbench.calculations.engine
    told = f"<b>{escaped(engine.name)}</b> runs them." if engine.name else "<b>No code runs for calculations.</b>"
    st.html(f'<p class="pc-read">{told} {escaped(engine.reason)}</p>')


def _show_recipes(expanded: bool) -> None:
    with st.expander("How to configure a language model", expanded=expanded):
        st.text("Set these in the environment that starts Pincite, then start it again.")
        for tab, recipe in zip(st.tabs(list(_RECIPES)), _RECIPES.values(), strict=True):
            tab.code(recipe, language="bash")


def _limits(profiles: dict[Profile, ProfileSettings]) -> Iterable[Sequence[str]]:
    yield ("reasoning effort", *(escaped(profile.effort) for profile in profiles.values()))
    for name in LimitName:
        yield (UNITS[name], *(f"{profile.limits.of(name):,.10g}" for profile in profiles.values()))


def _code(variables: str) -> str:
    return " ".join(f"<code>{escaped(name)}</code>" for name in variables.split(", "))


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table; ``rows`` are HTML already."""
    head = "".join(f'<th scope="col">{escaped(text)}</th>' for text in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>' for first, *rest in rows
    )
    return f'<table class="pc-facts"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
