"""The service decodes nothing of a stranger: archives and pictures are opened in `harness/readers`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import pytest

from tests.rooms import ROOT

DECODERS: Final = {"bz2", "gzip", "lzma", "marshal", "pickle", "plistlib", "shelve", "xml", "zlib"}
OPENERS: Final = {"Image.open", "np.load", "tarfile.open", "zipfile.ZipFile", "zipfile.is_zipfile"}
EXEMPT: Final = {
    "app/blenders/preparation.py": "stubs that the operator's pip downloaded",
    "app/checks/render.py": "pictures that the witness rendered",
    "app/artifacts/store/embeddings.py": "vectors that this service wrote, without pickled objects",
}


def decoders_in(source: str) -> Iterator[str]:
    """What a module imports or calls to decode bytes; archives that it writes left out."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            opened = {opener.partition(".")[0]: opener for opener in OPENERS}
            names = [node.module or "", *(opened[node.module] for _ in node.names if node.module in opened)]
        elif isinstance(node, ast.Call):
            values = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
            modes = [one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            if not any(mode.startswith("w") for mode in modes):
                names = [ast.unparse(node.func)]
        yield from (name for name in names if name in OPENERS or name.partition(".")[0] in DECODERS)


def test_nothing_of_a_stranger_is_decoded_in_the_service() -> None:
    found = {
        str(path.relative_to(ROOT)): list(decoders_in(path.read_text()))
        for room in ("app", "clients")
        for path in sorted((ROOT / room).rglob("*.py"))
    }
    assert {path for path, names in found.items() if names} == EXEMPT.keys()


@pytest.mark.parametrize(
    "source",
    [
        "import gzip",
        "from xml.etree import ElementTree",
        "def f(data):\n    import zlib",
        "from PIL import Image\nImage.open(data)",
        "import zipfile\nwith zipfile.ZipFile(data) as archive: pass",
        "import tarfile\ntarfile.open(fileobj=data, mode='r:')",
        "from zipfile import ZipFile",
    ],
)
def test_a_decoder_is_found(source: str) -> None:
    assert list(decoders_in(source))


@pytest.mark.parametrize(
    "source",
    [
        "import tarfile\ntarfile.open(fileobj=out, mode='w|')",
        "import zipfile\nzipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED)",
        "from PIL import Image\nImage.frombytes('RGB', size, pixels)",
        "import json\njson.loads(data)",
    ],
)
def test_what_writes_or_only_draws_is_left_alone(source: str) -> None:
    assert not list(decoders_in(source))
