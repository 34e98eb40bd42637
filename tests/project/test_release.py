"""What is released: one version, a wheel with all that it needs and no more, imports that are declared."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable
from email.message import Message
from email.parser import Parser
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARIES = Path(sys.executable).parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGES = {"app", "clients", "codebase", "cookbook", "harness", "ingest", "python", "search"}
MESSAGES = re.compile(r"docs/([a-z-]+)\.md")


def script(name: str) -> Any:
    """A script of setup/, which is no package; what it imports lies beside it."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "setup" / f"{name}.py")
    assert spec and spec.loader
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# The version


def test_the_version_is_said_alike_everywhere() -> None:
    assert script("version").outdated(ROOT) == [], "python setup/version.py"


def test_a_copy_that_lags_behind_is_found_and_written(tmp_path: Path) -> None:
    version = script("version")
    for name in {"pyproject.toml", *(name for name, _ in version.COPIES)}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    assert version.outdated(tmp_path) == []
    project = (tmp_path / "pyproject.toml").read_text()
    (tmp_path / "pyproject.toml").write_text(
        project.replace(f'version = "{PROJECT["version"]}"', 'version = "9.10.11"')
    )
    older = version.outdated(tmp_path)
    assert len(older) == len(version.COPIES) and older[1].endswith("instead of 9.10.11")
    version.write(tmp_path)
    assert version.outdated(tmp_path) == []
    assert '"version": (9, 10, 11),' in (tmp_path / "clients" / "blender" / "__init__.py").read_text()
    assert (tmp_path / "pyproject.toml").read_text().count("9.10.11") == 1


def versions_in_code(sources: Iterable[str]) -> list[str]:
    """The places in code that say the version of the project themselves."""
    return [
        found[0] for source in sources for found in re.finditer(r"(?i)version\w* *= *[\"']\d+\.\d+\.\d+[\"']", source)
    ]


def test_code_asks_the_installed_package_for_the_version() -> None:
    sources = [path.read_text() for name in ("app", "ingest") for path in (ROOT / name).rglob("*.py")]
    assert versions_in_code(sources) == []
    assert versions_in_code(['VERSION = "0.2.0"', 'VERSION = version("blendproof")', 'Version: Final = "1.0"']) == [
        'VERSION = "0.2.0"'
    ]


def test_the_changelog_begins_with_the_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings == [PROJECT["version"], "0.1.0"]


# The wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel of the checkout, as an installer builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    sys.modules["environment"] = environment = script("environment")
    sources: list[str] = environment.sources([sys.executable, "-m", "pip"]) or []
    source = script("installed").copied(folder / "source")
    build = [str(BINARIES / "uv"), "build", "--quiet", "--wheel", "--index-strategy", "unsafe-best-match"]
    options = [*sources_of_builds(sources), "--out-dir", str(folder), str(source)]
    subprocess.run([*build, *options], check=True, timeout=300)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built)


def sources_of_builds(sources: list[str]) -> list[str]:
    """The sources without constraints, which `uv build` names otherwise."""
    pairs = list(zip(sources[::2], sources[1::2], strict=True))
    return [word for name, place in pairs if name != "--constraint" for word in (name, place)]


def lacking(names: Iterable[str], pages: Iterable[str]) -> list[str]:
    """What a wheel must have and lacks: licence, the marks of typed packages, the pages that messages name."""
    names = set(names)
    endings = ["dist-info/licenses/LICENSE", *(f"data/share/blendproof/docs/{page}.md" for page in pages)]
    missing = [ending for ending in endings if not any(name.endswith(ending) for name in names)]
    return missing + [f"{package}/py.typed" for package in sorted(PACKAGES) if f"{package}/py.typed" not in names]


def superfluous(names: Iterable[str]) -> list[str]:
    """What a wheel must not bring: anything beside the packages and its own folders."""
    return sorted({name.split("/")[0] for name in names if not name.startswith("blendproof-")} - PACKAGES)


def pages_in_messages() -> set[str]:
    sources = [path for name in sorted(PACKAGES) for path in (ROOT / name).rglob("*.py")]
    return {page for path in sources for page in MESSAGES.findall(path.read_text())}


@pytest.mark.slow
def test_the_wheel_has_what_it_needs_and_no_more(wheel: zipfile.ZipFile) -> None:
    names, pages = wheel.namelist(), pages_in_messages()
    assert {"models", "settings", "commands"} <= pages
    assert (lacking(names, pages), superfluous(names)) == ([], [])
    assert lacking([name for name in names if not name.endswith(("docs/models.md", "app/py.typed"))], pages) == [
        "data/share/blendproof/docs/models.md",
        "app/py.typed",
    ]
    assert superfluous([*names, "tests/__init__.py", "bench/soak.py", "app/x.py"]) == ["bench", "tests"]


@pytest.mark.slow
def test_the_wheel_says_whose_it_is_and_under_which_licence(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith("dist-info/METADATA")]
    said: Message = Parser().parsestr(wheel.read(name).decode())
    assert (said["Version"], said["License-Expression"]) == (PROJECT["version"], "GPL-3.0-or-later")
    assert (said["Author"], said["Requires-Python"]) == ("The Blendproof authors", ">=3.11")
    assert "GNU GENERAL PUBLIC LICENSE" in (ROOT / "LICENSE").read_text()[:200]
    manifest = tomllib.loads((ROOT / "clients" / "blender" / "blender_manifest.toml").read_text())
    assert manifest["license"] == [f"SPDX:{said['License-Expression']}"]


@pytest.mark.slow
@pytest.mark.blender
def test_an_installed_application_works_outside_of_the_checkout() -> None:
    command = [sys.executable, str(ROOT / "setup" / "installed.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stderr[-6000:]


# What is declared


def unbounded(requirements: Iterable[str]) -> list[str]:
    """The requirements without a lower bound or an exact release; those of the project's own extras have none."""
    return [one for one in requirements if not re.search(r">=|==", one) and not one.startswith("blendproof[")]


def test_every_requirement_has_a_lower_bound() -> None:
    extras = PROJECT["optional-dependencies"].values()
    assert unbounded([*PROJECT["dependencies"], *(one for extra in extras for one in extra)]) == []
    assert unbounded(["httpx2>=2.10", "ruff", "torch==2.13.0", "openai<4"]) == ["ruff", "openai<4"]


def test_constraints_pin_every_requirement_within_its_bounds() -> None:
    pinned = {plain(line.partition("==")[0]) for line in (ROOT / "setup" / "constraints.txt").read_text().split()}
    wanted = [*PROJECT["dependencies"], *(one for extra in PROJECT["optional-dependencies"].values() for one in extra)]
    names = {plain(re.split(r"[\[<>=]", one)[0]) for one in wanted} - {"blendproof"}
    assert names - pinned == set()


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize(
    ("imported", "problem"),
    [("httpx2", None), ("httpcore2", "DEP003"), ("no_such_package", "DEP001"), ("pytest", "DEP004"), ("bpy", None)],
)
def test_an_import_that_is_not_declared_is_found(imported: str, problem: str | None, tmp_path: Path) -> None:
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").write_text(f"import {imported}\n")
    command = [str(BINARIES / "deptry"), ".", "--no-ansi", "--ignore", "DEP002"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, problem is None) in ((0, True), (1, False)), done.stderr
    assert problem is None or problem in done.stderr


@pytest.mark.parametrize(("client", "status"), [("httpx", 1), ("httpx2", 0)])
def test_there_is_one_http_client(client: str, status: int) -> None:
    command = [str(BINARIES / "ruff"), "check", "--select", "TID251", "--stdin-filename", "app/some.py", "-"]
    done = subprocess.run(command, cwd=ROOT, input=f"import {client}\n", capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout
