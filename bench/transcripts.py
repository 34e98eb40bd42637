"""Replays the written answers of docs/transcripts through the whole service and real Blender, and records the questions
to the models, their answers and the results.

    python -m bench.transcripts            rewrites docs/transcripts/*.md

A person wrote the answers, not a model; the rest of a transcript is what happened.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Final

import httpx2

from app.jobs.run import Attempt, ModelCall, Run
from app.llm.script import read_script
from app.main import create_app
from app.service.startup import open_service
from app.settings import Settings, default_home

FOLDER: Final = Path(__file__).resolve().parents[1] / "docs" / "transcripts"
HEAD: Final = """# {title}

The answers in this transcript were written by hand, for the provider `scripted`, and not by a model. The questions, the
verdicts and the rest are what happened on Blender {blender}. Made by `python -m bench.transcripts` from
[`{file}`]({file}). The symbols and recipes that the drafter is shown are left out here; `GET /runs/{{id}}` has them.

Ended: **{status}**, {attempts} attempts.
"""
LEFT_OUT: Final = "Symbols of this build that may help"


async def replay(script: Path, folder: Path) -> Run:
    """The run of the script's request with its answers."""
    home = default_home()
    settings = Settings(home=home, data=folder, model_provider="scripted", model_script=script, sandbox="unsafe")
    request = {"request": read_script(script).request, "render": {"size": 128}}
    async with open_service(settings) as service:
        transport = httpx2.ASGITransport(create_app(service))
        async with httpx2.AsyncClient(transport=transport, base_url="http://localhost", timeout=300) as client:
            return Run.model_validate((await client.post("/generate", json=request)).raise_for_status().json())


def written(run: Run, file: str) -> str:
    """The transcript as Markdown."""
    parts = [
        HEAD.format(
            title=run.title,
            blender=run.blender,
            file=file,
            status=run.status.replace("_", " "),
            attempts=len(run.attempts),
        )
    ]
    attempts = {attempt.number: attempt for attempt in run.attempts}
    for call in run.model_calls:
        # A critic is asked within its attempt, a healer after it; the verdict comes in between.
        if call.step.startswith("heal ") and "again" not in call.step:
            number = int(call.step.split()[1]) - 1
            parts.append(verdict(attempts.pop(number)))
        parts.append(question(call))
    parts += [verdict(attempt) for attempt in attempts.values()]
    return "\n".join(parts)


def question(call: ModelCall) -> str:
    """One question and its answer."""
    said = [f"## {call.step}, with prompt {call.prompt}\n"]
    for message in call.sent:
        if message.role == "user":
            text = message.content.split(LEFT_OUT)[0].rstrip()
            pictures = f"\n(with the picture {', '.join(message.pictures)})" if message.pictures else ""
            said.append(f"Asked:\n\n{fenced(text + pictures)}\n")
    said.append(f"Answered:\n\n{fenced(call.answer.strip())}\n")
    return "\n".join(said)


def verdict(attempt: Attempt) -> str:
    """The verdict on an attempt, one line per stage."""
    lines = [f"{stage.name:<8} {stage.state:<8} {stage.reason}".rstrip() for stage in attempt.verdict.stages]
    return f"## Verdict of attempt {attempt.number}\n\n{fenced(chr(10).join(lines))}\n"


def fenced(text: str) -> str:
    """A text in a fence that is longer than any inside it."""
    return f"`````text\n{text}\n`````"


def main() -> None:
    """Rewrite every transcript."""
    for script in sorted(FOLDER.glob("*.toml")):
        with tempfile.TemporaryDirectory() as folder:
            run = asyncio.run(replay(script, Path(folder)))
        script.with_suffix(".md").write_text(written(run, script.name), encoding="utf-8")
        print(f"{script.stem}: {run.status}, {len(run.attempts)} attempts, {len(run.model_calls)} questions")


if __name__ == "__main__":
    main()
