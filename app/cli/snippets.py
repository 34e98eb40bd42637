"""The commands `generate`, `validate` and `heal`: snippets that a service writes, judges and heals."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from app.cli.client import Client, connect
from app.cli.exits import NOT_AVAILABLE, NOT_PROVEN, USAGE, Failure
from app.cli.formats import WRITERS, Format, JudgedFile, dispute_lines, said_of, verdict_lines, write_evidence
from app.cli.gathering import Wanted, scripts_in
from app.cli.hunks import print_diff
from app.cli.matrix import On, Portable, blenders_body, finish_matrix, show_matrix
from app.cli.service_url import Url
from app.cli.summary import as_markdown
from app.cli.terminal import expected_errors, fail, own_settings, print_code, read_bytes, read_text, show_error, talk
from app.jobs.run import JobStatus, Run
from app.observing.foreign import document, escape, shown
from app.observing.logs import log_for_people
from app.verdict.verdict import unchecked

Json = Annotated[bool, typer.Option("--json", help="Print the whole run as JSON.")]
BlenderVersion = Annotated[
    str | None, typer.Option("--blender", help="Version, series or label, such as 5.0, lts or latest.")
]
Size = Annotated[int | None, typer.Option(help="Edge of the picture, in pixels.")]
Samples = Annotated[int | None, typer.Option(help="Samples per pixel (Cycles).")]
Engine = Annotated[str | None, typer.Option(help="cycles or workbench.")]
Views = Annotated[
    list[str] | None, typer.Option("--view", help="A side to show, such as front, or camera; may be repeated.")
]
Accept = Annotated[
    Path | None, typer.Option("--accept", help="A JSON file with acceptance checks that the scene must meet.")
]
MaxAttempts = Annotated[
    int | None, typer.Option("--max-attempts", help="Snippets that models may write; 0 asks no model.")
]
InputFiles = Annotated[
    list[Path] | None,
    typer.Option("--file", help="A file for the work folder, or a folder that is sent with its name; repeatable."),
]
All = Annotated[bool, typer.Option("--all", help="Of a folder, also files that do not use Blender.")]
Changed = Annotated[bool, typer.Option("--changed", help="Of a folder, only files that Git has as changed.")]
Picture = Annotated[Path | None, typer.Option("--picture", help="Write the picture to this PNG file.")]


def generate(
    request: Annotated[
        str, typer.Argument(help="What the snippet should do, in the command language, or in plain words with a model.")
    ],
    blender: BlenderVersion = None,
    on: On = None,
    portable: Portable = False,
    size: Size = None,
    samples: Samples = None,
    engine: Engine = None,
    views: Views = None,
    picture: Picture = None,
    accept: Accept = None,
    max_attempts: MaxAttempts = None,
    drafter: Annotated[str | None, typer.Option(help="Who writes the first snippet: auto, commands or model.")] = None,
    as_json: Json = False,
    url: Url = None,
) -> None:
    """Ask for a snippet; prints the proven code."""
    body: dict[str, Any] = {"request": request, "render": render_body(size, samples, engine, views)}
    body |= blenders_body(blender, on, portable)
    body |= loop_body(accept, max_attempts) | ({"drafter": drafter} if drafter is not None else {})
    run, png = follow("/generate", body, url, picture)
    if as_json:
        print(document(run.model_dump(mode="json")))
    elif run.snippet:
        print_code(run.snippet.rstrip("\n") + "\n")
    save_picture(picture, png)
    show_matrix(run.matrix, talk)
    finish(run, show_verdict=True)
    finish_matrix(run.matrix)


def validate(
    files: Annotated[
        list[Path], typer.Argument(help="The Python files to judge, or folders of them; - reads standard input.")
    ],
    blender: BlenderVersion = None,
    on: On = None,
    portable: Portable = False,
    argument: Annotated[list[str] | None, typer.Option(help="Passed to the snippet after `--`.")] = None,
    setup: Annotated[Path | None, typer.Option(help="A .blend or .py file that makes the scene.")] = None,
    input_files: InputFiles = None,
    heal: Annotated[bool, typer.Option(help="Heal it if it is not proven: by rules, then by a model.")] = False,
    accept: Accept = None,
    max_attempts: MaxAttempts = None,
    size: Size = None,
    samples: Samples = None,
    engine: Engine = None,
    views: Views = None,
    picture: Picture = None,
    everything: All = False,
    changed: Changed = False,
    form: Annotated[Format, typer.Option("--format", help="How to print the findings.")] = "text",
    output: Annotated[
        Path | None,
        typer.Option("--output", help="A folder for each file's evidence, blendproof.sarif and summary.md."),
    ] = None,
    as_json: Json = False,
    url: Url = None,
) -> None:
    """Judge snippets of your own; prints the verdict of each, or with --on one row per Blender."""
    settings = own_settings()
    own = [settings.home.resolve(), settings.data_folder.resolve()]
    files = scripts_in(files, Wanted(everything, changed, own), talk.print)
    if len(files) > 1 and (as_json or picture):
        fail("With several files, use --format json and --output instead of --json and --picture.", USAGE)
    texts = {file: read_text(file) for file in files}
    common: dict[str, Any] = {
        **blenders_body(blender, on, portable),
        "arguments": argument or [],
        "heal": heal,
        "render": render_body(size, samples, engine, views),
        "setup": setup_body(setup) if setup else None,
        "files": files_body(input_files or []),
        **loop_body(accept, max_attempts),
    }
    log_for_people()
    judged: list[JudgedFile] = []
    try:
        with expected_errors(), connect(settings, url, talk.print) as client:
            for file, run in run_files(client, texts, common):
                judged.append(JudgedFile(file, run))
                say_progress(judged, len(texts))
                png = client.last_picture(run) if output else client.picture(run) if picture else None
                save_picture(picture, png)
                if output:
                    save_evidence(judged[-1], png, output)
    except typer.Exit:
        if judged:
            show_judged(judged, form, output, as_json)
            talk.print(escape(f"only {len(judged)} of {len(texts)} files were judged"))
        raise
    show_judged(judged, form, output, as_json)
    finish_all(judged, show_verdict=as_json or form != "text")


def show_judged(judged: list[JudgedFile], form: Format, output: Path | None, as_json: bool) -> None:
    """Write and print how the files came out."""
    if output:
        save_text(output / "blendproof.sarif", WRITERS["sarif"](judged))
        save_text(output / "summary.md", as_markdown(judged, output))
    if as_json:
        print(document(judged[0].run.model_dump(mode="json")))
    elif form == "text" and judged[0].run.matrix:
        show_matrices(judged)
    else:
        print(WRITERS[form](judged))


def say_progress(judged: Sequence[JudgedFile], of: int) -> None:
    """Say how the file that was judged last came out, if there are several."""
    if of > 1:
        talk.print(escape(f"[{len(judged)}/{of}] {judged[-1].name}: {judged[-1].summary}"))


def heal(
    files: Annotated[list[Path], typer.Argument(help="The Python files to heal; - reads standard input.")],
    blender: BlenderVersion = None,
    diff: Annotated[bool, typer.Option("--diff", help="Print a unified diff, and the reasons for each hunk.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write what is proven into the files; print nothing.")] = False,
    argument: Annotated[list[str] | None, typer.Option(help="Passed to the snippet after `--`.")] = None,
    setup: Annotated[Path | None, typer.Option(help="A .blend or .py file that makes the scene.")] = None,
    input_files: InputFiles = None,
    max_attempts: MaxAttempts = None,
    as_json: Json = False,
    url: Url = None,
) -> None:
    """Adapt snippets of your own to a Blender, by rules, then by a model if there is one; prints the healed code."""
    if len(files) > 1 and not write:
        fail("With several files, use --write: it puts the healed code into them.", USAGE)
    if write and (diff or as_json or Path("-") in files):
        fail("--write goes with files, and without --diff and --json.", USAGE)
    texts = {file: read_text(file) for file in files}
    body: dict[str, Any] = {
        "blender": blender,
        "arguments": argument or [],
        "heal": True,
        "setup": setup_body(setup) if setup else None,
        "files": files_body(input_files or []),
        **loop_body(None, max_attempts),
    }
    log_for_people()
    judged: list[JudgedFile] = []
    with expected_errors(), connect(own_settings(), url, talk.print) as client:
        for file, run in run_files(client, texts, body):
            judged.append(JudgedFile(file, run))
            if write:
                write_healed(file, texts[file], run)
    if as_json:
        print(document(judged[0].run.model_dump(mode="json")))
    elif not write:
        print_healed(files[0], texts[files[0]], judged[0].run, diff)
    finish_all(judged, show_verdict=True)


def write_healed(file: Path, text: str, run: Run) -> None:
    """Write the healed code into its file if it is proven, with the reasons on standard error."""
    if run.status is not JobStatus.PROVEN or run.snippet in (None, text):
        return
    save_text(file, run.snippet or "")
    for reason in run.attempts[-1].notes:
        talk.print(escape(f"{file}: {reason}"))


def print_healed(file: Path, text: str, run: Run, diff: bool) -> None:
    """Print the healed code, or how it differs, with the reasons on standard error."""
    reasons = run.attempts[-1].notes if len(run.attempts) > 1 else []
    healed = run.snippet or text
    if diff:
        print_diff(text, healed, str(file), reasons)
        return
    print_code(healed if healed.endswith("\n") else f"{healed}\n")
    for reason in reasons:
        talk.print(escape(reason))


def follow(path: str, body: dict[str, Any], url: str | None, picture: Path | None) -> tuple[Run, bytes | None]:
    """Send a request, show the progress of its run, and return the finished run, with its PNG if one is wanted."""
    if picture and not picture.parent.is_dir():
        fail(f"There is no folder {picture.parent} to write the picture to.", USAGE)
    log_for_people()
    with expected_errors(), connect(own_settings(), url, talk.print) as client:
        with talk.status("sending") as status:
            run = client.run(path, body, status.update)
        png = client.picture(run) if picture else None
    return run, png


def save_picture(file: Path | None, png: bytes | None) -> None:
    if file is None or png is None:
        return
    try:
        file.write_bytes(png)
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}", USAGE)
    talk.print(f"picture: {escape(str(file))}")


def show_matrices(judged: Sequence[JudgedFile]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for one in judged:
        if len(judged) > 1:
            print(shown(f"{one.name}:"))
        show_matrix(one.run.matrix, console)


def run_files(client: Client, texts: dict[Path, str], common: dict[str, Any]) -> Iterator[tuple[Path, Run]]:
    """Have the service judge files side by side, and yield each with its run; shows which one is waited for."""
    files = list(texts)

    def say_stage(number: int, stage: str) -> None:
        of_all = f"{number + 1} of {len(files)}, " if len(files) > 1 else ""
        status.update(escape(f"{of_all}{files[number]}: {stage}"))

    with talk.status(escape(f"{files[0]}: sending")) as status:
        bodies = [{**common, "snippet": text} for text in texts.values()]
        yield from zip(files, client.run_all("/validate", bodies, say_stage), strict=True)


def save_evidence(judged: JudgedFile, png: bytes | None, output: Path) -> None:
    try:
        write_evidence(judged, png, output)
    except OSError as error:
        fail(f"{output} cannot be written: {error.strerror}", USAGE)


def save_text(file: Path, text: str) -> None:
    try:
        # As bytes, so that the ends of lines stay as they are.
        file.write_bytes(text.encode())
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}", USAGE)


def finish_all(judged: Sequence[JudgedFile], show_verdict: bool) -> None:
    """Print how each run ended, and exit with the code of the worst."""
    codes: list[int] = []
    for one in judged:
        try:
            if len(judged) > 1:
                talk.print(f"[bold]{escape(one.name)}[/]")
            finish(one.run, show_verdict)
            finish_matrix(one.run.matrix)
        except typer.Exit as end:
            codes.append(end.exit_code)
    if len(judged) > 1:
        talk.print(escape(summary_of(judged)))
    if codes:
        raise typer.Exit(max(codes))


def summary_of(judged: Sequence[JudgedFile]) -> str:
    """The number of files, by how they came out."""
    counts = Counter(one.summary.partition(" on Blender ")[0].partition(" (")[0] for one in judged)
    return f"{len(judged)} files: " + "; ".join(f"{count} {said}" for said, count in counts.most_common())


def finish(run: Run, show_verdict: bool) -> None:
    """Print in the last line how the run ended, and exit with the code for it."""
    if run.error:
        show_error(Failure(run.error.message, NOT_AVAILABLE, run.error.hint, run.error.details))
    elif show_verdict and run.status is not JobStatus.PROVEN:
        for line in verdict_lines(run):
            talk.print(line, markup=False)
    if run.dispute:
        talk.print("\n".join(dispute_lines(run.dispute)), markup=False)
    elif run.ended_because:
        talk.print(escape(f"ended: {run.ended_because}"))
    if run.no_artifact_because:
        talk.print(escape(run.no_artifact_because))
    if run.kind == "generate" and run.status is JobStatus.PROVEN and (said := unchecked(run.attempts[-1].verdict)):
        talk.print(escape(said))
    artifact = f", artifact {run.artifact.id}" if run.artifact else ""
    attempts = f"{len(run.attempts)} attempt{'s' if len(run.attempts) != 1 else ''}"
    talk.print(f"{said_of(run)}, {attempts}{artifact}")
    if run.status is JobStatus.FAILED or run.status is JobStatus.INTERRUPTED:
        raise typer.Exit(NOT_AVAILABLE)
    if run.status is not JobStatus.PROVEN:
        raise typer.Exit(NOT_PROVEN)


def render_body(size: int | None, samples: int | None, engine: str | None, views: list[str] | None) -> dict[str, Any]:
    """The render options that were given; the service judges them."""
    options = {"size": size, "samples": samples, "engine": engine, "views": views}
    return {name: value for name, value in options.items() if value is not None}


def loop_body(accept: Path | None, max_attempts: int | None) -> dict[str, Any]:
    """The acceptance checks and attempts that were given; the service judges them."""
    body: dict[str, Any] = {} if max_attempts is None else {"max_attempts": max_attempts}
    if accept:
        try:
            body["accept"] = json.loads(read_text(accept))
        except ValueError as error:
            fail(f"{accept} is not JSON: {error}", USAGE)
    return body


def files_body(paths: list[Path]) -> list[dict[str, str]]:
    """The files, those of folders with the name of the folder before theirs; the service judges them."""
    named: list[tuple[str, Path]] = []
    for path in paths:
        inside = sorted(one for one in path.rglob("*") if one.is_file() and "__pycache__" not in one.parts)
        named += [((Path(path.resolve().name) / one.relative_to(path)).as_posix(), one) for one in inside]
        named += [] if path.is_dir() else [(path.name, path)]
    return [{"name": name, "content": base64.b64encode(read_bytes(file)).decode()} for name, file in named]


def setup_body(file: Path) -> dict[str, str]:
    if file.suffix == ".blend":
        return {"blend": base64.b64encode(read_bytes(file)).decode()}
    return {"snippet": read_text(file)}
