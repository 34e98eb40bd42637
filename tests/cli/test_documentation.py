"""The pages of the documentation on the command line."""

from __future__ import annotations

from importlib.metadata import PackagePath
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import handbook
from app.cli.main import app as commands

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["models", "models.md", "docs/models.md"])
def test_a_page_is_printed_by_the_name_that_a_message_gives(page: str) -> None:
    done = CliRunner().invoke(commands, ["docs", page])
    assert (done.exit_code, done.stdout) == (0, (ROOT / "docs" / "models.md").read_text())


def test_the_pages_are_listed() -> None:
    done = CliRunner().invoke(commands, ["docs"])
    listed = [line.split()[0] for line in done.stdout.splitlines()]
    assert listed == sorted(page.stem for page in (ROOT / "docs").glob("*.md"))


def test_a_page_that_is_not_there_is_wrong_usage() -> None:
    done = CliRunner().invoke(commands, ["docs", "docs/modles.md"])
    assert done.exit_code == 2 and "There is no page modles; the pages are acceptance, " in done.stderr


def test_an_installed_package_has_the_pages_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Installed(PackagePath):
        def locate(self) -> Path:
            return tmp_path / self.name

    names = [f"../../../share/{name}" for name in ("blendproof/docs/models.md", "other/docs/chat.md")]
    names += ["../../../share/blendproof/docs/pictures/page.png", "app/main.py"]
    monkeypatch.setattr(handbook, "CHECKOUT", tmp_path)
    monkeypatch.setattr(handbook, "files", {"blendproof": [Installed(name) for name in names]}.get)
    assert handbook.pages() == {"models": tmp_path / "models.md"}
    assert handbook.shelf() == {"models.md": tmp_path / "models.md", "pictures/page.png": tmp_path / "page.png"}
