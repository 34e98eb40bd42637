"""The commands of the repositories: what they print, and what is said if something is wrong."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest
import typer

from app.cli.exits import NOT_AVAILABLE
from app.cli.terminal import expected_errors
from app.repositories.allowed import AllowedPlaces
from app.repositories.register import Repositories
from codebase.ask import typed
from codebase.ask.pyrefly import ResolvedCall
from tests.cli.calling import call
from tests.codebase.small import repository, run_git, write

pytestmark = pytest.mark.slow

FILES: dict[str, str | bytes] = {
    "shop.py": 'def sell_ware(ware):\n    """Hand it over."""\n',
    "README.md": "# Shop\n",
    "logo.png": b"\0",
}


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("BLENDPROOF_DATA", str(tmp_path / "data"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return repository(tmp_path / "My Shop", FILES)


def test_a_repository_is_added_searched_and_removed(root: Path) -> None:
    head = run_git(root, "rev-parse", "HEAD").strip()
    added = call("add", root)
    assert (added.exit_code, added.stdout) == (0, "My-Shop\n")
    assert "2 files, 2 units" in added.stderr and "1 left out: binary" in added.stderr
    assert call("list").stdout == f"My-Shop\t{root}\n"
    found = call("search", "My-Shop", "who", "hands", "over", "a", "ware")
    assert found.stdout == "shop.py:1-2\tdef sell_ware(ware)\n"
    assert f"commit {head[:12]}" in found.stderr and "words (place 1)" in found.stderr
    assert call("structure", "My-Shop").stdout == "README.md  1  Shop\nshop.py  2  sell_ware\n"
    assert call("remove", "My-Shop").exit_code == 0
    assert (root / "shop.py").exists() and call("list").stdout == ""


def test_what_another_command_adds_is_left_alone(root: Path, tmp_path: Path) -> None:
    repositories = Repositories(tmp_path / "data", AllowedPlaces(None))
    write(tmp_path / "data" / "repositories" / "My-Shop", {"index/half": "made"})
    with repositories.adding("My-Shop"):
        added = call("add", root)
        assert added.exit_code == NOT_AVAILABLE and "is being added by somebody else" in added.stderr
        assert (tmp_path / "data" / "repositories" / "My-Shop" / "index" / "half").exists()
        assert call("add", root, "--name", "other").exit_code == 0
    assert call("add", root).exit_code == 0


def test_a_method_is_told_with_its_class(root: Path) -> None:
    write(root, {"till.py": "class Till:\n    async def ring(self, bell):\n        def ring(): ...\n"})
    call("add", root, "--name", "shop")
    assert "till.py:2-3\tasync def Till.ring(self, bell)\n" in call("search", "shop", "ring bell").stdout


def test_a_search_as_json_says_what_it_rests_on(root: Path) -> None:
    call("add", root, "--name", "shop")
    write(root, {"shop.py": "def sell_ware(ware):\n    return None\n\n\ndef buy_ware():\n    pass\n"})
    body = json.loads(call("search", "shop", "-", "--json", text="buy_ware fails\n").stdout)
    assert body["freshness"]["was_stale"] is True and body["freshness"]["problem"] is None
    assert body["hits"][0]["citation"] == "shop.py:5-6"
    assert body["hits"][0]["text"] == "def buy_ware():\n    pass"


def test_an_index_lists_what_is_left_out(root: Path) -> None:
    call("add", root, "--name", "shop")
    done = call("index", "shop")
    assert (done.exit_code, done.stdout) == (0, "logo.png\tbinary\n")


def test_what_is_wrong_is_said(root: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    call("add", root, "--name", "shop")
    for arguments, code, said in (
        (("add", tmp_path / "nowhere"), 2, "is not a folder: write the path of a Git working tree"),
        (("add", empty), 2, "it is empty, or everything is ignored"),
        (("add", root, "--name", "../up"), 2, "cannot be the name of a repository"),
        (("add", empty.parent, "--name", "shop"), 2, "is already the name of"),
        (("add", "~no-such-user/shop"), 2, "begins with a user that does not exist"),
        (("add", "ssh://example.org/shop.git"), 2, "cannot be cloned"),
        (("add", "git@example.org:shop.git"), 2, "cannot be cloned"),
        (("search", "shop", " "), 2, "There is nothing to look for."),
        (("search", "shop", "zzz"), 1, "Nothing was found."),
        (("search", "shpo", "ware"), 2, "There is no repository shpo; there are: shop."),
        (("remove", ".."), 2, "There is no repository"),
    ):
        result = call(*arguments)
        assert (result.exit_code, said in result.stderr) == (code, True), (arguments, result.stderr)


@pytest.mark.parametrize("log", [b"sell_ware of a caf\xe9", "sell_ware of a café".encode()])
def test_a_log_on_standard_input_may_have_any_bytes(log: bytes, root: Path) -> None:
    call("add", root, "--name", "shop")
    for way in ("search", "ask"):
        found = call(way, "shop", "-", text=log)
        assert "shop.py:1-2" in found.stdout and "Traceback" not in found.output, (way, found.output, found.exception)


def test_a_closed_pipe_is_no_fault_of_ours() -> None:
    # Typer ends it without a message.
    with pytest.raises(BrokenPipeError), expected_errors():
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")
    with pytest.raises(typer.Exit), expected_errors():
        raise ConnectionResetError


def test_a_repository_that_is_gone_is_said_to_be_gone(root: Path) -> None:
    call("add", root, "--name", "shop")
    root.rename(root.with_name("away"))
    index, search = call("index", "shop"), call("search", "shop", "ware")
    assert index.exit_code == 2 and "is not a folder" in index.stderr
    assert search.exit_code == 0 and "The index is as it was" in search.stderr


def test_the_graph_is_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root, {"till.py": "from shop import sell_ware\n\n\ndef ring():\n    sell_ware(1)\n"})
    call("add", root, "--name", "shop")
    callers = call("graph", "shop", "sell_ware")
    assert callers.stdout == "till.py:4-5\tring\tring calls sell_ware\texact\ttill.py:5\n"
    assert "callers of sell_ware at shop.py:1-2" in callers.stderr

    def answered(*_: object) -> list[ResolvedCall]:
        return [ResolvedCall("till.py", 5, "sell_ware", "shop.py", 1)]

    monkeypatch.setattr(typed, "calls_in", answered)
    assert call("graph", "shop", "sell_ware", "--typed").stdout == callers.stdout.replace("\n", "\tconfirmed\n")
    body = json.loads(call("graph", "shop", "ring", "--callees", "--depth", "3", "--json").stdout)
    assert [one["place"]["citation"] for one in body["relations"]] == ["shop.py:1-2"]
    path = call("path", "shop", "ring", "sell_ware")
    assert path.stdout == "till.py:4-5\tring\nshop.py:1-2\tsell_ware\tring calls sell_ware\texact\ttill.py:5\n"
    nothing = call("path", "shop", "sell_ware", "ring")
    assert nothing.exit_code == 1 and "No chain of calls is known from sell_ware to ring." in nothing.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sell_war",), "There is no symbol sell_war in the repository. These are spelled like it:"),
        (("sell_ware", "--impact", "--tests"), "Choose one of --callers, --callees, --impact and --tests."),
    ],
)
def test_a_wrong_question_to_the_graph_is_refused(root: Path, arguments: tuple[str, ...], said: str) -> None:
    call("add", root, "--name", "shop")
    refused = call("graph", "shop", *arguments)
    assert refused.exit_code == 2 and said in " ".join(refused.stderr.split())


SCRIPT = """
[[answer]]
when = "who sells a ware"
text = "`sell_ware` does [shop.py:1-2], never [shop.py:1-9]."
[[answer]]
when = "who buys"
text = "NOT IN THIS REPOSITORY"
"""


def test_a_question_is_answered_with_checked_citations(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "answers.toml").write_text(SCRIPT)
    monkeypatch.setenv("BLENDPROOF_MODEL_PROVIDER", "scripted")
    monkeypatch.setenv("BLENDPROOF_MODEL_SCRIPT", str(tmp_path / "answers.toml"))
    call("add", root, "--name", "shop")
    answered = call("ask", "shop", "who sells a ware", "--show-sources")
    assert (answered.exit_code, answered.stdout) == (0, "`sell_ware` does [shop.py:1-2], never [~~shop.py:1-9~~].\n")
    assert "struck out: shop.py:1-9: the file has 2 lines" in answered.stderr
    assert "1| def sell_ware(ware):" in answered.stderr and "scripted (script): about" in answered.stderr
    missing = call("ask", "shop", "who buys a ware", "--json")
    assert (missing.exit_code, json.loads(missing.stdout)["status"]) == (1, "not_in_repository")


def test_without_a_model_the_places_are_printed(root: Path) -> None:
    call("add", root, "--name", "shop")
    asked = call("ask", "shop", "who", "sells", "a", "ware")
    assert (asked.exit_code, asked.stdout) == (0, "shop.py:1-2\tsell_ware\n")
    assert "No model is set up" in asked.stderr


def test_a_source_is_added_searched_and_removed(root: Path, tmp_path: Path) -> None:
    write(tmp_path / "guide", {"wares.rst": "Wares\n=====\n\nHow to weigh nails.\n"})
    call("add", root, "--name", "shop")
    added = call("source", "add", "shop", tmp_path / "guide")
    assert (added.exit_code, added.stdout) == (0, "guide\n") and "folder guide: 1 files" in added.stderr
    assert call("search", "shop", "weigh nails").stdout == "@guide/wares.rst:1-4\tWares\n"
    assert call("source", "add", "shop", "--package", "filelock").stdout == "filelock\n"
    assert "@filelock/" in call("search", "shop", "filelock", "timeout", "of", "a", "lock").stdout
    assert call("source", "remove", "shop", "guide").exit_code == 0
    assert call("search", "shop", "weigh nails").exit_code == 1
    for wrong in (("remove", "shop", "guide"), ("add", "shop"), ("add", "shop", root / "logo.png")):
        assert call("source", *wrong).exit_code == 2, wrong


def test_allowed_folders_hold_for_the_command_line_if_they_are_set(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = write(tmp_path / "other" / "shop", {"a.py": "x = 1\n"})
    call("add", root, "--name", "shop")
    monkeypatch.setenv("BLENDPROOF_REPOSITORIES", str(tmp_path / "other"))
    assert call("list").stdout == "" and call("search", "shop", "ware").exit_code == 2
    assert call("add", root, "--name", "again").exit_code == 2
    assert call("add", other, "--name", "other").exit_code == 0
    assert call("add", "https://example.org/x.git").exit_code == 2


def test_a_fault_of_ours_is_a_message_with_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "shop", FILES)
    assert call("add", tmp_path / "shop").exit_code == 0
    assert call("graph", "shop", "sell_ware").exit_code == 1, "nothing calls it, which is no fault"

    def fails(*_: object) -> None:
        raise IndexError("pop from empty list")

    monkeypatch.setattr("codebase.graph.graph.UnitGraph.callers", fails)
    found = call("graph", "shop", "sell_ware")
    assert (found.exit_code, found.stdout) == (3, "")
    assert found.stderr.startswith("internal_error: IndexError at tests/cli/test_repositories.py:")
    assert "-X dev" in found.stderr and "Traceback" not in found.stderr
