"""The folders of one execution, and the careful handling of the files of untrusted code.

current/   the processes that run the snippet: home, tmp, files (their work folder), out (where they save); each of them
           finds it as if it were the first. These two names tell a snippet nothing
kept/      scenes taken from them as soon as they are saved
setup/     files that a setup left for the snippet
examine/   the witness: home, tmp, files (empty), out (evidence and pictures)
assert/    each assertion of the caller: home, tmp, files and out (both empty)
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import shutil
import stat
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Generator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from harness.launcher import escaped
from harness.protocol import AFTER

Phase = Literal["run", "examine", "assert"]
"""The processes of an execution: those of the snippet, the witness, the caller's assertions."""
CODE: Final = (".py", ".pyc", ".so", ".pyd")
"""The suffixes of files that Python imports."""
SAVED_LIMIT_BYTES: Final = 256 << 20
SCENE_LIMIT_BYTES: Final = 64 << 20
"""The largest scene that is given away; a larger one is examined, and then removed like all others."""
READ_LIMIT_BYTES: Final = 1 << 20
FILES_LOOKED_AT: Final = 10_000
"""Files and folders of a work folder, of which no more are looked at."""
PICTURE_LIMIT_BYTES: Final = 16 << 20
PICTURES_LIMIT_BYTES: Final = 64 << 20
"""Limit of a picture, and of all: fifteen of the largest size that can be asked for take 45 MiB at most."""


class WorkFolderGone(Exception):
    """The snippet removed its work folder, or put something else in its place."""


@dataclass(frozen=True)
class Folders:
    """The folders of one execution."""

    place: Path
    """The folder that holds them."""
    place_inside: Path
    """The path of that folder for the processes."""

    @classmethod
    def make(cls, place: Path, place_inside: Path | None = None) -> Folders:
        """Create them below an empty or missing folder."""
        folders = cls(place, place_inside or place)
        for process in (folders.run, folders.examine, folders.asserting):
            make_parts(process)
        folders.kept.mkdir()
        return folders

    def inside(self, path: Path) -> Path:
        """The path of something in the place, for the processes."""
        return self.place_inside / path.relative_to(self.place)

    @property
    def run(self) -> Path:
        return self.place / "current"

    @property
    def kept(self) -> Path:
        return self.place / "kept"

    @property
    def of_setup(self) -> Path:
        """The files of a setup, for each process that runs the snippet after the first."""
        return self.place / "setup"

    @property
    def examine(self) -> Path:
        return self.place / "examine"

    @property
    def asserting(self) -> Path:
        return self.place / "assert"

    def of(self, phase: Phase) -> Path:
        """The folder of a process."""
        return {"run": self.run, "examine": self.examine, "assert": self.asserting}[phase]

    @property
    def work(self) -> Path:
        """The current folder of the snippet."""
        return self.run / "files"

    def kept_file(self, name: str) -> Path | None:
        """A kept scene, or None."""
        path = self.kept / name
        return path if path.exists() else None

    def keep(self, name: str) -> None:
        """Move a saved scene out of the reach of process one, unless one is kept already or it is not a file."""
        source, target = self.run / "out" / name, self.kept / name
        with contextlib.suppress(OSError):
            status = source.lstat()
            regular = stat.S_ISREG(status.st_mode) and status.st_nlink == 1
            if regular and status.st_size <= SAVED_LIMIT_BYTES and not target.exists():
                shutil.move(source, target)

    @contextlib.asynccontextmanager
    async def unused(self, phase: Phase) -> AsyncGenerator[None, None]:
        """The folder of these processes as before the first of them. The files of that one are back afterwards."""
        folder, left, used = self.of(phase), self.place / "left", self.place / "used"
        folder.rename(left)
        make_parts(folder)
        try:
            yield
        finally:
            folder.rename(used)
            left.rename(folder)
            await asyncio.to_thread(remove_quickly, used)

    def forget_code(self) -> None:
        """Remove a setup's leftovers except files in the work folder, and of those the ones that an import would run.

        Raises WorkFolderGone.
        """
        if self.work.is_symlink() or not self.work.is_dir():
            raise WorkFolderGone
        for path, _ in files_below(self.work):
            if path.suffix in CODE:
                path.unlink()
        for path in list(self.run.iterdir()):
            if path != self.work:
                remove_tree(path)
        make_parts(self.run)

    def keep_files_of_setup(self) -> None:
        """Copy the files of a setup in the work folder out of the reach of snippets; links are left out."""
        for path, _ in files_below(self.work):
            with contextlib.suppress(OSError):
                if stat.S_ISREG(path.lstat().st_mode):
                    copy_below(self.work, path, self.of_setup)

    def bring_files_of_setup(self) -> bool:
        """Have these files in the work folder; true if there are any."""
        kept = files_below(self.of_setup)
        for path, _ in kept:
            copy_below(self.of_setup, path, self.work)
        return bool(kept)

    @contextlib.contextmanager
    def beside_the_files(self, names: Iterable[str]) -> Generator[dict[str, str], None, None]:
        """The kept scenes under fresh names in the work folder, where their relative paths lead to the right files.

        Process one must have ended. Maps each kept name to the path that the processes see. Raises WorkFolderGone.
        """
        links = {name: self.work / f"{secrets.token_hex(8)}-{name}" for name in names if self.kept_file(name)}
        try:
            if not stat.S_ISDIR(self.work.lstat().st_mode):
                raise WorkFolderGone
            self.run.chmod(0o700)
            self.work.chmod(0o700)
            for name, link in links.items():
                os.link(self.kept / name, link)
        except (FileNotFoundError, NotADirectoryError, PermissionError) as error:
            raise WorkFolderGone from error
        try:
            yield {name: str(self.inside(link)) for name, link in links.items()}
        finally:
            for link in links.values():
                link.unlink(missing_ok=True)

    def left_files(self, ours: set[str]) -> tuple[list[dict[str, Any]], bool]:
        """Names (escaped) and sizes in bytes of the snippet's files in its work folder; links are not followed.

        And true if these are all, False if there is more than is looked at.
        """
        found, whole = walked(self.work)
        left = [(path, size) for path, size in found if str(path.relative_to(self.work)) not in ours]
        files: list[dict[str, Any]] = [{"name": self.name_of(path), "bytes": size} for path, size in left]
        return sorted(files, key=lambda file: str(file["name"])), whole

    def paths_by_name(self) -> dict[str, Path]:
        """The files in the work folder by their names as in `left_files`."""
        return {self.name_of(path): path for path, _ in files_below(self.work)}

    def name_of(self, path: Path) -> str:
        return escaped(str(path.relative_to(self.work))).replace("\n", "\\n")

    def scene(self, name: str = AFTER) -> bytes | None:
        """The scene of the snippet, as the witness opened or exported it; None if there is none or it is too large."""
        kept = self.kept_file(name)
        return kept.read_bytes() if kept and kept.stat().st_size <= SCENE_LIMIT_BYTES else None

    def pictures(self) -> dict[str, bytes]:
        """The pictures that process two rendered, by name, the oldest first; it has ended.

        A picture that is no plain file or too large is left out, and so are those beyond the limit of all pictures.
        """
        pictures: dict[str, bytes] = {}
        room = PICTURES_LIMIT_BYTES
        for path, size in rendered(self.examine / "out"):
            if size <= min(room, PICTURE_LIMIT_BYTES):
                with contextlib.suppress(OSError):
                    pictures[path.name] = path.read_bytes()
                    room -= size
        return pictures


def make_parts(process: Path) -> None:
    """The folders of a process, as far as they are missing."""
    for name in ("home", "tmp", "files", "out"):
        (process / name).mkdir(parents=True, exist_ok=True)


def rendered(folder: Path) -> list[tuple[Path, int]]:
    """The pictures in a folder with their sizes, the oldest first; without links and unreadable entries."""
    pictures: list[tuple[int, str, int]] = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in itertools.islice(entries, FILES_LOOKED_AT):
            if entry.name.endswith(".png") and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                pictures.append((status.st_mtime_ns, entry.name, status.st_size))
    return [(folder / name, size) for _, name, size in sorted(pictures)]


def files_below(folder: Path) -> list[tuple[Path, int]]:
    """Everything below a folder except folders, with its size, as far as it is looked at."""
    return walked(folder)[0]


def walked(folder: Path) -> tuple[list[tuple[Path, int]], bool]:
    """The same, and true if that is all. The tree may be too deep for recursion."""
    found: list[tuple[Path, int]] = []
    waiting, seen = [folder], 0
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                seen += 1
                if seen > FILES_LOOKED_AT:
                    return found, False
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))
                else:
                    found.append((Path(entry.path), entry.stat(follow_symlinks=False).st_size))
    return found, True


def begins_with(path: Path) -> bytes:
    """The first MiB of a stranger's file; empty if it is no plain file or cannot be read."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
    with contextlib.suppress(OSError), open(path, "rb", opener=lambda name, _: os.open(name, flags)) as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file.read(READ_LIMIT_BYTES)
    return b""


def copy_below(folder: Path, path: Path, target: Path) -> None:
    """Copy a plain file from its folder to the same place below another one; it is never followed if it is a link."""
    copy = target / path.relative_to(folder)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, copy, follow_symlinks=False)


def remove_quickly(folder: Path) -> None:
    """Remove a folder that is most likely small and shallow, without starting a process for it."""
    with contextlib.suppress(OSError, RecursionError):
        shutil.rmtree(folder)
    if folder.exists():
        remove_tree(folder)


@contextlib.asynccontextmanager
async def passing_place() -> AsyncGenerator[Path, None]:
    """A place for a folder, which is removed in the end with all files of a stranger's code in it."""
    with tempfile.TemporaryDirectory(prefix="blendproof-") as name:
        place = Path(name) / "place"
        try:
            yield place
        finally:
            await asyncio.to_thread(remove_tree, place)


def remove_tree(folder: Path) -> None:
    """Remove a folder with all that is in it. `rm` copes with trees that are too deep for `shutil.rmtree`."""
    remove = ["rm", "-rf", "--", str(folder)]
    if subprocess.run(remove, check=False, capture_output=True).returncode:
        # A job may lock its folders, and a service that is not root cannot look into those.
        subprocess.run(["chmod", "-R", "u+rwX", "--", str(folder)], check=False, capture_output=True)
        subprocess.run(remove, check=False, capture_output=True)


def write_text(path: Path, text: str) -> Path:
    """Write the text to a file unchanged, lone surrogates included; return its path."""
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    return path


def is_below(name: str) -> bool:
    """True if a path with `/` between its parts names a file below a folder, and nothing outside it."""
    return all(part not in ("", ".", "..") and "\0" not in part for part in name.split("/"))


def write_new(path: Path, content: bytes) -> None:
    """Write a new file, with the folders around it. Raises OSError if it exists, even as a link."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)
