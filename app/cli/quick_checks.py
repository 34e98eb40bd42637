"""The command `check`: the fast half of a validation, which executes nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.client import Client, ServiceNotAvailable, own_client
from app.cli.exits import NOT_PROVEN
from app.cli.formats import Format, as_github, as_sarif, name_of
from app.cli.gathering import Wanted, scripts_in
from app.cli.matrix import On, blenders_body
from app.cli.service_url import Url
from app.cli.snippets import All, BlenderVersion, Changed
from app.cli.terminal import expected_errors, own_settings, read_text, talk
from app.observing.foreign import document, escape, shown
from app.observing.logs import log_for_people
from app.settings import Settings
from app.verdict.verdict import Finding, Severity


@dataclass(frozen=True)
class QuickFile:
    """One file and the answer of the service about it."""

    file: Path
    answer: dict[str, Any]

    broken = False

    @property
    def name(self) -> str:
        return name_of(self.file)

    @property
    def blender(self) -> str:
        return ", ".join(row["blender"] for row in self.answer["blenders"])

    @property
    def summary(self) -> str:
        ended = "passed" if self.answer["passed"] else "did not pass"
        return f"{ended} on Blender {self.blender}; nothing was executed"

    def findings(self) -> Sequence[Finding]:
        """The findings on all Blenders, each once; one that is not on all says on which."""
        on: dict[Finding, list[str]] = {}
        for row in self.answer["blenders"]:
            for finding in (Finding.model_validate(one) for stage in row["stages"] for one in stage["findings"]):
                on.setdefault(finding, []).append(row["blender"])
        most = len(self.answer["blenders"])
        return [
            one if len(there) == most else one.model_copy(update={"message": f"{one.message} (on {', '.join(there)})"})
            for one, there in on.items()
        ]


def check(
    files: Annotated[
        list[Path], typer.Argument(help="The Python files to check, or folders of them; - reads standard input.")
    ],
    blender: BlenderVersion = None,
    on: On = None,
    everything: All = False,
    changed: Changed = False,
    form: Annotated[Format, typer.Option("--format", help="How to print the findings.")] = "text",
    url: Url = None,
) -> None:
    """Read snippets without executing them: syntax, policy, lint, types, and what the Blender API says."""
    settings = own_settings()
    own = [settings.home.resolve(), settings.data_folder.resolve()]
    texts = {file: read_text(file) for file in scripts_in(files, Wanted(everything, changed, own), talk.print)}
    body = {name: value for name, value in blenders_body(blender, on, False).items() if name != "portable"}
    log_for_people()
    checked: list[QuickFile] = []
    with expected_errors(), way_to_check(settings, url) as check_by, talk.status("") as status:
        for number, (file, text) in enumerate(texts.items(), start=1):
            status.update(escape(f"{number} of {len(texts)}: {file}"))
            checked.append(QuickFile(file, check_by({**body, "snippet": text or "\n"})))
    show(checked, form)
    wrong = sum(not one.answer["passed"] for one in checked)
    talk.print(f"{len(checked) - wrong} of {len(checked)} passed; nothing was executed")
    if wrong:
        raise typer.Exit(NOT_PROVEN)


@contextlib.contextmanager
def way_to_check(settings: Settings, url: str | None) -> Generator[Callable[[dict[str, Any]], dict[str, Any]]]:
    """The way to check a request: by a running service, and without one in this process, where pyright is left out."""
    with Client(url, settings.plain_token) if url else own_client(settings) as client:
        if client.answers():
            yield lambda body: client.call("POST", "/check", json=body)
            return
    if url:
        raise ServiceNotAvailable(f"No service answers at {url}. Start one with `blendproof serve`.")
    # Imported here, because a call to a running service does not need it.
    from app.cli.cold_check import check_here

    talk.print("[dim]no service is running: pyright is left out[/]")
    yield lambda body: check_here(settings, body)


def show(checked: Sequence[QuickFile], form: Format) -> None:
    """Print the findings on all files in a format."""
    if form == "json":
        print(document({"files": [{"file": one.name, "check": one.answer} for one in checked]}))
    elif form == "text":
        for one in checked:
            show_file(one)
    else:
        print(as_github(checked) if form == "github" else as_sarif(checked))


def show_file(file: QuickFile) -> None:
    """Print the findings on a file, one a line with its place, the grave ones and those that are shown."""
    for finding in file.findings():
        if finding.severity is not Severity.INFO:
            place = ":".join(str(part) for part in (file.name, finding.line, finding.column) if part)
            print(shown(f"{place}: {finding.severity}: {finding.message} [{finding.check}/{finding.code}]"))
            if finding.hint:
                print(shown(f"    hint: {finding.hint}"))
