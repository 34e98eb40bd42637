"""Folders that the jobs of a warm Blender share: the files of one job are gone before the next."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import traceback
from collections.abc import Callable, Iterable, Iterator

AT_ONCE = 100
"""Paths per command; the bytes of a command line are limited."""


class SharedFolders:
    """Folders that one job after another can write to. Each job finds the folders of this moment, and no file.

    Other file systems mounted below them, such as the job's own, are not entered: only their names are compared.
    """

    def __init__(self, folders: list[str]) -> None:
        self.folders = folders
        self.kept: dict[str, os.stat_result] = {}
        self.attributes: dict[str, set[str]] = {}
        # No job needs the files of the warm-up.
        take_away(path for path, status in self.entries(lambda _: True) if not stat.S_ISDIR(status.st_mode))
        for path, status in list(self.entries(lambda _: True)):
            self.kept[path] = status
            self.attributes[path] = attributes_of(path)

    def entries(self, is_known: Callable[[str], bool]) -> Iterator[tuple[str, os.stat_result]]:
        """The folders and all that is in them, parents first. Unknown folders are not entered."""
        for folder in self.folders:
            waiting, device = [folder], os.lstat(folder).st_dev
            while waiting:
                path = waiting.pop()
                status = os.lstat(path)
                yield path, status
                if stat.S_ISDIR(status.st_mode) and status.st_dev == device and is_known(path):
                    waiting += [entry.path for entry in os.scandir(path)]

    def restore(self) -> bool:
        """Remove the files of a job, and restore the folders as they were; True if that succeeded."""
        try:
            own = {path: status for path, status in self.kept.items() if status.st_dev == self.device_of(path)}
            for path, status in own.items():
                self.make_again(path, status)
            take_away(path for path, _ in self.entries(self.kept.__contains__) if path not in self.kept)
            for path, status in own.items():
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
            modes = {path: status.st_mode for path, status in self.entries(self.kept.__contains__)}
        except OSError:
            traceback.print_exc()
            return False
        return modes == {path: status.st_mode for path, status in self.kept.items()}

    def device_of(self, path: str) -> int:
        """The file system of the folder that a kept path is in: the path's own, unless another is mounted there."""
        folder = next(folder for folder in self.folders if path == folder or path.startswith(f"{folder}/"))
        return self.kept[folder].st_dev

    def make_again(self, path: str, was: os.stat_result) -> None:
        """Restore a folder, whatever is in its place now; its parent is restored already."""
        if os.path.lexists(path) and not stat.S_ISDIR(os.lstat(path).st_mode):
            os.remove(path)
        os.makedirs(path, exist_ok=True)
        if added := attributes_of(path) - self.attributes[path]:
            # They can be removed only with permission to write.
            os.chmod(path, 0o700)
            for name in added:
                os.removexattr(path, name)
        os.chmod(path, stat.S_IMODE(was.st_mode))


def attributes_of(path: str) -> set[str]:
    """Names of the extended attributes of a file; empty if the file system has none."""
    try:
        return set(os.listxattr(path, follow_symlinks=False))
    except OSError as error:
        if error.errno == errno.ENOTSUP:
            return set()
        raise


def take_away(paths: Iterable[str]) -> None:
    """Remove files, and folders with all that is in them."""
    folders: list[str] = []
    for path in list(paths):
        if stat.S_ISDIR(os.lstat(path).st_mode):
            folders.append(path)
        else:
            os.remove(path)
    for first in range(0, len(folders), AT_ONCE):
        # A job may have locked them. `rm` copes with trees that are too deep for `shutil.rmtree`.
        for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf", "--one-file-system"]):
            subprocess.run([*command, "--", *folders[first : first + AT_ONCE]], check=False, capture_output=True)
