"""Receipts: the instructions to make an artifact again, and the order made from one.

The caller's inputs are next to the receipt: inputs/setup.py or inputs/setup.blend, inputs/files/<name>.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from app.artifacts.store.artifact import RECEIPT_SCHEMA, Receipt
from app.artifacts.store.record import RECEIPT, SNIPPET
from app.errors import ArtifactNotFound
from app.jobs.request import RenderOptions, file_and_folder, plain_path
from harness.launcher import ProcessLimits
from harness.order import Order
from harness.protocol import RenderSettings

SETUP_SNIPPET: Final = "inputs/setup.py"
SETUP_BLEND: Final = "inputs/setup.blend"
FILES: Final = "inputs/files"
SEEDS: Final[dict[str, int | str]] = {"cycles": "the scene's own"}
"""The random parts of an execution, and how they are set. The snippet itself must seed Python's `random`."""


def write_inputs(order: Order, folder: Path) -> tuple[str | None, dict[str, str]]:
    """Write the caller's inputs; return the paths of the setup and of the files, within `folder`."""
    setup: str | None = None
    brought: list[tuple[str, bytes]] = [(f"{FILES}/{name}", content) for name, content in order.files]
    if order.setup_snippet is not None:
        setup = SETUP_SNIPPET
        brought.append((setup, order.setup_snippet.encode("utf-8", "surrogatepass")))
    if order.setup_blend is not None:
        setup = SETUP_BLEND
        brought.append((setup, order.setup_blend))
    for path, content in brought:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return setup, {name: f"{FILES}/{name}" for name, _ in order.files}


def render_facts(order: Order) -> dict[str, Any]:
    """The render settings, in the form of the receipt."""
    return {**dataclasses.asdict(order.render), "views": list(order.render.views)}


def read_receipt(folder: Path) -> Receipt:
    """The receipt in the folder of an artifact. Raises ArtifactNotFound if it cannot be read."""
    try:
        content = (folder / RECEIPT).read_bytes()
    except OSError as error:
        raise unreadable(folder.name) from error
    return parse_receipt(folder.name, content)


def parse_receipt(artifact_id: str, content: bytes) -> Receipt:
    """The receipt of an artifact in these bytes. Raises ArtifactNotFound if it has another form."""
    try:
        receipt = Receipt.model_validate_json(content)
    except ValidationError as error:
        raise unreadable(artifact_id) from error
    if receipt.format != RECEIPT_SCHEMA:
        raise ArtifactNotFound(
            f"The receipt of {artifact_id} has format {receipt.format}; this program reads {RECEIPT_SCHEMA}."
        )
    return receipt


def unreadable(artifact_id: str) -> ArtifactNotFound:
    return ArtifactNotFound(f"Artifact {artifact_id} has no readable receipt.")


def order_of(receipt: Receipt, content: Callable[[str], bytes]) -> Order:
    """The order that makes the artifact again; `content` reads a file by its path. Raises ArtifactNotFound.

    A receipt may come from an archive, so the limits of a request apply to it.
    """

    def text(path: str) -> str:
        return content(path).decode("utf-8", "surrogatepass")

    try:
        check_inputs(receipt)
        limits = limits_of(receipt)
        return Order(
            snippet=text(SNIPPET),
            arguments=tuple(receipt.arguments),
            files=tuple((name, content(path)) for name, path in receipt.files.items()),
            setup_snippet=text(SETUP_SNIPPET) if receipt.setup == SETUP_SNIPPET else None,
            setup_blend=content(SETUP_BLEND) if receipt.setup == SETUP_BLEND else None,
            render=render_of(receipt.render),
            run_limits=limits,
            examine_limits=limits,
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        said = " ".join(str(error).split())[:300]
        raise ArtifactNotFound(f"Artifact {receipt.artifact} cannot be made again: {said}.") from error


def check_inputs(receipt: Receipt) -> None:
    """Raise ValueError if an input would be read or written anywhere except in its own place."""
    for name, path in receipt.files.items():
        plain_path(name)
        if path != f"{FILES}/{name}":
            raise ValueError(f"{name} is at {path[:200]!r}, not at {FILES}/{name}")
    if both := file_and_folder(receipt.files):
        raise ValueError(f"{both} is a file and the folder of another one")
    if receipt.setup not in (None, SETUP_SNIPPET, SETUP_BLEND):
        raise ValueError(f"the setup is at {receipt.setup[:200]!r}, not at {SETUP_SNIPPET} or {SETUP_BLEND}")


def limits_of(receipt: Receipt) -> ProcessLimits:
    """The limits of the receipt; the caller reduces them to its own. Raises KeyError, ValueError."""
    wall_s, memory = receipt.limits["wall_s"], receipt.limits["memory_bytes"]
    if not (math.isfinite(wall_s) and math.isfinite(memory) and wall_s > 0 and memory > 0):
        raise ValueError("its limits are not valid amounts of time and memory")
    return ProcessLimits(wall_s=wall_s, memory_bytes=int(memory))


def render_of(facts: dict[str, Any]) -> RenderSettings:
    """The render settings of the receipt. Raises ValueError and TypeError if a request could not have them."""
    given: dict[str, Any] = {**facts, "views": tuple(facts["views"])}
    asked = RenderSettings(**given)
    options = {name.removesuffix("_px"): value for name, value in dataclasses.asdict(asked).items()}
    return RenderOptions.model_validate(options).settings()
