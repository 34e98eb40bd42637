"""What a typed resolver says of the calls of a repository, and what happens if it cannot say anything."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from codebase.ask import pyrefly, typed
from codebase.ask.pyrefly import ResolvedCall, calls_in
from codebase.ask.relations import Asked, find_relations
from codebase.errors import ResolverFailed
from tests.codebase.small import write
from tests.codebase.typed import pyrefly_is_installed

LAMPS = """\
from typing import TypeVar

T = TypeVar("T")

class Lamp:
    def glow(self): return warm()
    def pop(self): return 1

class Torch:
    def glow(self): return 2

def warm(): return 3
def same(one: T) -> T: return one
def lit(): return same(Lamp()).glow()
def taken(): return same(Lamp()).pop()
def unknown(lamp): return lamp.glow()
"""
SETTINGS = '[tool.pyrefly]\npython-interpreter-path = "./evil"\nproject-excludes = ["**"]\n'
FILES = {"lamps.py": LAMPS, "README.md": "# Lamps\n"}
HOSTILE = {
    **FILES,
    "__init__.py": "",
    "shop.py": "from hostile.lamps import warm\n\ndef sell(): return warm()\n",
    "pyproject.toml": SETTINGS,
    "pyrefly.toml": SETTINGS.partition("\n")[2],
    "evil": "#!/bin/sh\ntouch ran\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "repository", FILES)


def said(root: Path, folder: Path, written: str, asked: Asked, ask: bool = True) -> list[tuple[str, str, str | None]]:
    """What was reached, how certain that is, and what the resolver says of it."""
    found = find_relations(root, folder, written, asked, 1, ask)
    return [(one.place.name, one.certainty, one.typed) for one in found.relations]


def stands_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    """A script instead of pyrefly."""
    path = write(tmp_path, {"pyrefly": f"#!/bin/sh\n{script}\n"}) / "pyrefly"
    path.chmod(0o755)
    monkeypatch.setattr(pyrefly, "program", lambda: path)


@pytest.mark.skipif(not pyrefly_is_installed(), reason="pyrefly is not installed")
def test_calls_are_confirmed_contradicted_added_or_unanswered(tmp_path: Path, folder: Path) -> None:
    root = write(tmp_path / "hostile", HOSTILE)
    (root / "evil").chmod(0o755)
    assert ("same", "exact", "confirmed") in said(root, folder, "lit", "callees")
    glow = [one for one in said(root, folder, "lit", "callees") if one[0].endswith("glow")]
    assert glow == [("Lamp.glow", "by name", "confirmed"), ("Torch.glow", "by name", "contradicted")]
    assert said(root, folder, "Lamp.pop", "callers") == [("taken", "inferred", "added")]
    assert said(root, folder, "Lamp.pop", "callers", ask=False) == []
    assert ("sell", "inferred", "confirmed") in said(root, folder, "warm", "callers")
    assert {one[2] for one in said(root, folder, "unknown", "callees")} == {None}
    assert find_relations(root, folder, "taken", "callees", 1).gaps == ["lamps.py:15 pop"]
    assert find_relations(root, folder, "taken", "callees", 1, typed=True).gaps == []
    assert sorted(path.name for path in root.iterdir()) == sorted(HOSTILE)


def test_an_answer_is_kept_until_a_file_of_python_changes(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def answered(texts: Iterable[tuple[str, str]], *_: object) -> list[ResolvedCall]:
        asked.append("".join(text for _, text in texts))
        return [ResolvedCall("lamps.py", 6, "warm", "lamps.py", 12)]

    monkeypatch.setattr(typed, "calls_in", answered)
    for _ in range(2):
        assert said(root, folder, "warm", "callers") == [("Lamp.glow", "exact", "confirmed")]
        write(root, {"README.md": "# Other lamps\n"})
    assert asked == [LAMPS]
    write(root, {"lamps.py": LAMPS + "\n"})
    said(root, folder, "warm", "callers")
    assert asked == [LAMPS, LAMPS + "\n"]
    kept = folder / typed.KEPT
    for broken in (kept.read_text()[:-2], "[]", "{}", '{"key": 1}'):
        kept.write_text(broken)
        assert said(root, folder, "warm", "callers") == [("Lamp.glow", "exact", "confirmed")]
    assert len(asked) == 6


def test_it_is_shown_copies_and_settings_of_ours_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path / "hostile", {**FILES, "pyrefly.toml": SETTINGS, "pyproject.toml": SETTINGS})
    seen = tmp_path / "seen"
    stands_in(monkeypatch, tmp_path, f"find . -type f > {seen}; env >> {seen}; exit 1")
    with pytest.raises(ResolverFailed):
        find_relations(root, folder, "warm", "callers", 1, typed=True)
    shown = seen.read_text().split("\n")
    assert sorted(one for one in shown if one.startswith("./")) == [
        "./pyrefly.toml",
        "./said",
        "./sources/hostile/lamps.py",
    ]
    assert not any(one.startswith(("PYTHONPATH=", "PYREFLY_", "VIRTUAL_ENV=")) for one in shown)
    assert not list(folder.glob("typed*"))


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo no memory; exit 101", "pyrefly ended with code 101: no memory"),
        ("echo nothing to check; exit 1", "pyrefly ended with code 1: nothing to check"),
        ("kill -9 $$", "pyrefly ended with code -9"),
        ("mkdir report; echo '[]' > report/pyrefly.pysa.json", "cannot be read: `pip install 'blendproof[types]'`"),
        ("mkdir report; echo '{' > report/pyrefly.pysa.json", "cannot be read: `pip install 'blendproof[types]'`"),
    ],
)
def test_a_resolver_that_fails_is_told(
    root: Path, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, message: str
) -> None:
    stands_in(monkeypatch, tmp_path, script)
    with pytest.raises(ResolverFailed) as raised:
        said(root, folder, "warm", "callers")
    assert message in str(raised.value)
    assert said(root, folder, "warm", "callers", ask=False) == [("Lamp.glow", "exact", None)]


def test_what_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stands_in(monkeypatch, tmp_path, f"echo $$ > {tmp_path}/id; exec sleep 600")
    began = time.monotonic()
    with pytest.raises(ResolverFailed, match=r"pyrefly took longer than 0\.5 s"):
        calls_in([("a.py", "")], "lamps", tmp_path, limit_s=0.5)
    assert time.monotonic() - began < 300
    if (tmp_path / "id").exists():
        with pytest.raises(ProcessLookupError):
            os.kill(int((tmp_path / "id").read_text()), 0)


def test_what_a_killed_process_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stands_in(monkeypatch, tmp_path, "exit 1")
    for name in ("typed-old", "typed-new", "vectors"):
        write(tmp_path / "index" / name, {"sources/a.py": ""})
    for name in ("typed-old", "vectors"):
        os.utime(tmp_path / "index" / name, (0, 0))
    with pytest.raises(ResolverFailed):
        calls_in([], "lamps", tmp_path / "index")
    assert sorted(path.name for path in (tmp_path / "index").iterdir()) == ["typed-new", "vectors"]


def test_without_the_program_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ResolverFailed, match=r"pip install 'blendproof\[types\]'"):
        pyrefly.program()
    write(tmp_path, {"pyrefly": ""}).joinpath("pyrefly").chmod(0o755)
    assert pyrefly.program() == tmp_path / "pyrefly"
