"""The service decodes nothing of a stranger: archives and pictures are opened in `harness/readers`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import pytest

from tests.rooms import ROOT

DECODERS: Final = {
    *("brotli", "bz2", "gzip", "lzma", "zlib", "zstandard"),
    *("dill", "joblib", "marshal", "pickle", "shelve"),
    *("lxml", "plistlib", "rarfile", "py7zr", "ruamel", "xml", "yaml"),
}
OPENERS: Final = {
    *("PIL.Image.open", "PIL.ImageFile.Parser", "imageio.imread"),
    *("numpy.fromfile", "numpy.genfromtxt", "numpy.load", "numpy.loadtxt"),
    *("shutil.unpack_archive", "tarfile.TarFile", "tarfile.is_tarfile", "tarfile.open"),
    *("zipfile.Path", "zipfile.PyZipFile", "zipfile.ZipFile", "zipfile.is_zipfile", "zipimport.zipimporter"),
}
UNSEEN: Final = DECODERS | {opener.partition(".")[0] for opener in OPENERS}
"""The modules that may not be imported by their name in a text."""
EXEMPT: Final = {
    "app/blenders/preparation.py": "stubs that the operator's pip downloaded",
    "app/checks/render.py": "pictures that the witness rendered",
    "app/artifacts/store/embeddings.py": "vectors that this service wrote, without pickled objects",
}


def decoders_in(source: str) -> Iterator[str]:
    """What a module imports or names to decode bytes, under whatever name; archives that it writes left out."""
    nodes = list(ast.walk(ast.parse(source)))
    names: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            base = f"{node.module}." if isinstance(node, ast.ImportFrom) and not node.level else ""
            imported = {alias.asname or alias.name: base + alias.name for alias in node.names}
            yield from (name for name in imported.values() if name.partition(".")[0] in DECODERS)
            names |= imported
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    writing = {id(call.func) for call in calls if writes(call)}
    for node in nodes:
        if isinstance(node, ast.Attribute | ast.Name) and id(node) not in writing:
            first, dot, rest = ast.unparse(node).partition(".")
            yield from {names.get(first, first) + dot + rest} & OPENERS
    for call in calls:
        if ast.unparse(call.func) in ("__import__", "importlib.import_module"):
            yield from {ast.unparse(one).strip("'").partition(".")[0] for one in call.args} & UNSEEN


def writes(call: ast.Call) -> bool:
    """True if a call opens something to write it."""
    values = [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
    return any(isinstance(one, ast.Constant) and str(one.value).startswith("w") for one in values)


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
        "from zipfile import ZipFile as Z\nZ(data)",
        "import numpy as n\nn.load(data)",
        "from numpy import load\nload(data)",
        "import PIL.Image as I\nI.open(data)",
        "from PIL.Image import open as see\nsee(data)",
        "import zipfile\nread = zipfile.ZipFile",
        "import zstandard as z",
        "from ruamel.yaml import YAML",
        "from lxml import etree",
        "import importlib\nimportlib.import_module('pickle')",
        "__import__('zipfile')",
        "import shutil\nshutil.unpack_archive(file)",
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
        "import numpy as np\nnp.save(out, data)",
        "import shutil\nshutil.make_archive(file, 'zip')",
        "from .xml import parts",
        "import importlib\nimportlib.import_module('app.main')",
    ],
)
def test_what_writes_or_only_draws_is_left_alone(source: str) -> None:
    assert not list(decoders_in(source))
