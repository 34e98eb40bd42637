"""Artifacts that no Blender made: pictures of coloured shapes with the reports that would lead to them."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageDraw

from app.artifacts.exemplars import WithheldRequests
from app.artifacts.gallery import Gallery
from app.artifacts.search.clip import Clip
from app.artifacts.store.artifact import Provenance
from app.artifacts.store.store import ArtifactStore, Proof
from app.jobs.run import Attempt
from app.verdict.verdict import STAGES, judged, make_verdict
from harness.order import SCENE, Order
from harness.protocol import RenderSettings
from tests.small_index import embedder

PROVENANCE: Final = Provenance(
    blendproof="0", author="commands", checks={"ruff": "0"}, index={}, model=None, prompts={}
)


def draw(shape: str, color: str, size: int = 128, shift: int = 0) -> Image.Image:
    """A picture of a shape on a dark ground, the same at every size."""
    big = Image.new("RGB", (512, 512), (22, 26, 34))
    pen = ImageDraw.Draw(big)
    box = (90 + shift, 120, 400 + shift, 430)
    if shape == "ball":
        pen.ellipse(box, fill=color)
    elif shape == "bars":
        for place in range(5):
            pen.rectangle((60 + 80 * place + shift, 60, 100 + 80 * place + shift, 450), fill=color)
    else:
        pen.polygon([(250 + shift, 60), (440 + shift, 300), (140 + shift, 460)], fill=color)
    return big.resize((size, size), Image.Resampling.LANCZOS)


def scene(name: str = "Ball", **facts: Any) -> dict[str, Any]:
    """A scene with one object, as the evidence tells it."""
    obj: dict[str, Any] = {
        "type": "MESH", "vertices": 8, "faces": 6, "smooth_faces": 6, "shape": "00", "location": [0.0, 0.0, 0.0],
        "rotation": [0.0, 0.0, 0.0], "scale": [1.0, 1.0, 1.0], "dimensions": [2.0, 2.0, 2.0], "parent": None,
        "modifiers": [{"name": "Bevel", "type": "BEVEL", "settings": {}}], "constraints": [], "animation": None,
        "has_instances": False, "materials": ["Gold"], "hidden_in_render": False,
    }  # fmt: skip
    materials = {"Gold": {"metallic": 1.0, "nodes": {"types": ["ShaderNodeBsdfPrincipled"]}}}
    return {"objects": {name: {**obj, **facts}}, "materials": materials, "engine": "CYCLES"}


def proof(
    folder: Path,
    request: str | None,
    picture: Image.Image,
    *,
    run: str = "r-0000000000000001",
    snippet: str | None = None,
    version: str = "5.0.1",
    views: int = 1,
    engine: str = "CYCLES",
    symbols: tuple[str, ...] = ("bpy.types.BevelModifier",),
    kind: str = "MESH",
    order: Order | None = None,
) -> Proof:
    """What a run proved that made this picture."""
    pictures = folder / "out"
    pictures.mkdir(parents=True, exist_ok=True)
    names = ("three_quarter", "front", "top")[:views]
    for name in names:
        picture.save(pictures / f"{name}.png")
    snippet = snippet if snippet is not None else f"# {request}\nimport bpy\n"
    report: dict[str, Any] = {
        "blender": {"version": version, "build_hash": "abc", "kind": "module", "python": "3.11.2"},
        "outcome": "passed",
        "evidence": {
            "scene": {**scene(type=kind), "engine": engine},
            "changes": {"added": {"objects": ["Ball"]}, "changed": {"objects": {}}},
            "render": {
                "nothing_to_render": False,
                "engine_of_scene": engine,
                "engine_used": "CYCLES",
                "size_px": picture.width,
                "subject": ["Ball"],
                "pictures": [{"view": name, "file": f"{name}.png"} for name in names],
            },
        },
    }
    verdict = make_verdict([judged(name, []) for name in STAGES], {})
    attempt = Attempt(
        number=1, author="commands", notes=[], symbols=list(symbols), snippet=snippet, verdict=verdict, report=report
    )
    render = RenderSettings(size_px=picture.width, views=names)
    return Proof(
        run=run,
        kind="generate" if request else "validate",
        request=request,
        attempt=attempt,
        order=order or Order(snippet=snippet, render=render),
        pictures=pictures,
        provenance=PROVENANCE,
    )


SCENES: Final[tuple[tuple[str, str, str, dict[str, Any]], ...]] = (
    ("add a golden ball", "ball", "gold", {}),
    ("put five blue bars in a row", "bars", "blue", {"version": "4.5.3", "engine": "BLENDER_EEVEE_NEXT"}),
    ("a curve with a green arrow", "arrow", "green", {"kind": "CURVE", "symbols": ("bpy.types.Curve",)}),
)


def scenes(folder: Path) -> list[Proof]:
    """Three scenes that are unlike each other."""
    return [
        proof(folder / f"scene-{place}", words, draw(shape, color), run=f"r-{place:016x}", **more)
        for place, (words, shape, color, more) in enumerate(SCENES)
    ]


def open_gallery(folder: Path, clip: Clip | None = None, withheld: tuple[str, ...] = ()) -> Gallery:
    """A gallery over a data folder, with an embedder that only knows which words two texts share."""
    store = ArtifactStore(folder / "artifacts")
    gallery = Gallery(
        store, folder / "gallery", clip or Clip("ViT-B-32", None, folder), embedder, WithheldRequests(withheld)
    )
    gallery.start()
    gallery.settled()
    return gallery


def publish(gallery: Gallery, *proofs: Proof) -> list[str]:
    """Publish, and wait until all is indexed."""
    made = [gallery.publish(one) for one in proofs]
    gallery.settled()
    return [artifact.id for artifact in made if artifact]


def threads_named(name: str) -> int:
    """How many threads have a name like this."""
    return sum(1 for thread in threading.enumerate() if thread.name.startswith(name))


def asked_to_keep(folder: Path, scene: bytes, *, keep: bool = True) -> Proof:
    """What a run proved that left this scene."""
    proven = proof(folder, "add a ball", draw("ball", "gold"))
    (proven.pictures / SCENE).write_bytes(scene)
    return dataclasses.replace(proven, order=dataclasses.replace(proven.order, keep_scene=keep))
