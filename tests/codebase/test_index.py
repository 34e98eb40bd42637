"""The index: it reads only what changed, and is whole whatever happens while it is made."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import filelock
import pytest

from codebase.ask.finding import find, fresh_snapshot
from codebase.errors import IndexingBusy, IndexingFailed, NotARepository, RepositoryIndexUnusable
from codebase.index import indexing
from codebase.index.indexing import update
from codebase.index.snapshot import load
from codebase.index.store import FILE, open_index
from codebase.units import read
from codebase.units.read import read_units
from tests.codebase.small import commit, repository, run_git, write

pytestmark = pytest.mark.slow

FILES = {
    "pkg/__init__.py": "from .paint import Brush\n",
    "pkg/paint.py": 'class Brush:\n    """Paints."""\n\n    def stroke(self):\n        return 1\n',
    "pkg/use.py": "from pkg import Brush\n\ndef draw_line():\n    return Brush().stroke()\n",
    "README.md": "# Painting\n\nHow to paint.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "repository", FILES)


def test_only_what_changed_is_read(root: Path, folder: Path) -> None:
    first = update(root, folder)
    assert (first.files, first.read, first.parsed, first.removed) == (4, 4, 4, 0)
    # The stamps of files that were written just now are not trusted at the next indexing.
    update(root, folder)
    age(root)
    update(root, folder)
    assert update(root, folder).read == 0
    write(root, {"pkg/use.py": "def draw_circle():\n    pass\n"})
    again = update(root, folder)
    assert (again.read, again.parsed) == (1, 1)
    assert "draw_circle" in load(folder).definitions and "draw_line" not in load(folder).definitions


EXPLODING = {
    "a.py": "def f(a):\n    return [a + 1, (a, {a: 2})]\n",
    "a.js": "const f = (a) => { return {a: [1, `x${a}`]} };\n",
    "a.md": "# Title\n\n* a [b](c) _d_\n",
    "a.toml": "[a.b]\nc = [1, {d = 2}]\n",
    "a.yaml": "a: &a [*b, {c: d}]\n",
    "a.json": '[{"a": [1, 2]},\n',
    "a.html": "<div class='a'>{% if a %}{{ b }}</div>\n",
}


def test_a_file_that_takes_long_is_left_out_and_named(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert update(write(root, EXPLODING), folder).problems == {}
    monkeypatch.setattr(indexing, "FILE_S", 0.03)
    write(root, {f"long{path}": text * (800_000 // len(text)) for path, text in EXPLODING.items()})
    done = update(root, folder)
    assert done.problems == {f"long{path}": "left out: reading it takes more than 0.03 s" for path in EXPLODING}
    assert done.files == len(FILES) + 2 * len(EXPLODING)
    # What was left out is not read again.
    assert update(root, folder).parsed == 0


def test_a_fault_in_one_file_costs_that_file(root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(path: str, text: str) -> object:
        if path == "pkg/use.py":
            raise IndexError("list index out of range")
        if path == "pkg/paint.py":
            raise RecursionError
        return read_units(path, text)

    monkeypatch.setattr(read, "read_units", fails)
    assert update(root, folder).problems == {
        "pkg/paint.py": "left out: it nests too deep",
        "pkg/use.py": "left out: a fault of Blendproof (IndexError)",
    }
    assert load(folder).paths == sorted(FILES) and "Painting" in {unit.name for unit in load(folder).units}


def age(root: Path) -> None:
    """Let files seem to be an hour old."""
    for file in root.rglob("*.*"):
        os.utime(file, (1_700_000_000, 1_700_000_000))


def test_a_change_that_keeps_size_and_time_is_seen_if_it_was_just_now(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a busy machine a file is read some time after it was written.
    monkeypatch.setattr(indexing, "RACY_NS", 10**12)
    update(root, folder)
    file = root / "pkg/use.py"
    stat = file.stat()
    file.write_text(file.read_text().replace("draw_line", "draw_disc"))
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert file.stat().st_size == stat.st_size
    update(root, folder)
    assert "draw_disc" in load(folder).definitions


def test_a_renamed_file_is_not_parsed_again(root: Path, folder: Path) -> None:
    age(root)
    update(root, folder)
    (root / "pkg/paint.py").rename(root / "pkg/brush.py")
    done = update(root, folder)
    assert (done.read, done.parsed, done.removed) == (1, 0, 1)
    assert "pkg/brush.py" in load(folder).paths and "pkg/paint.py" not in load(folder).paths


def test_a_branch_that_comes_back_costs_nothing(root: Path, folder: Path) -> None:
    update(root, folder)
    run_git(root, "checkout", "-q", "-b", "other")
    commit(root, {"pkg/use.py": "def other(): pass\n"}, day=2)
    assert update(root, folder).parsed == 1
    run_git(root, "checkout", "-q", "-")
    assert update(root, folder).parsed == 0
    assert "draw_line" in load(folder).definitions


def test_what_is_skipped_is_counted_with_its_reason(root: Path, folder: Path) -> None:
    write(root, {"big.py": b"#" * (2 << 20), "picture.png": b"\x89PNG\0", "bad.py": "def x(:\n"})
    done = update(root, folder)
    assert done.skipped == {"big.py": "larger than 1 MB", "picture.png": "binary"}
    assert list(done.problems) == ["bad.py"]
    with open_index(folder) as store:
        assert store.skipped() == done.skipped


def test_a_failed_indexing_leaves_the_old_index(root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    update(root, folder)
    write(root, {"pkg/a.py": "def added(): pass\n", "pkg/z.py": "def breaks(): pass\n"})

    def fails(path: str, text: str) -> object:
        if "breaks" in text:
            raise OSError(28, "No space left on device")
        return read_units(path, text)

    monkeypatch.setattr(read, "read_units", fails)
    with pytest.raises(IndexingFailed, match="cannot be written: No space left on device"):
        update(root, folder)
    assert load(folder).paths == sorted(FILES)
    monkeypatch.undo()
    update(root, folder)
    assert {"added", "breaks"} <= load(folder).definitions.keys()


def test_a_full_disk_leaves_the_old_index(root: Path, folder: Path) -> None:
    update(root, folder)
    pages = sqlite3.connect(folder / FILE)
    limit = pages.execute("PRAGMA page_count").fetchone()[0]
    pages.close()
    write(root, {"more.py": "".join(f"def f{n}_{n * n}(): pass\n" for n in range(2000))})
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def small(*args: object, **more: object) -> sqlite3.Connection:
        connection = connect(*args, **more)
        connection.execute(f"PRAGMA max_page_count = {limit}")
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", small)
        with pytest.raises(IndexingFailed, match="database or disk is full"):
            update(root, folder)
    assert load(folder).paths == sorted(FILES)
    assert update(root, folder).files == 5


def slow_update(root: Path, folder: Path, begun: str) -> None:
    """An indexing that stops at the second file, for as long as the test wants."""

    def waits(path: str, text: str) -> object:
        if path == "pkg/new.py":
            Path(begun).touch()
            signal.pause()
        return read_units(path, text)

    setattr(read, "read_units", waits)  # noqa: B010 - a process of its own, so nothing restores it
    update(root, folder)


def test_a_killed_indexing_leaves_the_old_index_and_no_lock(root: Path, folder: Path, tmp_path: Path) -> None:
    update(root, folder)
    write(root, {"a.py": "def first(): pass\n", "pkg/new.py": "def second(): pass\n"})
    begun = tmp_path / "begun"
    process = multiprocessing.get_context("spawn").Process(target=slow_update, args=(root, folder, str(begun)))
    process.start()
    wait = threading.Event()
    while process.is_alive() and not begun.exists():
        wait.wait(0.02)
    with pytest.raises(IndexingBusy, match="is being indexed by another process: wait until it is done"):
        update(root, folder)
    assert find(root, folder, "paint").freshness.problem, "the old index answers while another is made"
    process.kill()
    process.join()
    assert load(folder).paths == sorted(FILES)
    assert update(root, folder).parsed == 2


def test_the_lock_of_another_repository_does_not_matter(root: Path, folder: Path, tmp_path: Path) -> None:
    update(root, folder)
    with filelock.FileLock(tmp_path / "index.lock"):
        update(root, folder)


def test_an_index_of_another_version_is_made_again(root: Path, folder: Path) -> None:
    update(root, folder)
    with sqlite3.connect(folder / FILE) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(RepositoryIndexUnusable, match="made by another version: index it again"):
        load(folder)
    assert update(root, folder).parsed == 4


def test_a_damaged_index_is_said_to_be_such(root: Path, folder: Path) -> None:
    update(root, folder)
    (folder / FILE).write_bytes(b"nonsense" * 1000)
    with pytest.raises(RepositoryIndexUnusable, match="cannot be read: file is not a database"):
        load(folder)


def test_no_index_is_said_to_be_missing(folder: Path) -> None:
    with pytest.raises(RepositoryIndexUnusable, match="There is no index"):
        load(folder)


def test_an_empty_repository_has_an_empty_index(tmp_path: Path, folder: Path) -> None:
    run_git(tmp_path, "init", "-q", "empty")
    assert update(tmp_path / "empty", folder).files == 0
    assert find(tmp_path / "empty", folder, "anything").hits == []


def test_an_answer_says_what_was_mended_before(root: Path, folder: Path) -> None:
    update(root, folder)
    age(root)
    update(root, folder)
    head = run_git(root, "rev-parse", "HEAD").strip()
    assert fresh_snapshot(root, folder)[1].was_stale is False
    write(root, {"pkg/use.py": "def erase_everything():\n    pass\n"})
    found = find(root, folder, "erase everything")
    assert (found.freshness.commit, found.freshness.was_stale, found.freshness.read) == (head, True, 1)
    assert found.hits[0].citation == "pkg/use.py:1-2"
    assert found.hits[0].text == "def erase_everything():\n    pass"


def test_a_repository_that_is_gone_is_answered_from_the_index(root: Path, folder: Path) -> None:
    update(root, folder)
    root.rename(root.with_name("away"))
    found = find(root, folder, "stroke of the brush")
    assert found.freshness.problem and "is not a folder" in found.freshness.problem
    assert found.hits[0].name == "Brush.stroke"
    for _ in range(2):
        with pytest.raises(NotARepository):
            find(root, folder.with_name("none"), "stroke")


def test_an_index_whose_first_indexing_failed_is_none(
    root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(path: str, text: str) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(read, "read_units", fails)
    for _ in range(2):
        with pytest.raises(IndexingFailed, match="No space left"):
            find(root, folder, "stroke")
    monkeypatch.undo()
    assert find(root, folder, "stroke").hits


def test_a_snapshot_is_of_one_indexing_and_edges_of_two_are_not_kept(root: Path, folder: Path) -> None:
    update(root, folder)
    before = load(folder)
    write(root, {"pkg/use.py": "from pkg import Brush\n", "pkg/more.py": "x = 1\n"})
    with open_index(folder) as store, store.at_once():
        assert len(store.files()) == len(FILES)
        update(root, folder)
        assert len(store.files()) == len(FILES)
    assert not before.code.is_whole and before.graph is not None
    with open_index(folder) as store:
        assert store.graph() is None
    after = load(folder)
    assert after.code.is_whole and after.graph is not None
    with open_index(folder) as store:
        assert store.graph() is not None


def test_the_history_names_what_changes_together(root: Path, folder: Path) -> None:
    commit(root, {"pkg/paint.py": "x = 1\n", "README.md": "# Painting\n"}, day=5)
    update(root, folder)
    snapshot = load(folder)
    recency = dict(zip(snapshot.paths, snapshot.recency.tolist(), strict=True))
    assert recency["pkg/paint.py"] > recency["pkg/use.py"] > 0
    assert snapshot.history[0][1] == ["README.md", "pkg/paint.py"]


def test_the_history_has_names_of_any_kind(root: Path, folder: Path) -> None:
    odd = {"\x01x.py": "", "\na.py": "", "\n": "", "plain.py": ""}
    commit(root, odd, day=5)
    update(root, folder)
    assert [files for _, files in load(folder).history] == [sorted(odd), sorted(FILES)]
