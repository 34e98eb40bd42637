"""Archives that were forged: each with the reason that it is refused for."""

from __future__ import annotations

import contextlib
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from app.artifacts.store.artifact import content_id
from app.artifacts.store.record import file_hash
from app.artifacts.store.store import ArtifactStore
from harness.order import Order
from harness.protocol import RenderSettings
from tests.small_artifacts import draw, proof


def tar(*members: tuple[str, bytes], kind: bytes = tarfile.REGTYPE, link: str = "") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size, member.type, member.linkname = len(content) if kind == tarfile.REGTYPE else 0, kind, link
            made.addfile(member, io.BytesIO(content))
    return out.getvalue()


Forgery = Callable[[dict[str, Any], dict[str, Any], Path], None]


def forged(tmp_path: Path, forge: Forgery) -> tuple[str, bytes]:
    """An archive whose every hash and id are right, after receipt and report were changed; and the id."""
    here = ArtifactStore(tmp_path / "here")
    made = here.publish(proof(tmp_path, "add a ball", draw("ball", "red")))
    assert made is not None
    folder = here.folder / made.id
    receipt = json.loads((folder / "receipt.json").read_bytes())
    report = json.loads((folder / "report.json").read_bytes())
    forge(receipt, report, folder)
    (folder / "report.json").write_text(json.dumps(report))
    brought = [f"inputs/files/{path.name}" for path in folder.glob("inputs/files/*")]
    receipt["sha256"] = {name: file_hash(folder / name) for name in [*receipt["sha256"], *brought]}
    with contextlib.suppress(OSError, ValueError, TypeError):
        files = tuple((name, (folder / path).read_bytes()) for name, path in receipt["files"].items() if path[0] != "/")
        render: dict[str, Any] = {**receipt["render"], "views": tuple(receipt["render"]["views"])}
        order = Order((folder / "snippet.py").read_text(), files=files, render=RenderSettings(**render))
        receipt["artifact"] = content_id(order, receipt["blender"])
    (folder / "receipt.json").write_text(json.dumps(receipt))
    names = ["receipt.json", *receipt["sha256"]]
    return receipt["artifact"], tar(
        *((f"{receipt['artifact']}/{name}", (folder / name).read_bytes()) for name in names)
    )


def brings(name: str, path: str) -> Forgery:
    def forge(receipt: dict[str, Any], _report: dict[str, Any], folder: Path) -> None:
        (folder / "inputs" / "files").mkdir(parents=True)
        (folder / "inputs" / "files" / "x").write_bytes(b"evil")
        receipt["files"] = {name: path}

    return forge


def says(where: str, value: Any) -> Forgery:
    """Puts a value into the receipt, or into the report if the path begins with `report`."""

    def forge(receipt: dict[str, Any], report: dict[str, Any], _folder: Path) -> None:
        *path, last = where.split(".")
        change = {"receipt": receipt, "report": report}
        for key in path:
            change = change[key]
        change[last] = value
        if where == "receipt.blender":
            report["execution"]["blender"] = value

    return forge


def says_of_findings(**change: Any) -> Forgery:
    """Puts a finding into the verdict, with these fields changed."""
    finding: dict[str, Any] = {"check": "api", "code": "x", "severity": "info", "message": "m", "line": 1, **change}

    def forge(_receipt: dict[str, Any], report: dict[str, Any], _folder: Path) -> None:
        report["verdict"]["stages"][4]["findings"] = [
            {name: value for name, value in finding.items() if value is not ...}
        ]

    return forge


def says_more_than_can_be_read(_receipt: dict[str, Any], report: dict[str, Any], _folder: Path) -> None:
    report["more"] = [[]] * 600_000


def is_larger_than_a_report(_receipt: dict[str, Any], report: dict[str, Any], _folder: Path) -> None:
    report["more"] = "x" * (4 << 20)


SCENE: Final = "report.execution.evidence.scene"
RENDER: Final = "report.execution.evidence.render"
FORGERIES: dict[str, tuple[Forgery, str]] = {
    "a name that leads out": (brings("../../../../ESCAPED", "inputs/files/x"), "no `..`"),
    "an absolute name": (brings("/ESCAPED", "inputs/files/x"), "empty name|no / in front"),
    "no name": (brings("", "inputs/files/x"), "empty name|digits"),
    "the snippet's name": (brings("snippet.py", "inputs/files/x"), "the snippet itself"),
    "a path that leads out": (brings("x", "../../../etc/hostname"), "not at inputs/files/x"),
    "a device": (brings("x", "/dev/zero"), "not at inputs/files/x"),
    "another file": (brings("y", "inputs/files/x"), "not at inputs/files/y"),
    "another setup": (says("receipt.setup", "/etc/hostname"), "the setup is at"),
    "limits without end": (says("receipt.limits", {"wall_s": float("inf"), "memory_bytes": 1e9}), "limits"),
    "a huge picture": (says("receipt.render.size_px", 60_000), "cannot be made again"),
    "endless samples": (says("receipt.render.samples", 10**9), "cannot be made again"),
    "another engine": (says("receipt.render.engine", "eevee"), "cannot be made again"),
    "no Blender": (says("receipt.blender", {}), "Blender"),
    "no moment": (says("receipt.created_at", "zzzz"), "not a UTC time"),
    "a moment without a zone": (says("receipt.created_at", "2026-01-01T00:00:00.000"), "not a UTC time"),
    "a long title": (says("receipt.title", "x" * 201), "too long"),
    "a verdict without stages": (says("report.verdict", {"passed": True}), "another format"),
    "a verdict that failed": (says("report.verdict.passed", False), "not proven"),
    "another outcome": (says("report.execution.outcome", "raised"), "not proven"),
    "a finding without a message": (says_of_findings(message=...), "message"),
    "a finding of no known weight": (says_of_findings(severity="fatal"), "severity"),
    "a finding at no line": (says_of_findings(line=0), "a place that no snippet has"),
    "a finding at a line in words": (says_of_findings(line="x"), "line"),
    "a finding at an endless line": (says_of_findings(line=10**400), "line|place"),
    "figures in words": (says("report.verdict.measured", "many"), "measured"),
    "an acceptance in words": (says("report.verdict.measured", {"acceptance": "yes"}), "acceptance"),
    "no scene": (says(SCENE, None), "scene"),
    "objects in a list": (says(f"{SCENE}.objects", []), "objects"),
    "an object without a type": (says(f"{SCENE}.objects.Ball", {}), "type"),
    "materials of an object in words": (says(f"{SCENE}.objects.Ball.materials", "Gold"), "materials"),
    "a place without end": (says(f"{SCENE}.objects.Ball.location", [float("inf"), 0, 0]), "Infinity|location"),
    "no number anywhere": (says("report.more", float("nan")), "NaN"),
    "no picture": (says(f"{RENDER}.pictures", []), "pictures"),
    "a picture that is not there": (says(f"{RENDER}.frames", [{"file": "frame_0001.png"}]), "frame_0001"),
    "a picture elsewhere": (says(f"{RENDER}.pictures", [{"file": "../x.png"}]), "pictures"),
    "a size in words": (says(f"{RENDER}.size_px", "large"), "size_px"),
    "too many values": (says_more_than_can_be_read, "more than 500000 values"),
    "a large report": (is_larger_than_a_report, "the limit is 4194304"),
    "a model with a long name": (says("receipt.provenance.model", "m" * 9000), "says too much"),
    "a long name of a run": (says("receipt.run", "r" * 101), "names a run"),
    "another scene": (says("receipt.geometry", "0" * 32), "different things"),
}
