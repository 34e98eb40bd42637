"""`addon check`: whole add-ons, used on one Blender or several."""

from __future__ import annotations

import base64
import io
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from app.addons.checked import AddonCheck, AddonFinding, AddonReport, CheckedAddon
from app.cli.client import POLL_S, Client, connect
from app.cli.exits import NOT_AVAILABLE, NOT_PROVEN, USAGE, Failure
from app.cli.formats import Format, as_github, as_sarif
from app.cli.matrix import On
from app.cli.service_url import Url
from app.cli.terminal import expected_errors, fail, own_settings, read_bytes, show_error, talk
from app.jobs.run import UNFINISHED
from app.observing.foreign import document, escape, shown
from app.observing.logs import log_for_people
from app.verdict.verdict import Severity

IGNORED = frozenset({"__pycache__", ".git", ".hg", ".svn", "node_modules", ".venv", "venv"})
SHOWN_FINDINGS = 40
SHOWN_REST = 20


def addon_check(
    path: Annotated[Path, typer.Argument(help="A folder with add-ons, an add-on's file, or a zip as it is published.")],
    on: On = None,
    place: Annotated[str, typer.Option("--at", help="Only the add-ons at or below this path.")] = "",
    form: Annotated[Format, typer.Option("--format", help="How to print the findings.")] = "text",
    pictures: Annotated[
        Path | None, typer.Option(help="Write the pictures of Blender's window into this folder.")
    ] = None,
    url: Url = None,
) -> None:
    """Install add-ons, use all that they register on one Blender or several, and say what was found.

    Exit code 1 if one does not register, unregister and register again, or raises.
    """
    body: dict[str, object] = {
        "archive": base64.b64encode(archive_of(path)).decode(),
        "name": path.resolve().stem[:100],
        "at": place,
        "blenders": [name.strip() for name in (on or "").split(",") if name.strip()],
    }
    log_for_people("error")
    with expected_errors(), connect(own_settings(), url, talk.print, runs=False) as client:
        check = followed(client, body)
        if pictures and check.report:
            write_pictures(client, check.report, pictures)
    if check.error or check.report is None:
        error = check.error
        ended = Failure(f"The check ended as {check.status}.", NOT_AVAILABLE)
        show_error(Failure(error.message, NOT_AVAILABLE, error.hint, error.details) if error else ended)
        raise typer.Exit(USAGE if error and error.code == "addons_refused" else NOT_AVAILABLE)
    show(check, form, path)
    if not check.report.passed:
        raise typer.Exit(NOT_PROVEN)


def followed(client: Client, body: dict[str, object]) -> AddonCheck:
    """Send a check, show its stages, and return it when it has ended; cancelled if the caller stops."""
    headers = {"Prefer": "respond-async"}
    check = AddonCheck.model_validate(client.call("POST", "/addons", json=body, headers=headers))
    try:
        with talk.status("sending") as status:
            while check.status in UNFINISHED:
                status.update(escape(check.stage))
                time.sleep(POLL_S)
                check = AddonCheck.model_validate(client.call("GET", f"/addons/{check.id}"))
    except KeyboardInterrupt:
        client.call("DELETE", f"/jobs/{check.id}")
        raise
    return check


def write_pictures(client: Client, report: AddonReport, folder: Path) -> None:
    """Write the pictures of a report as `<number>-<Blender>.png`, and say what each shows."""
    taken = [each for addon in report.addons for row in addon.blenders for each in row.pictures]
    if not taken:
        talk.print("There is no picture: no Blender of this check has a window (see `blendproof doctor`).")
    for each in taken:
        file = folder / each.address.rpartition("/")[2]
        content = b"".join(client.download(each.address, {}))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        except OSError as error:
            fail(f"{file} cannot be written: {error.strerror}", USAGE)
        talk.print(f"{escape(str(file))}: {escape(each.shows)}")


def archive_of(path: Path) -> bytes:
    """The zip to send: the file itself, or one of the files of a folder, or of an add-on's only file."""
    if path.suffix == ".zip":
        return read_bytes(path)
    files = files_of(path)
    if not files:
        fail(f"There is no Python file in {path}.", USAGE)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, file in files.items():
            # Dates before 1980 cannot be written, and no date matters.
            archive.writestr(zipfile.ZipInfo(name), read_bytes(file), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def files_of(path: Path) -> dict[str, Path]:
    """The files by their names in the archive: below the folder's own name if it is an add-on itself."""
    if not path.is_dir():
        return {path.name: path}
    root = path.resolve()
    inside = [file for file in sorted(root.rglob("*")) if file.is_file() and not file.is_symlink()]
    inside = [file for file in inside if not IGNORED & set(file.relative_to(root).parts)]
    start = root.parent if (root / "__init__.py").is_file() else root
    files = {file.relative_to(start).as_posix(): file for file in inside}
    return files if any(name.endswith(".py") for name in files) else {}


@dataclass(frozen=True)
class AddonFile:
    """The findings on one file of an add-on, as the writers of formats take them."""

    name: str
    remarks: Sequence[AddonFinding]
    summary: str
    blender: str
    broken: bool = False

    def findings(self) -> Sequence[AddonFinding]:
        return self.remarks


def files_with_findings(addon: CheckedAddon, path: Path) -> list[AddonFile]:
    """The files of an add-on with its findings; those on the whole add-on are at its first file."""
    folder = path if path.is_dir() else path.parent
    is_addon = path.is_dir() and (path / "__init__.py").is_file()
    whole = addon.place if addon.place.endswith(".py") else f"{addon.place}/__init__.py".lstrip("/")
    blenders = ", ".join(row.blender for row in addon.blenders)
    by_file: dict[str, list[AddonFinding]] = {whole: []}
    for one in addon.findings:
        by_file.setdefault(one.file or whole, []).append(one)

    def name_of(file: str) -> str:
        own = Path(file).relative_to(folder.resolve().name) if is_addon else Path(file)
        return (folder / own).as_posix()

    summary = "passed" if addon.passed else "did not pass"
    return [
        AddonFile(name_of(file), own, f"{summary} on Blender {blenders}", blenders) for file, own in by_file.items()
    ]


def show(check: AddonCheck, form: Format, path: Path) -> None:
    """Print the report in a format."""
    assert check.report
    if form == "json":
        print(document(check.model_dump(mode="json")))
        return
    if form == "text":
        for addon in check.report.addons:
            show_addon(addon)
        talk.print(f"[dim]{check.id}[/]")
        return
    files = [file for addon in check.report.addons for file in files_with_findings(addon, path)]
    print(as_github(files) if form == "github" else as_sarif(files))


def show_addon(addon: CheckedAddon) -> None:
    """Print one add-on: a row per Blender, its findings, and what was not used."""
    table = Table("Blender", "", "operators", "drawn", "called", "values", "files", "lines", box=None, pad_edge=False)
    for row in addon.blenders:
        lines = f"{100 * row.lines.done // row.lines.all} %" if row.lines.all else "not known"
        shares = (row.operators, row.draws, row.others, row.settings, row.files)
        table.add_row(row.blender, "passed" if row.passed else "failed", *(each.said for each in shares), lines)
    print(shown(f"{addon.place or addon.module}: {'passed' if addon.passed else 'did not pass'} ({addon.kind})"))
    talk.print(table)
    grave = [one for one in addon.findings if one.severity is not Severity.INFO]
    for one in grave[:SHOWN_FINDINGS]:
        where = f"{one.file}:{one.line}: " if one.file else ""
        on = f" (Blender {', '.join(one.blenders)})" if one.blenders else ""
        print(shown(f"  {one.severity}: {where}{one.message} [{one.check}/{one.code}]{on}"))
        if one.hint:
            print(shown(f"    hint: {one.hint}"))
    if len(grave) > SHOWN_FINDINGS:
        talk.print(f"  and {len(grave) - SHOWN_FINDINGS} more findings; --format json has all")
    rest = dict.fromkeys(said for row in addon.blenders for said in row.not_used)
    for said in list(rest)[:SHOWN_REST]:
        talk.print(f"  [dim]not used: {escape(said)}[/]")
    if len(rest) > SHOWN_REST:
        talk.print(f"  [dim]and {len(rest) - SHOWN_REST} more were not used[/]")
