"""Reads the files of a commit, and writes a new commit on a branch of its own.

    commit ── ls-tree, cat-file ──> bytes of the files as they are stored
    changed files ── hash-object, update-index, write-tree, commit-tree, update-ref ──> branch

Only objects and one reference are written. Nothing is checked out, so no filter of the repository runs, and neither the
working tree nor the index of its owner is touched. See docs/decisions/0068.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from codebase.errors import GitFailed
from codebase.tree.git import git

IDENTITY: Final = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "Blendproof"), ("EMAIL", "blendproof@localhost"))
}
PLAIN: Final = ("100644", "100755")
"""Modes of plain files; links and submodules have others."""
MOST_BRANCHES: Final = 1000


def files_of(root: Path, commit: str, most_bytes: int) -> tuple[dict[str, bytes], dict[str, str]]:
    """The plain files of a commit by path below `root`, and the others by path with the reason. Raises GitFailed."""
    contents: dict[str, bytes] = {}
    skipped: dict[str, str] = {}
    wanted: list[tuple[str, bytes]] = []
    for path, mode, blob, size in entries_of(root, commit):
        if printable(path) != path:
            skipped[printable(path)] = "its name is not UTF-8"
        elif mode not in PLAIN:
            skipped[path] = "a submodule" if mode == "160000" else "a link"
        elif size < 0:
            skipped[path] = "not in this copy of the repository"
        elif size > most_bytes:
            skipped[path] = f"larger than {most_bytes >> 20} MB"
        else:
            wanted.append((path, blob))
    answer = git(root, "cat-file", "--batch", given=b"".join(blob + b"\n" for _, blob in wanted))
    place = 0
    for path, _ in wanted:
        end = answer.index(b"\n", place)
        size = int(answer[place:end].split()[2])
        contents[path] = answer[end + 1 : end + 1 + size]
        place = end + size + 2
    return contents, skipped


def printable(path: str) -> str:
    """A path without its bytes that are not UTF-8."""
    return path.encode("utf-8", "replace").decode()


def entries_of(root: Path, commit: str) -> list[tuple[str, str, bytes, int]]:
    """Path below `root`, mode, blob and size of each file of a commit; the size is -1 if the file is not here.

    A partial clone or a damaged one lacks some, and git, which may fetch none of them, ends where one is asked for.
    """
    rows: list[tuple[str, str, bytes, bytes]] = []
    for line in git(root, "ls-tree", "-r", "-z", commit).split(b"\0"):
        if line:
            facts, _, name = line.partition(b"\t")
            mode, kind, blob = facts.split()
            rows.append((os.fsdecode(name), mode.decode(), kind, blob))
    objects = git(root, "rev-list", "--objects", "--no-walk", "--missing=print", commit).splitlines()
    missing = {line[1:] for line in objects if line.startswith(b"?")}
    here = [blob for _, _, kind, blob in rows if kind == b"blob" and blob not in missing]
    told = git(root, "cat-file", "--batch-check=%(objectsize)", given=b"".join(blob + b"\n" for blob in here))
    # Of an object that is damaged it says `<name> missing`.
    sizes = {blob: int(size) for blob, size in zip(here, told.split(b"\n"), strict=False) if size.isdigit()}
    return [(path, mode, blob, sizes.get(blob, -1 if kind == b"blob" else 0)) for path, mode, kind, blob in rows]


def branch_off(root: Path, commit: str, name: str, changed: Mapping[str, bytes], message: str) -> str:
    """Commit changed files on top of a commit, on a new branch; returns its name, with a number if that is taken.

    A branch of that name with the same files on the same commit was made by this before, and is returned.
    `changed` are plain files of the commit, or new ones, by path below `root`. Raises GitFailed.
    """
    prefix = git(root, "rev-parse", "--show-prefix").decode().strip()
    modes = {path: mode for path, mode, _, _ in entries_of(root, commit)}
    rows: list[bytes] = []
    for path, content in sorted(changed.items()):
        blob = git(root, "hash-object", "-w", "--no-filters", "--stdin", given=content).strip()
        rows.append(mode_for(path, modes).encode() + b" " + blob + b"\t" + os.fsencode(prefix + path) + b"\0")
    with tempfile.TemporaryDirectory() as folder:
        own_index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
        git(root, "read-tree", commit, more=own_index)
        git(root, "update-index", "-z", "--index-info", given=b"".join(rows), more=own_index)
        # In a partial clone, the files that stay as they are may be elsewhere.
        tree = git(root, "write-tree", "--missing-ok", more=own_index).decode().strip()
    made = git(root, "commit-tree", tree, "-p", commit, given=message.encode(), more=IDENTITY).decode().strip()
    check_name(root, name)
    for number in range(1, MOST_BRANCHES):
        branch = name if number == 1 else f"{name}-{number}"
        if has_branch(root, branch) and is_same(root, branch, tree, commit):
            return branch
        if not has_branch(root, branch) and not git(root, "for-each-ref", f"refs/heads/{branch}/"):
            # Zeros as the old value: the branch must not have appeared meanwhile.
            git(root, "update-ref", f"refs/heads/{branch}", made, "0" * len(made))
            return branch
    raise GitFailed(f"there are {MOST_BRANCHES} branches {name}-… already: remove some")


def check_branching(root: Path, name: str) -> None:
    """Raise GitFailed if `branch_off` could not make this branch: what takes long should not be in vain."""
    check_name(root, name)
    objects = Path(root, git(root, "rev-parse", "--git-path", "objects").decode().strip())
    try:
        tempfile.TemporaryFile(dir=objects).close()
    except OSError as error:
        raise GitFailed(f"no branch can be made, because {objects} cannot be written: {error.strerror}") from error


def check_name(root: Path, name: str) -> None:
    """Raise GitFailed if another branch keeps git from making one of this name."""
    outer = next((name_above for name_above in outer_of(name) if has_branch(root, name_above)), None)
    if outer:
        raise GitFailed(f"there is a branch {outer}, so git makes none that is called {name}: rename {outer}")


def is_same(root: Path, branch: str, tree: str, commit: str) -> bool:
    """True if a branch has these files on top of this commit."""
    return git(root, "log", "-1", "--format=%T %P", f"refs/heads/{branch}").decode().split() == [tree, commit]


def outer_of(branch: str) -> list[str]:
    """The names above a branch of this name: for `a/b/c` they are `a/b` and `a`."""
    return [str(parent) for parent in PurePosixPath(branch).parents if str(parent) != "."]


def mode_for(path: str, modes: Mapping[str, str]) -> str:
    """The mode of a file to write. Raises GitFailed if something else is at its path, or a file is above it."""
    mode = modes.get(path, PLAIN[0])
    parents = (str(parent) for parent in PurePosixPath(path).parents)
    is_folder = any(other.startswith(f"{path}/") for other in modes)
    if mode not in PLAIN or is_folder or any(parent in modes for parent in parents):
        raise GitFailed(f"{path} is not written: it is no plain file, or is below one.")
    return mode


def has_branch(root: Path, branch: str) -> bool:
    try:
        git(root, "rev-parse", "--verify", "--quiet", f"refs/heads/{branch}")
    except GitFailed:
        return False
    return True
