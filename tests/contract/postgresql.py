"""A private PostgreSQL for tests: a cluster of its own in a folder of its own, on loopback, gone with the session."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_USUAL = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin", "/usr/local/pgsql/bin")
_NEEDED = ("initdb", "postgres", "pg_ctl")
_ACCOUNTS = ("postgres", "nobody")
_OPTIONS = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=60"


class Unavailable(Exception):
    """PostgreSQL cannot be started here; the words say why."""


def binaries() -> Path:
    """Return the folder of PostgreSQL's programs, of its newest version. Raises Unavailable."""
    folders = [Path(found).resolve().parent for found in [shutil.which("postgres")] if found]
    config = shutil.which("pg_config")
    if config:
        told = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        folders.append(Path(told.stdout.strip()))
    for pattern in _USUAL:
        folders += sorted(Path("/").glob(pattern.lstrip("/")), reverse=True)
    for folder in folders:
        if all((folder / name).exists() for name in _NEEDED):
            return folder
    raise Unavailable("PostgreSQL is not installed on this machine")


@contextmanager
def cluster() -> Iterator[str]:
    """Start a cluster; yield the URL of its database for SQLAlchemy. Raises Unavailable."""
    programs = binaries()
    as_user = _unprivileged()
    folder = Path(tempfile.mkdtemp(prefix="pincite-postgresql-"))
    try:
        if as_user:
            shutil.chown(folder, as_user[-1])
        _run(as_user, programs / "initdb", "-D", folder / "data", "-U", "pincite", "-A", "trust", "-E", "UTF8", "-N")
        port = _free_port()
        options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={folder} {_OPTIONS}"
        control = (programs / "pg_ctl", "-D", folder / "data", "-w", "-t", "60")
        _run(as_user, *control, "-l", folder / "log", "-o", options, "start")
        try:
            yield f"postgresql+psycopg://pincite@127.0.0.1:{port}/postgres"
        finally:
            _run(as_user, *control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged() -> list[str]:
    """Return how to run a program as somebody else: PostgreSQL refuses to run as root. The last word is the account."""
    if os.geteuid() != 0:
        return []
    names = {entry.pw_name for entry in pwd.getpwall()}
    account = next((name for name in _ACCOUNTS if name in names), None)
    runuser = shutil.which("runuser")
    if account is None or runuser is None:
        raise Unavailable("PostgreSQL does not run as root, and there is no way to run it as somebody else")
    return [runuser, "-u", account]


def _run(as_user: list[str], *command: object) -> None:
    words = [str(word) for word in command]
    whole = [*as_user, "--", *words] if as_user else words
    # Not captured: what pg_ctl starts would hold the pipes open.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(whole, stdout=output, stderr=output, check=False, cwd="/", timeout=120)
        if done.returncode:
            output.seek(0)
            raise Unavailable(f"{words[0]} failed: {output.read().decode(errors='replace')[-500:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
