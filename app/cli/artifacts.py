"""The commands of the artifacts: list, export, import, delete, replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from app.cli.client import Client, RequestRefused, ServiceNotAvailable, connect
from app.cli.exits import NOT_AVAILABLE, NOT_PROVEN, USAGE
from app.cli.service_url import Url
from app.cli.terminal import expected_errors, fail, own_settings, talk
from app.observing.foreign import escape, shown
from app.observing.logs import log_for_people

SAME: Final = "the same"
MOST_REPLAYED: Final = 100_000
REPLAYS_LIMIT_S: Final = 3600.0
"""Seconds in which one replay waits for its place and is made."""

Blender = Annotated[str | None, typer.Option("--blender", help="Version or series, such as 5.0.")]
Since = Annotated[str | None, typer.Option(help="Not older than this, such as 2026-01-31.")]
Symbol = Annotated[str | None, typer.Option(help="Address of a symbol that the snippet uses.")]


def service_at(url: str | None, *, runs: bool = False) -> AbstractContextManager[Client]:
    """A client of the service at `url`, or of one started here; its log stays out of the output."""
    log_for_people()
    return connect(own_settings(), url, talk.print, runs=runs)


def list_artifacts(
    blender: Blender = None,
    symbol: Symbol = None,
    since: Since = None,
    limit: Annotated[int, typer.Option(min=1, help="Most artifacts.")] = 50,
    url: Url = None,
) -> None:
    """List the artifacts, the newest first."""
    filters = {"blender": blender, "symbol": symbol, "since": since}
    with expected_errors(), service_at(url) as client:
        for artifact in pages(client, filters, limit):
            said = (artifact["id"], artifact["created_at"], artifact["blender"]["version"], artifact["title"])
            print(shown("\t".join(said)))


def pages(client: Client, filters: dict[str, Any], limit: int) -> Iterator[dict[str, Any]]:
    """The artifacts, page by page."""
    before: str | None = None
    while limit > 0:
        given = {**filters, "limit": min(limit, 200), "before": before}
        page = client.call("GET", "/artifacts", params={name: value for name, value in given.items() if value})
        yield from page["artifacts"]
        limit -= len(page["artifacts"])
        before = page["next"]
        if before is None:
            return


def export_artifacts(
    file: Annotated[Path, typer.Argument(help="The .tar to write.")],
    blender: Blender = None,
    symbol: Symbol = None,
    since: Since = None,
    url: Url = None,
) -> None:
    """Write the artifacts into one archive."""
    filters = {"blender": blender, "symbol": symbol, "since": since}
    with expected_errors(), service_at(url) as client:
        # Written to another file and renamed, so that an incomplete archive never replaces an existing one.
        unfinished = file.with_name(f".{file.name}.part")
        try:
            with unfinished.open("wb") as out:
                for piece in client.download("/artifacts/export", {k: v for k, v in filters.items() if v}):
                    out.write(piece)
            unfinished.replace(file)
        except OSError as error:
            fail(f"{file} cannot be written: {error.strerror}", USAGE)
        finally:
            unfinished.unlink(missing_ok=True)
    talk.print(f"archive: {escape(str(file))}")


def import_artifacts(file: Annotated[Path, typer.Argument(help="The .tar to read.")], url: Url = None) -> None:
    """Add the artifacts of an archive."""
    try:
        archive = file.open("rb")
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}", USAGE)
    with archive, expected_errors(), service_at(url) as client:
        brought = client.call(
            "POST", "/artifacts/import", content=archive, headers={"Content-Type": "application/x-tar"}, timeout=600.0
        )
    for artifact_id in brought["new"]:
        print(artifact_id)
    talk.print(f"{len(brought['new'])} new, {len(brought['known'])} were here already")


def delete_artifact(
    artifact: Annotated[str, typer.Argument(help="Id of the artifact.")],
    url: Url = None,
) -> None:
    """Delete an artifact with all its files."""
    with expected_errors(), service_at(url) as client:
        gone = client.call("DELETE", f"/artifacts/{artifact}")
    talk.print(f"deleted: {escape(gone['title'])}")


def replay_artifacts(
    blender: Blender = None,
    symbol: Symbol = None,
    since: Since = None,
    on: Annotated[str | None, typer.Option("--on", help="Blender to make them again on; the default one.")] = None,
    url: Url = None,
) -> None:
    """Make the artifacts again side by side, the newest first, and print which come out the same."""
    filters = {"blender": blender, "symbol": symbol, "since": since}
    with expected_errors(), service_at(url, runs=True) as client:
        titles = {one["id"]: one["title"] for one in pages(client, filters, MOST_REPLAYED)}
        outcomes = Counter[str]()
        paths = [f"/artifacts/{artifact}/replay" for artifact in titles]
        with talk.status("") as status:
            answers = client.call_all("POST", paths, params={"blender": on} if on else {}, timeout=REPLAYS_LIMIT_S)
            for number, (artifact, title) in enumerate(titles.items(), 1):
                status.update(escape(f"{number} of {len(titles)}: {title}"))
                outcome, why = outcome_of(next(answers))
                outcomes[outcome] += 1
                print(shown("\t".join((artifact, outcome, title, why))), flush=True)
    talk.print(", ".join(f"{many} {outcome}" for outcome, many in sorted(outcomes.items())) or "no artifact matches")
    if outcomes["no answer"]:
        raise typer.Exit(NOT_AVAILABLE)
    if set(outcomes) - {SAME}:
        raise typer.Exit(NOT_PROVEN)


def outcome_of(answer: Any) -> tuple[str, str]:
    """The outcome of a replay in a word or two, and the reason."""
    if isinstance(answer, ServiceNotAvailable):
        return "no answer", str(answer)
    if isinstance(answer, RequestRefused):
        return "not replayed", answer.body.message
    if answer["same"]:
        return SAME, ""
    why = answer["reason"] if answer["outcome"] != "passed" else ""
    parts = (f"{part} {answer[part]['state']}" for part in ("geometry", "picture"))
    return "not the same", why or ", ".join(parts)


def replay(
    artifact: Annotated[str, typer.Argument(help="Id of the artifact.")],
    blender: Blender = None,
    url: Url = None,
) -> None:
    """Make an artifact again from its receipt, and print whether the result is the same.

    An import that comes out the same is judged anew, and kept as proven here if its verdict allows it.
    """
    with expected_errors(), service_at(url, runs=True) as client:
        params = {"blender": blender} if blender else {}
        made = client.call("POST", f"/artifacts/{artifact}/replay", params=params, timeout=600.0)
    print(shown(f"outcome   {made['outcome']}: {made['reason']}"))
    print(f"geometry  {made['geometry']['state']}")
    for difference in made["geometry"]["differences"]:
        print(shown(f"          {difference}"))
    apart = made["picture"]["bits_apart"]
    print(f"picture   {made['picture']['state']}" + (f" ({apart} of 64 bits differ)" if apart else ""))
    was, now = made["was_blender"]["version"], made["blender"]["version"]
    talk.print(f"{'the same' if made['same'] else 'not the same'} on Blender {now}; proven on {was}")
    verdict = made["verdict"]
    if made["proof"]:
        print(f"proven    here as {made['proof']}")
    elif verdict:
        print(f"proven    not here: {verdict['reached']} failed")
    if not made["same"] or (verdict and not made["proof"]):
        raise typer.Exit(NOT_PROVEN)
