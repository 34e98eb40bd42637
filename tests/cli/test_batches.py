"""Several files of one call: they are worked on side by side, come out in their order, and end with the call."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cli.client import Client, ServiceFull
from app.cli.main import files_in
from tests.quick_service import quick_service

PLACES = 3


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, bare_home: Path) -> Iterator[Client]:
    """A service that takes three runs: it works on two and keeps one waiting."""
    data = tmp_path_factory.mktemp("batches") / "data"
    limits: dict[str, Any] = {"parallel_runs": PLACES - 1, "waiting_runs": 1}
    with quick_service(bare_home, data, **limits) as url, Client(url, None) as client:
        yield client


def bodies(*snippets: str) -> list[dict[str, Any]]:
    return [{"snippet": f"# {snippet}\nimport bpy\n"} for snippet in snippets]


def say_nothing(_number: int, _stage: str) -> None:
    """Nobody looks."""


@pytest.mark.blender
def test_more_files_than_the_service_takes_come_out_in_their_order(client: Client) -> None:
    names = ["first", "wrong", *map(str, range(6))]
    runs = list(client.run_all("/validate", bodies(*names), say_nothing))
    assert [run.title for run in runs] == [f"# {name}" for name in names]
    assert [run.status for run in runs][:3] == ["proven", "not_proven", "proven"]


@pytest.mark.blender
def test_a_call_that_stops_ends_all_that_it_sent(client: Client) -> None:
    def stop(number: int, _stage: str) -> None:
        assert number == 0
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(client.run_all("/validate", bodies(*["endless"] * 5), stop))
    listed = client.call("GET", "/runs")["runs"][:PLACES]
    assert [run["status"] for run in listed] == ["cancelled"] * PLACES


@pytest.mark.blender
def test_a_service_that_others_fill_refuses_the_first_file(client: Client) -> None:
    def stop(_number: int, _stage: str) -> None:
        with pytest.raises(ServiceFull, match="under way or waiting"):
            list(client.run_all("/validate", bodies("late"), say_nothing))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(client.run_all("/validate", bodies(*["endless"] * 5), stop))


def test_a_folder_is_its_python_files_and_no_hidden_ones(tmp_path: Path) -> None:
    for name in ("b.py", "a/z.py", "a/notes.txt", ".venv/lib.py", "a/.hidden.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert files_in(tmp_path) == [tmp_path / "a" / "z.py", tmp_path / "b.py"]
    assert files_in(tmp_path / "b.py") == [tmp_path / "b.py"]
