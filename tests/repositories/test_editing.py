"""`repo edit`: a file is rewritten whole by a model, over real HTTP, and anything that may not be whole is refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli.main import app
from tests.codebase.small import repository, run_git, write
from tests.model_server import MODEL, ModelServer, Reply, error, model_server
from tests.repositories.shop import unit, whole

SHOP = "def price(count):\n    return 2 * count\n"
BETTER = "def price(count):\n    return 3 * count\n"
FILES = {
    "shop.py": SHOP,
    "till.py": "from shop import price\n\n\ndef pay(count):\n    return price(count)\n",
    "README.md": "# Shop\n",
    ".env": "TOKEN=hush\n",
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BLENDPROOF_DATA", str(tmp_path / "data"))
    made = repository(tmp_path / "shop", FILES)
    assert CliRunner().invoke(app, ["repo", "add", str(made)]).exit_code == 0
    return made


def edit(monkeypatch: pytest.MonkeyPatch, server: ModelServer, *arguments: str, context: int = 16384) -> Result:
    values: Mapping[str, str] = {"PROVIDER": "custom", "NAME": MODEL, "URL": server.url, "CONTEXT": str(context)}
    for name, value in values.items():
        monkeypatch.setenv(f"BLENDPROOF_MODEL_{name}", value)
    return CliRunner().invoke(app, ["repo", "edit", "shop", *arguments])


def test_a_file_is_printed_compared_and_written_and_asked_for_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(Reply(whole(BETTER))) as server:
        printed = edit(monkeypatch, server, "shop.py", "triple the price")
        compared = edit(monkeypatch, server, "shop.py", "triple the price", "--diff")
        assert (root / "shop.py").read_text() == SHOP
        done = edit(monkeypatch, server, "./shop.py", "triple the price", "--write")
        again = edit(monkeypatch, server, "shop.py", "triple the price", "--write")
    assert (printed.exit_code, printed.stdout) == (0, BETTER)
    assert "-    return 2 * count\n+    return 3 * count\n" in compared.stdout
    assert (done.stdout, (root / "shop.py").read_text()) == ("", BETTER)
    assert "shop.py: written" in done.stderr and "nothing is changed" in again.stderr
    (asked,) = server.asked
    assert asked["temperature"] == 0 and 15000 < asked["max_tokens"] < 16384
    assert f"largest answer {asked['max_tokens']} tokens" in printed.stderr
    assert "remembered, no model was asked" in compared.stderr


def test_a_unit_or_a_diff_of_the_file_does_too(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    diff = "<<BEGIN_DIFF>>\n@@\n-    return 2 * count\n+    return 3 * count\n<<END>>\n"
    for number, answer in enumerate((unit(BETTER), unit(BETTER, "price"), diff)):
        with model_server(Reply(answer)) as server:
            assert edit(monkeypatch, server, "shop.py", f"triple the price {number}").stdout == BETTER


def test_the_material_leaves_out_the_file_itself_and_secrets(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(Reply(whole(BETTER))) as server:
        assert edit(monkeypatch, server, "shop.py", "triple the price that pay charges; TOKEN").exit_code == 0
    (question,) = server.questions
    assert "till.py:4-5\ndef pay(count):" in question and "hush" not in question
    assert question.count("def price") == 1


@pytest.mark.parametrize(
    ("answer", "finish", "said"),
    [
        (BETTER, "stop", "no line <<BEGIN_FILE shop.py>>"),
        (f"<<BEGIN_FILE shop.py>>\n{BETTER}", "stop", "has no <<END>>"),
        (f"<<BEGIN_FILE shop.py>>\n{BETTER}", "length", "cut off"),
        (whole(BETTER), "length", "cut off"),
        (whole(BETTER) + whole(BETTER), "stop", "shop.py is written twice"),
        (whole(BETTER) + "<<END>>\n", "stop", "one <<END>> too many"),
        ("<<END>>\n<<BEGIN_FILE shop.py>>\n", "stop", "one <<END>> too many"),
        (whole("def price(:\n"), "stop", "not be Python: line 1"),
        (whole(BETTER, "till.py"), "stop", "only shop.py was asked for"),
    ],
)
def test_what_may_not_be_the_whole_file_is_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch, answer: str, finish: str, said: str
) -> None:
    with model_server(Reply(answer, finish=finish)) as server:
        done = edit(monkeypatch, server, "shop.py", "triple the price", "--write")
    assert done.exit_code == 1 and said in " ".join(done.stderr.split()), done.stderr
    assert (root / "shop.py").read_text() == SHOP and done.stdout == ""


def test_a_folder_is_edited_file_by_file_and_goes_on_where_it_ended(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, {"a/one.py": "x = 1\n", "a/two.py": "x = 2\n", "a/.env": "TOKEN=hush\n"})
    replies = [
        Reply(whole("x = 10\n", "a/one.py"), when="a/one.py"),
        Reply("no", when="a/two.py"),
        Reply(whole("x = 20\n", "a/two.py")),
    ]
    with model_server(*replies) as server:
        first = edit(monkeypatch, server, "a", "times ten", "--write")
        second = edit(monkeypatch, server, "a/", "times ten", "--write")
    assert (first.exit_code, second.exit_code) == (1, 0)
    assert "a/one.py: written" in first.stderr and "a/two.py: refused" in first.stderr
    assert [(root / name).read_text() for name in ("a/one.py", "a/two.py")] == ["x = 10\n", "x = 20\n"]
    assert ["a/one.py" in question.partition("What to do")[0] for question in server.questions] == [True, False, False]


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("../shop.py", "leads out of the repository"),
        (".git/config", "version control"),
        (".env", "usually holds secrets"),
        ("missing.py", "no file to edit"),
        ("link.py", "a link leads out of the folder"),
    ],
)
def test_other_places_are_refused(root: Path, monkeypatch: pytest.MonkeyPatch, place: str, said: str) -> None:
    (root / "link.py").symlink_to("/etc/hostname")
    with model_server() as server:
        done = edit(monkeypatch, server, place, "triple the price", "--write")
    assert done.exit_code in (1, 2) and said in " ".join(done.stderr.split()), done.stderr
    assert server.asked == []


def test_a_file_that_does_not_fit_is_refused_before_it_is_asked_for(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, {"long.py": "x = 1  # long\n" * 400, "markers.md": "<<END>>\n"})
    with model_server() as server:
        done = edit(monkeypatch, server, "long.py", "shorten it", context=4096)
        marked = edit(monkeypatch, server, "markers.md", "shorten it")
    assert "long.py and its new version need about" in done.stderr and "window has 4096" in done.stderr
    assert "it has a line <<END>> itself" in " ".join(marked.stderr.split())
    assert (done.exit_code, marked.exit_code, server.asked) == (1, 1, [])


def test_a_file_that_is_changed_while_the_model_writes_is_not_overwritten(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Meddling(ModelServer):
        def answer(self, handler: object) -> None:
            (root / "shop.py").write_text("mine = 1\n")
            super().answer(handler)  # type: ignore[arg-type]

    monkeypatch.setattr("tests.model_server.ModelServer", Meddling)
    with model_server(Reply(whole(BETTER))) as server:
        done = edit(monkeypatch, server, "shop.py", "triple the price", "--write")
    assert done.exit_code == 1 and "changed meanwhile" in done.stderr
    assert (root / "shop.py").read_text() == "mine = 1\n"


def test_a_server_without_a_temperature_is_asked_without_one(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = Reply(status=400, raw=error("Unsupported value: 'temperature' does not support 0"))
    with model_server(refused, Reply(whole(BETTER))) as server:
        done = edit(monkeypatch, server, "shop.py", "triple the price")
    assert done.stdout == BETTER and ["temperature" in body for body in server.asked] == [True, False]


def test_without_a_model_it_says_how_to_set_one_up(root: Path) -> None:
    done = CliRunner().invoke(app, ["repo", "edit", "shop", "shop.py", "triple the price"])
    assert done.exit_code == 3 and "Editing needs a model: docs/models.md" in done.stderr
    assert run_git(root, "status", "--porcelain") == ""
