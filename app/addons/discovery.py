"""Finds the add-ons among the files of a repository, by their manifest or by `bl_info`. Nothing is parsed."""

from __future__ import annotations

import base64
import io
import re
import stat
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Final

from app.errors import AddonsRefused
from app.healing.encodings import encoding_of, parses
from app.repositories.changing.file_texts import Content
from app.repositories.project import TaskProblem
from app.repositories.tasks import as_text, or_problem
from codebase.index.files import SkippedFile, list_files, stamp_of
from codebase.tree.commits import entries_of, files_of
from codebase.tree.suite import SuiteSettings, suite_of
from harness.addons import MANIFEST, Addon
from harness.readers import Readers, ReadingFailed
from harness.readers.unpacking import MOST_BYTES, PART_BYTES, files_in_zip

MOST_FILE_BYTES: Final = 16 << 20
BL_INFO: Final = re.compile(rb"^bl_info\s*(?::[^=\n]+)?=", re.MULTILINE)
EXTENSION_ID: Final = re.compile(rb"^id\s*=\s*[\"'](\w+)[\"']", re.MULTILINE)
ODD: Final = frozenset({"punycode", "idna", "unicode_escape", "raw_unicode_escape", "utf-7", "undefined"})
"""Codecs that take long, or leave half of a character."""
BRANCH_NAMES: Final = re.compile(r"[-_](?:master|main|develop)$")
OWN_IMPORT: Final = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(\w+)\.(\w+)", re.MULTILINE)
OF_BLENDER: Final = sys.stdlib_module_names | {"bpy", "bpy_extras", "bmesh", "mathutils", "gpu_extras", "numpy"}
TESTS: Final = frozenset({"test", "tests"})


@dataclass(frozen=True)
class Contents:
    """The files of a repository or an archive, by path. `commit` is theirs, if they are of a commit."""

    name: str
    files: dict[str, Content]
    skipped: dict[str, str]
    commit: str | None = None


@dataclass(frozen=True)
class PortMaterial:
    """Material for porting a repository: its files, and the settings of its test suite."""

    contents: Contents
    wanted: SuiteSettings | None


@dataclass(frozen=True)
class FoundAddon:
    """An add-on in a repository. `place` is its folder, empty for the root, or its only file.

    `modules` are the files of the folder that Blender has on its path beside `addons`, by their names in Python; they
    are among the `paths` of the first add-on alone.
    """

    place: str
    module: str
    paths: tuple[str, ...]
    modules: Mapping[str, str] = field(default_factory=dict[str, str])

    def path_of(self, file: str) -> str:
        """The path in the repository of a file that Python names, below the add-on's own folder."""
        if file in self.modules:
            return self.modules[file]
        if self.place.endswith(".py"):
            return self.place
        rest = file.partition("/")[2]
        return f"{self.place}/{rest}" if self.place else rest

    def build(self, files: Mapping[str, bytes]) -> Addon:
        """The add-on with these files, by path in the repository."""
        beside = {file: files[path] for file, path in self.modules.items()}
        if self.place.endswith(".py"):
            return Addon(self.module, {**beside, f"{self.module}.py": files[self.place]})
        start = len(self.place) + 1 if self.place else 0
        own = [path for path in self.paths if path not in self.modules.values()]
        return Addon(self.module, {**beside, **{f"{self.module}/{path[start:]}": files[path] for path in own}})


def port_material(root: Path, most_bytes: int) -> PortMaterial | TaskProblem:
    """The material for porting a repository, as a task."""

    def read() -> PortMaterial:
        contents = contents_of(root, root.name, most_bytes)
        return PortMaterial(contents, suite_of(contents.files))

    try:
        return or_problem(read)
    except AddonsRefused as error:
        return TaskProblem("AddonsRefused", error.message)


def contents_of(root: Path, name: str, most_bytes: int = MOST_BYTES) -> Contents:
    """The files of a repository: those of its last commit, or of the folder if it has no commit. Raises RepositoryError
    and AddonsRefused."""
    listing = list_files(root)
    if listing.commit:
        small = [size for *_, size in entries_of(listing.root, listing.commit) if 0 <= size <= MOST_FILE_BYTES]
        see_that_it_fits(name, sum(small), most_bytes)
        files, skipped = files_of(listing.root, listing.commit, MOST_FILE_BYTES)
    else:
        files, skipped = {}, dict(listing.skipped)
        for path in listing.paths:
            content = read_plain(listing.root, path) if as_text(path) == path else "its name is not UTF-8"
            if isinstance(content, str):
                skipped[as_text(path)] = content
            else:
                files[path] = content
    see_that_it_fits(name, sum(map(len, files.values())), most_bytes)
    return Contents(name, files, skipped, listing.commit)


def read_plain(root: Path, path: str) -> bytes | str:
    """The bytes of a plain file below the root, or the reason why it is left out."""
    stamp = stamp_of(root, path)
    # Files that are too large to be text are fine here.
    if isinstance(stamp, SkippedFile) and not stamp.reason.startswith("larger"):
        return stamp.reason
    try:
        status = (root / path).lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_FILE_BYTES:
            return f"larger than {MOST_FILE_BYTES >> 20} MB"
        return (root / path).read_bytes()
    except OSError as error:
        return str(error.strerror)


def contents_in_zip(archive: bytes, name: str, readers: Readers | None) -> Contents:
    """The files of a zip, as add-ons are published; a reader opens it, if there are readers. Raises AddonsRefused."""
    files: dict[str, bytes] = {}
    for begin in range(0, MOST_BYTES, PART_BYTES):
        try:
            part = readers.read(files_in_zip, archive, begin) if readers else files_in_zip(archive, begin)
        except ReadingFailed as error:
            raise AddonsRefused(f"The archive of {name} cannot be read: {error}.") from error
        if isinstance(part, str):
            raise AddonsRefused(f"The archive of {name}: {part}.")
        for path, piece in part.files.items():
            files[path] = files.get(path, b"") + base64.b64decode(piece)
        if not part.more:
            break
    return Contents(name, files, {})


def see_that_it_fits(name: str, size: int, most_bytes: int = MOST_BYTES) -> None:
    """Raise AddonsRefused if files are too large together."""
    if size > most_bytes:
        raise AddonsRefused(f"The files of {name} take more than {most_bytes >> 20} MB.")


def addons_in(contents: Contents, below: str = "") -> list[FoundAddon]:
    """The add-ons among these files, at or below a path. Raises AddonsRefused if there are none."""
    packages = list(packages_in(contents))
    places = [package.place for package in packages]
    inside = tuple(f"{place}/" if place else "" for place in places)
    single = [
        FoundAddon(path, PurePosixPath(path).stem, (path,))
        for path, content in contents.files.items()
        if path.endswith(".py") and not path.endswith("__init__.py") and BL_INFO.search(content)
        if not path.startswith(inside or ("\0",)) and not TESTS & set(PurePosixPath(path).parts)
    ]
    wanted = below.strip("/")
    addons = [
        addon
        for addon in sorted([*packages, *single], key=lambda addon: addon.place)
        if not wanted or addon.place == wanted or addon.place.startswith(f"{wanted}/")
    ]
    addons = list(with_modules(addons, contents))
    if not addons:
        raise AddonsRefused(f"There is no add-on in {contents.name}{f' at {wanted}' if wanted else ''}.")
    return addons


def with_modules(addons: Iterable[FoundAddon], contents: Contents) -> Iterator[FoundAddon]:
    """The add-ons with the folder `modules` beside their folder `addons`, as Blender lays out its scripts."""
    taken: set[str] = set()
    for addon in addons:
        home = PurePosixPath(addon.place).parent
        start = f"{home.parent / 'modules'}/"
        files = [path for path in contents.files if path.startswith(start)] if home.name == "addons" else []
        more = () if start in taken else tuple(files)
        taken.add(start)
        yield replace(addon, paths=addon.paths + more, modules={path[len(start) :]: path for path in files})


def packages_in(contents: Contents) -> Iterator[FoundAddon]:
    """The add-ons that are folders, without those inside another one."""
    taken: list[str] = []
    inits = [path for path in contents.files if PurePosixPath(path).name == "__init__.py"]
    for path in sorted(inits, key=lambda path: path.count("/")):
        place = path.removesuffix("__init__.py").rstrip("/")
        manifest = contents.files.get(f"{place}/{MANIFEST}" if place else MANIFEST)
        if manifest is None and not BL_INFO.search(contents.files[path]):
            continue
        if any(not outer or place.startswith(f"{outer}/") for outer in taken):
            continue
        taken.append(place)
        start = f"{place}/" if place else ""
        paths = tuple(path for path in contents.files if path.startswith(start))
        name = PurePosixPath(place).name or name_by_imports(contents.files) or contents.name
        yield FoundAddon(place, module_name(name, manifest), paths)


def name_by_imports(files: Mapping[str, bytes]) -> str:
    """The name by which an add-on at the root imports files of its own; empty if it has none, or more than one."""
    text = b"\n".join(content for path, content in files.items() if path.endswith(".py"))
    tops = {path.partition("/")[0].removesuffix(".py") for path in files}
    found = {(name.decode(), part.decode()) for name, part in OWN_IMPORT.findall(text)}
    names = {name for name, part in found if part in tops and name not in {*tops, *OF_BLENDER}}
    return names.pop() if len(names) == 1 else ""


def module_name(folder: str, manifest: bytes | None) -> str:
    """The name of a package in Python: the id of an extension, otherwise the name of its folder."""
    id_ = EXTENSION_ID.search(manifest) if manifest else None
    if id_:
        return id_[1].decode()
    return re.sub(r"\W", "_", BRANCH_NAMES.sub("", folder)) or "addon"


@dataclass(frozen=True)
class EncodedText:
    """The text of a Python file, and the encoding of its bytes."""

    text: str
    encoding: str

    def encode(self, text: str) -> bytes:
        """The bytes of another text in the same encoding."""
        return text.encode(self.encoding)


def is_read_by_bytes(content: bytes) -> bool:
    """True if a file is not in the encoding that it has by Python's rules, and Python takes it all the same."""
    try:
        content.decode(encoding_of(content))
    except UnicodeDecodeError:
        return parses(content)
    return False


def source_of(content: bytes) -> EncodedText | str:
    """The text of a Python file in its own encoding, or the reason why it cannot be read.

    Bytes in comments may be in no encoding: then each byte of the file is read, and written, as one character.
    """
    if is_read_by_bytes(content):
        return EncodedText(content.decode("latin-1"), "latin-1")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        if encoding in ODD:
            return f"its encoding cannot be read: {encoding} is not an encoding of source files"
        text = content.decode(encoding)
        text.encode("utf-8")
    except (SyntaxError, UnicodeError, LookupError) as error:
        return f"its encoding cannot be read: {error}"
    return EncodedText(text, encoding) if text.encode(encoding) == content else "its encoding cannot be written"
