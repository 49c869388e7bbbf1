"""Sign-in by OpenID Connect: what Streamlit needs for it, and who the signed-in person is here.

The screens and the HTTP routes come through :func:`access_for`, so that the same cookie means the same user in both.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import streamlit as st

from workbench.domain.errors import ConfigurationError, NotSignedIn
from workbench.domain.people import identity
from workbench.domain.rights import Access
from workbench.ui import process

if TYPE_CHECKING:
    from workbench.settings import Settings

CALLBACK = "/oauth2callback"
LOGIN = "/auth/login"


def secrets() -> dict[str, Any] | None:
    """Return Streamlit's settings of the sign-in from ours; None where it is off, or where the settings are wrong.

    Wrong settings are told on every page, which shows nothing else.
    """
    from workbench.settings import SignIn, load  # noqa: PLC0415 - settings are read when the server starts, not at import

    try:
        settings = load()
    except ConfigurationError:
        return None
    if settings.sign_in is SignIn.OFF or settings.oidc_client_secret is None or settings.cookie_secret is None:
        return None
    return {
        "auth": {
            "redirect_uri": f"{(settings.public_url or '').rstrip('/')}{CALLBACK}",
            "cookie_secret": settings.cookie_secret.get_secret_value(),
            "client_id": settings.oidc_client_id,
            "client_secret": settings.oidc_client_secret.get_secret_value(),
            "server_metadata_url": settings.oidc_url or "",
            "client_kwargs": {"scope": "openid email profile"},
        }
    }


def required(settings: "Settings") -> bool:
    return settings.sign_in.value == "oidc"


def access_for(claims: Mapping[str, Any]) -> Access:
    """Return what the person of a sign-in's claims may see at this moment.

    Raises NotSignedIn where nobody is signed in, where the sign-in does not say who it is, or where it is too old.
    """
    bench = process.workbench()
    if not claims.get("is_logged_in"):
        raise NotSignedIn("Nobody is signed in.", "Sign in.")
    who = identity(claims)
    if who is None:
        raise NotSignedIn(
            "The sign-in does not say who you are.", "Sign in again; if it happens again, tell whoever set it up."
        )
    if who.ended(bench.now(), timedelta(hours=bench.settings.sign_in_hours)):
        raise NotSignedIn("Your sign-in has ended.", "Sign in again.")
    return bench.library.access(bench.people.sign_in(who).id)


def show(reason: NotSignedIn) -> None:
    """Draw the page of whoever is not signed in. The address stays, and is returned to after the sign-in."""
    ended = bool(st.user.get("is_logged_in"))
    st.header("Sign in to Pincite", anchor=False)
    st.text(str(reason) if ended else "Your organisation's account tells which containers are yours.")
    st.button("Sign in", type="primary", icon=":material/login:", on_click=st.login)


def show_person() -> None:
    """Show who is signed in, and the way out, in the sidebar; nothing where nobody is."""
    if not st.user.get("is_logged_in"):
        return
    claims = st.user.to_dict()
    known = [str(claims[name]) for name in ("name", "email") if claims.get(name)]
    with st.sidebar, st.container(key="pc-person"):
        st.text("\n".join(dict.fromkeys(known)))
        st.button("Sign out", type="tertiary", icon=":material/logout:", on_click=st.logout)
