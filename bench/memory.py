"""Measures the visual memory with ten thousand artifacts: searches, start, memory, near-duplicates, and kill -9.

    python -m bench.memory [--folder FOLDER] [--artifacts 10000] [--searches 200] [--kills 200] [--clip]

Every recipe of the cookbook is executed and rendered; its artifact is published unchanged, and many times with jitter:
the picture shifted, turned, scaled, tinted and with noise, numbers and words of the snippet changed. Then the service
starts over them as a process of its own, and one client sends requests over HTTP. Renders are kept in FOLDER, so that a
second call is short.

`--clip` uses a ViT-B-32 of random weights: they cost the same time and memory as trained ones, but find nothing. The
pictures' vectors are then those of the renders, with noise for the copies.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import dataclasses
import io
import itertools
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import httpx2
import numpy as np
from PIL import Image, ImageEnhance

from app.artifacts import repair
from app.artifacts.pictures import open_own
from app.artifacts.search.clip import Clip
from app.artifacts.search.index import ArtifactIndex, IndexLost
from app.artifacts.store import store as artifact_store
from app.artifacts.store.artifact import Provenance
from app.artifacts.store.embeddings import write_vector
from app.artifacts.store.store import ArtifactStore, Proof
from app.blenders.preparation import blenders_of
from app.jobs.run import Attempt
from app.settings import Settings, read_settings
from app.verdict.verdict import STAGES, judged, make_verdict
from harness.blenders import Blender, choose
from harness.execution import execute
from harness.order import Order
from harness.protocol import Outcome, RenderSettings
from search import torchvision_schemas

COOKBOOK: Final = Path(__file__).resolve().parents[1] / "cookbook"
SIZE_PX: Final = 256
OTHER_SIZE_PX: Final = 384
SAMPLES: Final = 8
PROVENANCE: Final = Provenance(blendproof="bench", author="cookbook", checks={}, index={}, model=None, prompts={})


@dataclasses.dataclass(frozen=True)
class RenderedRecipe:
    """A recipe with the report and the folder of one execution, and the wordings of its request."""

    name: str
    snippet: str
    words: tuple[str, ...]
    report: dict[str, Any]
    pictures: Path


def main() -> None:
    """Build what is missing, measure, print."""
    parser = argparse.ArgumentParser(description="Measure the visual memory.")
    parser.add_argument("--folder", type=Path, help="the folder to build it in; default: a temporary one")
    parser.add_argument("--artifacts", type=int, default=10_000)
    parser.add_argument("--searches", type=int, default=200)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--clip", action="store_true", help="with a ViT-B-32 of random weights")
    given = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = given.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        settings = read_settings()
        if given.kills:
            print_kills(folder / "kills", given.kills)
        if not given.artifacts:
            return
        blender = choose(blenders_of(settings), None)
        small = asyncio.run(render_all(folder / "renders", blender, SIZE_PX))
        large = asyncio.run(render_all(folder / "renders", blender, OTHER_SIZE_PX))
        weights = random_weights(folder) if given.clip else None
        data = folder / f"data-{given.artifacts}"
        originals = fill(data, small, given.artifacts)
        if weights:
            add_vectors(data, originals, weights, settings.home)
            # An index made without them would be used until the one with them exists.
            shutil.rmtree(data / "gallery", ignore_errors=True)
        own = settings.model_copy(update={"data": data, "clip_weights": weights})
        measure(own, originals, small, large, given.searches)


# Renders of the cookbook


async def render_all(folder: Path, blender: Blender, size_px: int) -> list[RenderedRecipe]:
    """Each recipe, executed and rendered; existing renders are read. Recipes with nothing to see are left out."""
    found: list[RenderedRecipe] = []
    for file in sorted(COOKBOOK.rglob("*.py")):
        if file.name == "__init__.py":
            continue
        there = folder / f"{file.stem}-{size_px}"
        snippet = file.read_text()
        if not (there / "report.json").exists():
            shutil.rmtree(there, ignore_errors=True)
            render = RenderSettings(size_px=size_px, samples=SAMPLES)
            report = await execute(blender, Order(snippet, render=render), there)
            (there / "report.json").write_text(json.dumps(report))
        report = json.loads((there / "report.json").read_text())
        if report["outcome"] == Outcome.PASSED and not report["evidence"]["render"]["nothing_to_render"]:
            found.append(RenderedRecipe(file.stem, snippet, words_of(snippet), report, there / "examine" / "out"))
    return found


def words_of(snippet: str) -> tuple[str, ...]:
    """The wordings after "Asked as:" in a recipe."""
    said = re.search(r"Asked as: (.+?)\n\"\"\"", snippet, re.DOTALL)
    return tuple(" ".join(part.split()) for part in said[1].split(";")) if said else ()


# Ten thousand artifacts


def fill(data: Path, renders: Sequence[RenderedRecipe], count: int) -> dict[str, str]:
    """Publish the renders, and copies with jitter up to `count`; return the artifact of each recipe."""
    done = data / "originals.json"
    if not done.exists():
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        started = time.monotonic()
        cores = len(os.sched_getaffinity(0))
        with get_context("spawn").Pool(cores) as pool:
            parts = pool.starmap(publish_part, [(data, renders, count, part, cores) for part in range(cores)])
        # A store belongs to one process.
        (data / "artifacts").mkdir()
        for folder in data.glob("part-*/*"):
            folder.rename(data / "artifacts" / folder.name)
        done.write_text(json.dumps(dict(pair for part in parts for pair in part)))
        print(f"published {count} artifacts in {time.monotonic() - started:.0f} s, without waiting for the disk")
    originals: dict[str, str] = json.loads(done.read_text())
    return originals


def publish_part(
    data: Path, renders: Sequence[RenderedRecipe], count: int, part: int, parts: int
) -> list[tuple[str, str]]:
    """Publish every `parts`-th artifact, in a process of its own."""
    store = ArtifactStore(data / f"part-{part}")
    originals: list[tuple[str, str]] = []
    chance = random.Random(part)
    with tempfile.TemporaryDirectory() as work, without_waiting():
        for number in range(part, count, parts):
            rendered, copy = renders[number % len(renders)], number // len(renders)
            made = store.publish(jittered(rendered, copy, chance, Path(work)) if copy else plain(rendered))
            assert made is not None
            if not copy:
                originals.append((rendered.name, made.id))
    return originals


@contextlib.contextmanager
def without_waiting() -> Generator[None, None, None]:
    """Do not wait for the disk: the machine is not switched off during the measurement."""
    with patch.object(artifact_store, "sync"), patch.object(artifact_store, "sync_folder"):
        yield


def plain(rendered: RenderedRecipe) -> Proof:
    return proof_of(rendered, rendered.snippet, rendered.words[0], rendered.pictures, "r-0")


def jittered(rendered: RenderedRecipe, copy: int, chance: random.Random, work: Path) -> Proof:
    """The same scene with small changes."""
    picture = open_own(rendered.pictures / rendered.report["evidence"]["render"]["pictures"][0]["file"])
    jitter(picture, chance).save(work / "three_quarter.png", compress_level=1)
    words = f"{chance.choice(rendered.words)}, number {copy}"
    snippet = f"# {words}\n{rendered.snippet}"
    return proof_of(rendered, snippet, words, work, f"r-{copy}")


def jitter(picture: Image.Image, chance: random.Random) -> Image.Image:
    """Shifted, turned, scaled, tinted, with noise."""
    edge = picture.width
    turned = picture.rotate(chance.uniform(-8, 8), Image.Resampling.BICUBIC, fillcolor=picture.getpixel((0, 0)))
    cut = chance.uniform(0.0, 0.12) * edge
    left, top = chance.uniform(0, cut), chance.uniform(0, cut)
    shown = turned.crop((int(left), int(top), int(left + edge - cut), int(top + edge - cut))).resize((edge, edge))
    tinted = ImageEnhance.Color(shown).enhance(chance.uniform(0.3, 1.8))
    tinted = ImageEnhance.Brightness(tinted).enhance(chance.uniform(0.75, 1.3))
    noise = np.random.default_rng(chance.getrandbits(32)).normal(0, 3, (edge, edge, 3))
    return Image.fromarray(np.clip(np.asarray(tinted) + noise, 0, 255).astype(np.uint8))


def proof_of(rendered: RenderedRecipe, snippet: str, request: str, pictures: Path, run: str) -> Proof:
    verdict = make_verdict([judged(name, []) for name in STAGES], {})
    attempt = Attempt(
        number=1,
        author="cookbook",
        notes=[],
        snippet=snippet,
        symbols=sorted(set(re.findall(r"bpy\.(?:types|ops|data)\.[\w.]+", snippet))),
        verdict=verdict,
        report=rendered.report,
    )
    order = Order(snippet, render=RenderSettings(size_px=SIZE_PX, samples=SAMPLES))
    return Proof(run, "generate", request, attempt, order, pictures, PROVENANCE)


# CLIP


def random_weights(folder: Path) -> str:
    """A file of weights for a ViT-B-32 that was never trained."""
    file = folder / "random-vit-b-32.pt"
    if not file.exists():
        torchvision_schemas.declare()
        import open_clip
        import torch

        torch.save(open_clip.create_model("ViT-B-32").state_dict(), file)
    return str(file)


def add_vectors(data: Path, originals: dict[str, str], weights: str, home: Path) -> None:
    """Give each artifact a vector: the render's own, with noise for its copies."""
    store = ArtifactStore(data / "artifacts")
    clip = Clip("ViT-B-32", weights, home)
    names = sorted(originals)
    vectors = [clip.embed([open_own(io.BytesIO(store.content(originals[name], "picture.png")))])[0] for name in names]
    chance = np.random.default_rng(0)
    for place, artifact_id in enumerate(sorted(store.ids())):
        vector = vectors[place % len(vectors)] + chance.normal(0, 0.01, clip.dimensions).astype(np.float32)
        source = store.read(artifact_id).sha256["picture.png"]
        write_vector(store.folder / artifact_id, "picture", str(clip.identity), source, vector / np.linalg.norm(vector))
    for name, vector in zip(names, vectors, strict=True):
        source = store.read(originals[name]).sha256["picture.png"]
        write_vector(store.folder / originals[name], "picture", str(clip.identity), source, vector)
    clip.close()


# The service over them


def measure(
    settings: Settings,
    originals: dict[str, str],
    small: Sequence[RenderedRecipe],
    large: Sequence[RenderedRecipe],
    searches: int,
) -> None:
    """Start the service over the artifacts, send requests, and print the measurements."""
    count = len(ArtifactStore(settings.data_folder / "artifacts").ids())
    with_clip = "with a CLIP (ViT-B-32)" if settings.clip_weights else "without CLIP"
    print(f"{count} artifacts of {len(small)} scenes, {len(os.sched_getaffinity(0))} cores, {with_clip}")
    try:
        ArtifactIndex(settings.gallery_folder).open()
    except IndexLost:
        with served(settings) as (process, client, _):
            started = time.monotonic()
            wait_indexed(client)
            print(f"index made from the files in {time.monotonic() - started:.0f} s; peak {peak_mib(process)} MiB")
    with (
        tempfile.TemporaryDirectory() as empty,
        served(settings.model_copy(update={"data": Path(empty)})) as (_, _, bare),
    ):
        print(f"start over an empty folder, until it answers: {bare:.1f} s")
    with served(settings) as (process, client, seconds):
        print(f"start, until it answers: {seconds:.1f} s; ", end="")
        started = time.monotonic()
        wait_indexed(client)
        print(f"until everything can be found: {seconds + time.monotonic() - started:.1f} s; {rss_mib(process)} MiB")
        chance = random.Random(1)
        wordings = [wording for one in small for wording in one.words]
        client.get("/search", params={"q": "warm", "kind": "artifacts"}, timeout=60).raise_for_status()
        send_picture(client, picture_of(small[0]))

        def by_words() -> httpx2.Response:
            words = chance.choice(wordings).split()
            query = " ".join(chance.sample(words, min(len(words), chance.randint(2, 6))))
            return client.get("/search", params={"q": query, "kind": "artifacts"})

        def by_words_filtered() -> httpx2.Response:
            query = chance.choice(wordings)
            return client.get("/search", params={"q": query, "kind": "artifacts", "blender": "5.0", "tag": "mesh"})

        sent = itertools.cycle(
            [png(jitter(Image.open(io.BytesIO(picture_of(chance.choice(small)))), chance)) for _ in range(50)]
        )

        def by_picture() -> httpx2.Response:
            return send_picture(client, next(sent))

        def alike() -> httpx2.Response:
            return client.get(f"/artifacts/{chance.choice(list(originals.values()))}/similar")

        def listed() -> httpx2.Response:
            return client.get("/artifacts", params={"object_type": "MESH", "limit": 50})

        for name, ask in (
            ("by words", by_words),
            ("by words, filtered", by_words_filtered),
            ("by picture", by_picture),
            ("similar ones", alike),
            ("list, filtered", listed),
        ):
            print_times(name, ask, searches)
        print(f"memory at the end: {rss_mib(process)} MiB, peak {peak_mib(process)} MiB")
        firsts: list[tuple[str, bool]] = []
        # Recipes that make nothing visible all show the same picture.
        for one in (one for one in large if not one.report["evidence"]["render"]["subject_is_untouched"]):
            found = send_picture(client, picture_of(one)).json()["hits"]
            wanted = client.get(f"/artifacts/{originals[one.name]}").json()
            # Two recipes may show the same picture.
            firsts.append((one.name, bool(found) and found[0]["artifact"]["looks"] == wanted["looks"]))
        missed = [name for name, first in firsts if not first]
        print(
            f"the same scene rendered at {OTHER_SIZE_PX} px finds its artifact first: {len(firsts) - len(missed)} of "
            f"{len(firsts)}" + (f"; not {', '.join(missed)}" if missed else "")
        )


def print_times(name: str, ask: Callable[[], httpx2.Response], count: int) -> None:
    seconds: list[float] = []
    for _ in range(count):
        started = time.perf_counter()
        ask().raise_for_status()
        seconds.append(time.perf_counter() - started)
    cuts = statistics.quantiles(seconds, n=100)
    print(f"{name:<20} p50 {1000 * cuts[49]:6.1f} ms   p95 {1000 * cuts[94]:6.1f} ms   of {count}")


def send_picture(client: httpx2.Client, content: bytes) -> httpx2.Response:
    return client.post("/search", files={"picture": ("picture.png", content)}, timeout=60)


def picture_of(rendered: RenderedRecipe) -> bytes:
    file: str = rendered.report["evidence"]["render"]["pictures"][0]["file"]
    return (rendered.pictures / file).read_bytes()


def png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


@contextlib.contextmanager
def served(settings: Settings) -> Generator[tuple[int, httpx2.Client, float], None, None]:
    """The service as a process: its id, a client, and the seconds until its first answer."""
    environment = {
        **os.environ,
        "BLENDPROOF_HOME": str(settings.home),
        "BLENDPROOF_DATA": str(settings.data_folder),
        "BLENDPROOF_PORT": "0",
        "BLENDPROOF_WARM_CHECKERS": "0",
        "BLENDPROOF_CLIP_WEIGHTS": settings.clip_weights or "",
    }
    started = time.monotonic()
    command = [sys.executable, "-m", "app.cli.main", "serve"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as service:
        assert service.stderr is not None
        try:
            line = next(line for line in service.stderr if "listens on" in line)
            with httpx2.Client(base_url=line.split("listens on ")[1].split()[0], timeout=60) as client:
                client.get("/health").raise_for_status()
                yield service.pid, client, time.monotonic() - started
        finally:
            service.terminate()
            service.wait(timeout=30)


def wait_indexed(client: httpx2.Client) -> None:
    """Wait until every artifact is in the index."""
    while "still to be indexed" in client.get("/health").json()["parts"]["gallery"]["message"]:
        time.sleep(0.1)
    client.get("/artifacts?limit=1", timeout=600).raise_for_status()


def status_mib(process: int, field: str) -> int:
    line = next(line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) // 1024


def rss_mib(process: int) -> int:
    """Memory of the process now, in MiB."""
    return status_mib(process, "VmRSS")


def peak_mib(process: int) -> int:
    """The peak memory of the process, in MiB."""
    return status_mib(process, "VmHWM")


# kill -9


def print_kills(folder: Path, kills: int) -> None:
    """Kill a publishing process again and again, then repair, and count what is left."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    chance = random.Random(3)
    announced: set[str] = set()
    for number in range(kills):
        command = [
            sys.executable,
            "-c",
            f"from bench.memory import publish_for_ever as f; f({str(folder)!r}, {number})",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline()]
            time.sleep(chance.uniform(0.0, 0.08))
            process.send_signal(signal.SIGKILL)
            lines += process.stdout.readlines()
        announced |= {line.strip() for line in lines if line.endswith("\n")}
    halves = sum(1 for _ in (folder / "artifacts").glob(".*.part"))
    mended = list(repair.examine(folder / "artifacts", folder / "gallery", repair=True, alone=True))
    store = ArtifactStore(folder / "artifacts")
    lost = announced - store.ids()
    broken = [one for one in store.ids() if not store.is_whole(one)]
    orphans = [path for path in store.folder.rglob("*") if path.name.startswith(".")]
    aside = list((folder / "damaged").glob("*"))
    print(
        f"{kills} kills while publishing: {len(announced)} artifacts were announced, {len(lost)} are lost, "
        f"{len(broken)} are broken, {len(aside)} were damaged; {halves} were left half-written, the repair fixed "
        f"{len(mended)} things, {len(orphans)} orphans are left"
    )


def publish_for_ever(folder: str, start: int) -> None:
    """Publish one artifact after another, and announce each as soon as it is published."""
    pictures = Path(folder) / "pictures"
    pictures.mkdir(exist_ok=True)
    if not (pictures / "three_quarter.png").exists():
        Image.effect_noise((SIZE_PX, SIZE_PX), 60).convert("RGB").save(pictures / "three_quarter.png")
    scene: dict[str, Any] = {"objects": {}, "materials": {}}
    render = {
        "nothing_to_render": False,
        "size_px": SIZE_PX,
        "pictures": [{"view": "three_quarter", "file": "three_quarter.png"}],
    }
    blender = {"version": "5.0.1", "build_hash": "0", "kind": "module"}
    report = {"blender": blender, "evidence": {"scene": scene, "changes": None, "render": render}}
    # Opened without removing what the last process left, so that the repair at the end has something to find.
    ArtifactStore.__init__ = open_as_it_is  # type: ignore[method-assign]
    store = ArtifactStore(Path(folder) / "artifacts")
    for number in itertools.count(1000 * start):
        rendered = RenderedRecipe("kill", f"# {number}\n", ("kill",), report, pictures)
        made = store.publish(proof_of(rendered, rendered.snippet, f"kill {number}", pictures, f"r-{number:016x}"))
        assert made is not None
        print(made.id, flush=True)


def open_as_it_is(self: Any, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    self.folder = folder


if __name__ == "__main__":
    main()
