"""The repositories of a service: names that are added one at a time, sources, and what cannot be written down."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.errors import ServiceBusy
from app.repositories.allowed import AllowedPlaces, RepositoryRefused, SourceNotFound
from app.repositories.register import Repositories, Repository, SourceRecord


@pytest.fixture
def repositories(tmp_path: Path) -> Repositories:
    return Repositories(tmp_path, AllowedPlaces(None))


def test_a_name_is_added_by_one_at_a_time(repositories: Repositories) -> None:
    with repositories.adding("shop"), repositories.adding("other"):
        with pytest.raises(ServiceBusy, match="shop is being added"), repositories.adding("shop"):
            pass
        assert repositories.all() == []
    with repositories.adding("shop"):
        pass
    assert not any(repositories.place.iterdir())


def test_only_a_source_of_the_repository_is_taken_away() -> None:
    sources = [SourceRecord(name=name, kind="folder", root=Path("/docs")) for name in ("a", "b")]
    repository = Repository(name="shop", root=Path("/shop")).with_sources(*sources)
    assert repository.without("a").sources == sources[1:]
    assert repository.with_sources(sources[0]).sources == [sources[1], sources[0]]
    for name in ("..", "c", ""):
        with pytest.raises(SourceNotFound, match="there are: a, b"):
            repository.without(name)


def test_a_path_that_cannot_be_written_down_is_refused(repositories: Repositories) -> None:
    repositories.keep(repositories.at(Path("/sh\u00f6p"), "shop"))
    assert repositories.get("shop").root == Path("/sh\u00f6p")
    with pytest.raises(RepositoryRefused, match="is not UTF-8"):
        repositories.at(Path(os.fsdecode(b"/sh\xf6p")), "other")
