"""Set-up: uv finds packages in the same places as pip, or is not used."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def environment() -> Any:
    """The script, which is no part of a package."""
    spec = importlib.util.spec_from_file_location("environment", ROOT / "setup" / "environment.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pip_with(*settings: str) -> list[str]:
    """A pip that is configured like this."""
    return [sys.executable, "-c", f"print({chr(10).join(settings)!r})"]


def test_clean_removes_what_the_targets_make(tmp_path: Path) -> None:
    for path in (".venv", ".blendproof", "dist", "x.egg-info", "clients/vscode/node_modules", "clients/vscode/out"):
        (tmp_path / path).mkdir(parents=True)
    (tmp_path / "docs").mkdir()
    subprocess.run(["make", "-f", ROOT / "Makefile", "clean"], cwd=tmp_path, check=True, capture_output=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clients", "docs"]
    assert list((tmp_path / "clients" / "vscode").iterdir()) == []


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ([], []),
        (["global.timeout='60'", ":env:.no-color='1'"], []),
        (["global.find-links='/a /b'"], ["--find-links", "/a", "--find-links", "/b"]),
        (["global.extra-index-url='\\nfile:///a\\nfile:///b'"], ["--index", "file:///a", "--index", "file:///b"]),
        ([":env:.index-url='u:b'", "global.index-url='u:a'", "install.index-url='u:c'"], ["--default-index", "u:b"]),
        (["install.find-links='/i'", "global.find-links='/g'"], ["--find-links", "/i"]),
        (["global.constraint='/c.txt'"], ["--constraint", "/c.txt"]),
        (["download.find-links='/d'"], []),
        (["global.only-binary=':all:'"], None),
        (["global.proxy='somewhere'"], None),
    ],
)
def test_uv_is_told_where_pip_finds_packages_or_not_used(
    environment: Any, settings: list[str], options: list[str] | None
) -> None:
    assert environment.sources(pip_with(*settings)) == options


def test_certificates_of_pip_are_those_of_uv(environment: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setattr(environment.os, "environ", dict(environment.os.environ))
    assert environment.sources(pip_with("global.cert='/certs.pem'")) == []
    assert environment.os.environ["SSL_CERT_FILE"] == "/certs.pem"


def test_the_scripts_are_read_by_a_plain_shell() -> None:
    for script in sorted((ROOT / "setup").glob("*.sh")):
        assert subprocess.run(["sh", "-n", str(script)], check=False).returncode == 0, script
