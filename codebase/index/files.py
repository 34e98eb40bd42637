"""The files of a repository: those that are read, and for each of the others the reason why it is not."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import re
import stat
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from codebase.errors import GitTooSlow, NotARepository
from codebase.index.limit import TooSlow, computing_within
from codebase.index.secrets import KEY_REASON, REASON, holds_key, is_secret
from codebase.tree.git import TIMEOUT_S, git, head, is_work_tree

if TYPE_CHECKING:
    import pathspec

MAX_BYTES: Final = 1 << 20
SKIPPED_FOLDERS: Final = {
    **dict.fromkeys(("node_modules", "bower_components", "site-packages"), "installed packages"),
    **dict.fromkeys(("dist", ".next", ".nuxt"), "built files"),
    **dict.fromkeys((".git", ".hg", ".svn"), "version control"),
    **dict.fromkeys(("__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".tox"), "a cache"),
    **dict.fromkeys((".venv", "venv"), "a Python environment"),
}
TRIES: Final = 3
IGNORE: Final = ".gitignore"
IGNORE_S: Final = 1.0
"""Seconds of computing to compare one path with one ignore file."""
LONG_PATTERNS: Final = f"not followed: comparing one path with its patterns takes more than {IGNORE_S:g} s"


LISTING_S: Final = 15.0
"""Seconds in which git lists the files; if it takes longer, `plain_files` reads the ignore files in its place."""
SLOW: Final[dict[Path, float]] = {}
"""Folders whose files git did not list in time, and when on the monotonic clock."""
AGAIN_S: Final = 3600.0
"""Time until git is asked once more."""
EXCLUDES: Final = ".git/info/exclude"


@dataclasses.dataclass(frozen=True)
class FileListing:
    """The files of a folder: `paths` relative to it, with slashes; `skipped` has the others with the reason."""

    root: Path
    commit: str | None
    paths: list[str]
    skipped: dict[str, str]


@dataclasses.dataclass(frozen=True)
class Stamp:
    """State of a file in the file system; if it is the same as before, so is the content."""

    size: int
    mtime_ns: int
    inode: int


@dataclasses.dataclass(frozen=True)
class Content:
    """The text of a file at one moment."""

    path: str
    text: str
    sha256: str
    stamp: Stamp


@dataclasses.dataclass(frozen=True)
class SkippedFile:
    """A file that is not read, and the reason."""

    path: str
    reason: str


def list_files(root: Path) -> FileListing:
    """The files below a folder. Raises NotARepository and GitFailed."""
    root = root.resolve()
    if not root.is_dir():
        raise NotARepository(f"{root} is not a folder: write the path of a Git working tree or a plain folder.")
    if not os.access(root, os.R_OK | os.X_OK):
        raise NotARepository(f"{root} cannot be read: no permission.")
    is_git = is_work_tree(root)
    if not is_git and is_bare(root):
        raise NotARepository(f"{root} is what git keeps, without files: add a working tree of it.")
    skipped: dict[str, str] = {}
    listed = git_files(root, skipped) if is_git else plain_files(root, skipped)
    paths: list[str] = []
    for path in listed:
        reason = skipped_folder(path) or (REASON if is_secret(path) else None)
        if not is_text(path):
            reason = "its name is not UTF-8"
        if reason:
            skipped[path] = reason
        else:
            paths.append(path)
    readable = {path if is_text(path) else escaped_name(path): reason for path, reason in skipped.items()}
    return FileListing(root, head(root) if is_git else None, sorted(set(paths)), readable)


def is_bare(root: Path) -> bool:
    """True if a folder is a bare repository of git, without files. Its configuration may hold a password."""
    return (root / "HEAD").is_file() and (root / "objects").is_dir() and (root / "refs").is_dir()


def is_text(path: str) -> bool:
    """True if the name of a file is UTF-8, so that it can be cited."""
    return not any("\ud800" <= letter <= "\udfff" for letter in path)


def escaped_name(path: str) -> str:
    """A name that is not UTF-8, with its odd bytes as escapes."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def git_files(root: Path, skipped: dict[str, str]) -> Iterator[str]:
    """Tracked and new files, without the ignored ones."""
    options = ("-c", "-o", "--exclude-standard")
    if time.monotonic() - SLOW.get(root, -AGAIN_S) >= AGAIN_S:
        try:
            yield from listed_by_git(root, options, LISTING_S)
            return
        except GitTooSlow:
            SLOW[root] = time.monotonic()
    # Git compares patterns without a limit; tracked files need none of them.
    yield from listed_by_git(root, ("-c",), TIMEOUT_S)
    yield from plain_files(root, skipped)
    skipped[EXCLUDES] = "not followed: git does not list the files in time"


def listed_by_git(root: Path, options: Sequence[str], timeout_s: float) -> list[str]:
    names = git(root, "ls-files", *options, "-z", timeout_s=timeout_s).split(b"\0")
    return [os.fsdecode(name) for name in names if name]


def plain_files(root: Path, skipped: dict[str, str]) -> Iterator[str]:
    """The files of a plain folder, by its .gitignore files; links are listed, and never followed."""
    # None stands for a file whose patterns take too long.
    rules: dict[Path, pathspec.GitIgnoreSpec | None] = {}
    unreadable: list[str] = []

    def note(error: OSError) -> None:
        unreadable.append(str(error.filename))

    for place, folders, names in os.walk(root, onerror=note):
        here = Path(place)
        if IGNORE in names and (said := read_rules(here, rules)):
            skipped[(here / IGNORE).relative_to(root).as_posix()] = f"not followed: {said}"
        for name in [*folders]:
            path = (here / name).relative_to(root).as_posix()
            reason = skipped_folder(f"{path}/") or ("ignored" if is_ignored(here / name, rules, "/") else None)
            if os.path.islink(here / name):  # noqa: PTH114 - Path raises without permission
                reason = "a link to a folder"
            if reason:
                skipped[f"{path}/"] = reason
                folders.remove(name)
        for name in names:
            if is_ignored(here / name, rules, ""):
                skipped[(here / name).relative_to(root).as_posix()] = "ignored"
            else:
                yield (here / name).relative_to(root).as_posix()
    skipped.update(
        {
            (folder / IGNORE).relative_to(root).as_posix(): LONG_PATTERNS
            for folder, spec in rules.items()
            if spec is None
        }
    )
    skipped.update({f"{Path(name).relative_to(root).as_posix()}/": "no permission" for name in unreadable})


def read_rules(folder: Path, rules: dict[Path, pathspec.GitIgnoreSpec | None]) -> str:
    """Add the rules of the .gitignore in a folder; returns which of it cannot be followed, and why."""
    # Imported here, because it takes as long as a search, which seldom is of a folder without Git.
    import pathspec

    file = folder / IGNORE
    try:
        if file.is_symlink() or not file.is_file():
            return ""
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        return str(error.strerror)
    patterns: list[Any] = []
    wrong: list[str] = []
    for number, line in enumerate(lines, 1):
        try:
            patterns += pathspec.GitIgnoreSpec.from_lines([line.removesuffix("\r")]).patterns
        except (ValueError, re.error):
            wrong.append(str(number))
    rules[folder] = pathspec.GitIgnoreSpec(patterns)
    return f"line {', '.join(wrong[:5])} is no pattern" if wrong else ""


def is_ignored(path: Path, rules: dict[Path, pathspec.GitIgnoreSpec | None], end: str) -> bool:
    """True if an ignore file names the path; the nearest file that mentions it decides."""
    for folder in path.parents:
        if spec := rules.get(folder):
            try:
                with computing_within(IGNORE_S):
                    included = spec.check_file(path.relative_to(folder).as_posix() + end).include
            except TooSlow:
                rules[folder], included = None, None
            if included is not None:
                return included
    return False


def skipped_folder(path: str) -> str | None:
    """The reason why a path is never read, from the folders that it is in."""
    for part in path.split("/")[:-1]:
        if part in SKIPPED_FOLDERS:
            return f"in {part}: {SKIPPED_FOLDERS[part]}"
    return None


class Stamps:
    """State of files at one moment. The target of a folder is looked up once per folder."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._start = f"{root}/".replace("//", "/")
        self._inside: dict[str, bool] = {}

    def of(self, path: str) -> Stamp | SkippedFile:
        """The stamp of a file, or the reason why it is not read. Opens nothing."""
        try:
            # Strings, because a search asks this for every file, and making a Path takes longer than the look-up.
            status = os.lstat(self._start + path)
            if stat.S_ISLNK(status.st_mode):
                return SkippedFile(path, link_reason(self._root, path))
            if stat.S_ISDIR(status.st_mode):
                return SkippedFile(path, "a submodule or a repository of its own")
            if not self._is_inside(path.rpartition("/")[0]):
                return SkippedFile(path, "a link leads out of the folder")
        except FileNotFoundError:
            return SkippedFile(path, "deleted, but not yet in a commit")
        except OSError as error:
            return SkippedFile(path, str(error.strerror))
        if not stat.S_ISREG(status.st_mode):
            return SkippedFile(path, "not a plain file")
        if status.st_size > MAX_BYTES:
            return SkippedFile(path, f"larger than {MAX_BYTES >> 20} MB")
        return Stamp(status.st_size, status.st_mtime_ns, status.st_ino)

    def _is_inside(self, folder: str) -> bool:
        if folder not in self._inside:
            self._inside[folder] = (self._root / folder).resolve().is_relative_to(self._root)
        return self._inside[folder]


def stamp_of(root: Path, path: str) -> Stamp | SkippedFile:
    """The stamp of one file, or the reason why it is not read."""
    return Stamps(root).of(path)


def link_reason(root: Path, path: str) -> str:
    """The reason why a link is not read."""
    try:
        target = (root / path).resolve(strict=True)
    except FileNotFoundError:
        return "a link to nothing"
    except (OSError, RuntimeError):
        return "a link in a loop"
    return "a link to another file here" if target.is_relative_to(root) else "a link leads out of the folder"


def read_file(root: Path, path: str) -> Content | SkippedFile:
    """The text of a file as it was at one moment, or the reason why it is not read."""
    for _ in range(TRIES):
        before = stamp_of(root, path)
        if isinstance(before, SkippedFile):
            return before
        try:
            handle = os.open(root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(handle, "rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            return SkippedFile(path, str(error.strerror))
        if before == stamp_of(root, path) and len(data) == before.size:
            return content_of(path, data, before)
    return SkippedFile(path, "changed while it was read")


def content_of(path: str, data: bytes, stamp: Stamp) -> Content | SkippedFile:
    """The text in the bytes of a file, or the reason why there is none."""
    if b"\0" in data[:8192]:
        return SkippedFile(path, "binary")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return SkippedFile(path, f"not UTF-8 (byte {error.start})")
    if holds_key(text):
        return SkippedFile(path, KEY_REASON)
    return Content(path, text, hashlib.sha256(data).hexdigest(), stamp)


GENERATED_NAMES: Final = re.compile(r"\.min\.(js|css)$|(^|/)(package-lock\.json|[^/]+\.lock|pnpm-lock\.yaml)$")
GENERATED_MARK: Final = re.compile(r"@generated|generated by .{0,60}|do not edit|auto-?generated", re.IGNORECASE)
VENDORED: Final = {"vendor", "vendored", "_vendor", "third_party", "thirdparty", "extern", "external"}


def is_foreign(path: str, text: str) -> bool:
    """True if a file was generated or copied in from elsewhere: it is searched, but ranked below others."""
    if GENERATED_NAMES.search(path) or not VENDORED.isdisjoint(path.split("/")[:-1]):
        return True
    start = text[:1000].splitlines()[:5]
    return any(GENERATED_MARK.search(line) and line.lstrip().startswith(("#", "/", "*", "<!", '"')) for line in start)
