"""A service with a small repository and a model that answers as it is written here, and one request per kind of job."""

from __future__ import annotations

import base64
import contextlib
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2

from app.jobs.kinds import JobKind
from app.settings import read_settings
from bench.fleet import Fleet
from tests.codebase.small import repository
from tests.model_server import KEY, MODEL, ModelServer, Reply, model_server
from tests.repositories.shop import NEW_TEST, OLD_TEST, RIGHT, SHOP, file, replies, unit

FOR_EVER: Final = 10**9
SMALL: Final = {"size": 64, "samples": 1, "views": ["three_quarter"], "frames": 0}
CUBE: Final = "import bpy\n\nbpy.data.objects['Cube'].location.z = {}\n"
WELL: Final = '{"score": 0.9, "reason": "It is there."}'
LOG: Final = 'Traceback (most recent call last):\n  File "shop.py", line 2, in price\nValueError: {}\n'
ADDON: Final = (
    'bl_info = {"name": "Shed", "blender": (2, 79, 0)}\nimport bgl\nimport bpy\n\n\n'
    "def register():\n    pass\n\n\ndef unregister():\n    pass\n"
)
SHOP_FILES: Final[dict[str, str | bytes]] = {"shop.py": SHOP, "test_shop.py": OLD_TEST}
ANSWERS: Final = (
    ("You turn a request", '{"checks": []}'),
    ("You write Python", f"```python\n{CUBE.format(3)}```"),
    ("You judge what a Python snippet made", f'{{"weakest": [], "request": {WELL}, "effects": {WELL}}}'),
    ("You edit one file", file("shop.py", SHOP.replace("2 * count", "3 * count"))),
    ("You explain", "It is raised there [shop.py:1-2]."),
    ("You answer questions", "See [shop.py:1-2]."),
)
"""The answers of the model to all but changes, each with the words by which its question is known."""


@dataclass(frozen=True)
class KindOfRequest:
    """A request for a job of some kind: its path, its body by a number, and the end that is right."""

    path: str
    body: Callable[[int], dict[str, Any]]
    end: str


def archive() -> str:
    """A zip with an add-on that registers on today's Blender, in base64."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as opened:
        opened.writestr("shed.py", ADDON.replace("import bgl\n", ""))
    return base64.b64encode(packed.getvalue()).decode()


REQUESTS: Final[dict[JobKind, KindOfRequest]] = {
    "generate": KindOfRequest(
        "/generate",
        lambda number: {"request": f"Lift the cube like wish {number}", "drafter": "model", "render": SMALL},
        "proven",
    ),
    "validate": KindOfRequest(
        "/validate", lambda number: {"snippet": CUBE.format(1 + number / 1000), "render": SMALL}, "proven"
    ),
    "change": KindOfRequest(
        "/repositories/shop/changes", lambda number: {"request": f"price(-{number}) must raise"}, "accepted"
    ),
    "edit": KindOfRequest(
        "/repositories/shop/changes",
        lambda number: {"kind": "edit", "request": f"triple the price, {number}", "place": "shop.py"},
        "proposal",
    ),
    "port": KindOfRequest(
        "/repositories/shed/changes", lambda _number: {"kind": "port", "request": "", "blenders": ["5.0"]}, "accepted"
    ),
    "addon": KindOfRequest("/addons", lambda number: {"archive": archive(), "name": f"shed {number}"}, "proven"),
    "ask": KindOfRequest(
        "/repositories/shop/ask", lambda number: {"question": f"Where is price {number} from?"}, "answered"
    ),
    "explain": KindOfRequest(
        "/repositories/shop/diagnose", lambda number: {"log": LOG.format(number), "explain": True}, "answered"
    ),
}


@dataclass(frozen=True)
class Bed:
    """A service that was started, the model that it asks, and the folder of both repositories."""

    fleet: Fleet
    model: ModelServer
    repositories: Path

    @property
    def address(self) -> str:
        """The address of the service."""
        return self.fleet.address(0)

    @property
    def database(self) -> Path:
        """The file of its jobs."""
        return self.fleet.folder / "data-0" / "runs.sqlite"


@contextlib.contextmanager
def bed(answer_s: float, token: str = "", **settings: str) -> Generator[Bed, None, None]:
    """A service of its own; its model takes `answer_s` for each answer."""
    said = [*replies(unit(RIGHT) + file("test_negative.py", NEW_TEST)), *(Reply(text, when) for when, text in ANSWERS)]
    for reply in said:
        reply.times, reply.delay_s = FOR_EVER, answer_s
    with tempfile.TemporaryDirectory(prefix="blendproof-") as name, model_server(*said) as model:
        folder = Path(name)
        repository(folder / "allowed" / "shop", SHOP_FILES)
        repository(folder / "allowed" / "shed", {"__init__.py": ADDON})
        provider = {"model": MODEL, "url": model.url, "key": KEY, "context": 16384}
        environment = {
            "BLENDPROOF_HOME": str(read_settings().home.resolve()),
            "BLENDPROOF_MODEL_PROVIDER": "custom",
            "BLENDPROOF_PROVIDERS": json.dumps({"custom": provider}),
            "BLENDPROOF_REPOSITORIES": str(folder / "allowed"),
            "BLENDPROOF_WARM_CHECKERS": "0",
            "BLENDPROOF_FIND_BLENDERS": "false",
            **settings,
        }
        fleet = Fleet(folder, environment, 1)
        try:
            fleet.start_all()
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            with httpx2.Client(base_url=fleet.address(0), headers=headers, timeout=120) as client:
                for root in sorted((folder / "allowed").iterdir()):
                    client.post("/repositories", json={"path": str(root)}).raise_for_status()
            yield Bed(fleet, model, folder / "allowed")
        finally:
            fleet.stop_all()
