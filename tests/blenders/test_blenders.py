"""Which Blenders there are, which one is meant, and how they come and go; the executables are scripts that answer."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.blenders.preparation import blenders_of, download_stubs, install_stubs, remove_blender
from app.settings import Settings
from harness import blenders, wheels
from harness.blenders import (
    Blender,
    BlenderNotAvailable,
    add,
    choose,
    find_blenders,
    forget,
    is_lts,
    look,
    read_added,
    with_labels,
)
from harness.wheels import find_interpreter, in_use, install, python_of, remove


def one(version: str, kind: blenders.Kind = "module", label: str = "") -> Blender:
    source: blenders.Source = "wheel" if kind == "module" else "added"
    return Blender(kind, Path("/nowhere", version, kind), version, "abc", "3.11.0", source, label)


def executable(folder: Path, version: str = "3.4.1", name: str = "blender") -> Path:
    """A program that answers as a Blender of this version does, and counts how often it was asked."""
    folder.mkdir(parents=True, exist_ok=True)
    facts = json.dumps({"version": version, "build_hash": "abc", "python": "3.10.9"})
    path = folder / name
    path.write_text(f"#!/bin/sh\necho asked >> {folder}/asked\necho '@{facts}'\n")
    path.chmod(0o755)
    return path


def installed(home: Path, version: str) -> Path:
    """The folder of a wheel as `install` leaves it, without the wheel."""
    folder = home / "blenders" / ".".join(version.split(".")[:2])
    executable(folder / "bin", version, "python")
    (folder / "blender.json").write_text(json.dumps({"version": version, "build_hash": "abc", "python": "3.11.0"}))
    return folder


# --- which one is meant -----------------------------------------------------------------------------------

HERE = with_labels([
    one("5.0.1"), one("4.5.15"), one("4.2.23"), one("5.2.0", "executable", "studio"), one("4.5.15", "executable"),
    one("4.5.3", "executable"),
])  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "version", "kind"),
    [
        (None, "5.0.1", "module"),
        ("5.0", "5.0.1", "module"),
        ("4.5", "4.5.15", "module"),
        ("4.5.3", "4.5.3", "executable"),
        ("4.5.15", "4.5.15", "module"),
        ("4.5.15-executable", "4.5.15", "executable"),
        ("studio", "5.2.0", "executable"),
        ("latest", "5.2.0", "executable"),
        ("LTS", "5.2.0", "executable"),
    ],
)
def test_one_is_meant_by_version_series_label_or_rule(wanted: str | None, version: str, kind: str) -> None:
    meant = choose(HERE, wanted)
    assert (meant.version, meant.kind) == (version, kind)


@pytest.mark.parametrize("wanted", ["5", "4.4", "5.0.2", "executable", "Studio", ""])
def test_what_means_none_is_refused_with_what_there_is(wanted: str) -> None:
    with pytest.raises(BlenderNotAvailable, match=r"there is 5\.0\.1, 4\.5\.15, .*5\.2\.0 \(studio\)"):
        choose(HERE, wanted)


def test_the_long_term_series_are_those_of_blenders_rule() -> None:
    kept = [series for series in ("2.83", "2.90", "3.3", "3.4", "3.6", "4.0", "4.2", "4.5", "5.0") if is_lts(series)]
    assert kept == ["2.83", "3.3", "3.6", "4.2", "4.5"]
    assert [series for series in ("5.1", "5.2", "5.5", "6.2", "6.3", "x.2") if is_lts(series)] == ["5.2", "5.5", "6.2"]
    with pytest.raises(BlenderNotAvailable, match="No Blender of a long-term series"):
        choose([one("5.0.1")], "lts")


def test_no_two_have_one_name() -> None:
    assert [blender.name for blender in HERE] == ["5.0.1", "4.5.15", "4.2.23", "5.2.0", "4.5.15-executable", "4.5.3"]
    twice = with_labels([one("5.0.1"), one("5.0.1", "executable"), one("5.0.1", "executable")])
    assert [blender.name for blender in twice] == ["5.0.1", "5.0.1-executable", "5.0.1-executable-2"]
    assert all(choose(twice, blender.name) is blender for blender in twice)


# --- which there are --------------------------------------------------------------------------------------


def test_the_default_stays_the_default_and_the_others_come_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, path = tmp_path / "home", executable(tmp_path / "bin", "5.3.0")
    monkeypatch.setenv("PATH", f"{path.parent}:{tmp_path / 'none'}:")
    monkeypatch.setattr(blenders, "USUAL_PLACES", (str(tmp_path / "opt" / "blender*" / "blender"),))
    executable(tmp_path / "opt" / "blender-4.1.0", "4.1.0")
    executable(tmp_path / "opt" / "blender-broken").write_text("#!/bin/sh\nexit 1\n")
    installed(home, "4.2.23")
    installed(home, "5.0.1")
    installed(home, "4.4.0").rename(home / "blenders" / ".4.4-removed")
    add(home, executable(tmp_path / "own", "3.6.0"), "old")

    found, unusable = look(home, None)
    assert [(blender.version, blender.source) for blender in found] == [
        ("5.0.1", "wheel"), ("4.2.23", "wheel"), ("3.6.0", "added"), ("5.3.0", "found"), ("4.1.0", "found"),
    ]  # fmt: skip
    assert [one.path.parent.name for one in unusable] == ["blender-broken"]
    assert find_blenders(home, path)[0].version == "5.3.0"
    assert [blender.version for blender in find_blenders(home, None, search=False)] == ["5.0.1", "4.2.23", "3.6.0"]


def test_an_executable_is_asked_once_and_again_when_it_changed(tmp_path: Path) -> None:
    path = executable(tmp_path / "own", "3.6.0")
    for _ in range(3):
        assert find_blenders(tmp_path, path, search=False)[0].version == "3.6.0"
    assert len((tmp_path / "own" / "asked").read_text().split()) == 1
    executable(tmp_path / "own", "3.6.10")
    assert find_blenders(tmp_path, path, search=False)[0].version == "3.6.10"


def test_the_one_that_was_named_must_answer(tmp_path: Path) -> None:
    with pytest.raises(BlenderNotAvailable, match="does not answer as a Blender"):
        find_blenders(tmp_path, Path("/bin/true"), search=False)


# --- registering ------------------------------------------------------------------------------------------


def test_an_executable_is_registered_by_its_folder_and_forgotten_by_its_label(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    program = executable(tmp_path / "blender-3.6", "3.6.0")
    assert add(settings.home, program.parent, None).label == "blender-3.6.0"
    assert add(settings.home, program, "studio").label == "studio", "registered again under another label"
    assert read_added(settings.home) == {"studio": program}
    remove_blender(settings, choose(blenders_of(settings), "studio"))
    assert (blenders_of(settings), program.exists()) == ([], True)


@pytest.mark.parametrize("label", ["lts", "Latest", "5.0", "", "a b", "../x"])
def test_what_is_no_label_is_refused(label: str, tmp_path: Path) -> None:
    with pytest.raises(BlenderNotAvailable, match="not a valid label"):
        add(tmp_path, executable(tmp_path / "own"), label)
    assert read_added(tmp_path) == {}


def test_a_label_means_one_blender(tmp_path: Path) -> None:
    add(tmp_path, executable(tmp_path / "one"), "studio")
    with pytest.raises(BlenderNotAvailable, match="studio already names"):
        add(tmp_path, executable(tmp_path / "two"), "studio")
    with pytest.raises(BlenderNotAvailable, match="cannot be started as a program"):
        add(tmp_path, tmp_path / "nothing", None)


def test_a_registered_one_that_is_gone_is_told_of(tmp_path: Path) -> None:
    program = executable(tmp_path / "own")
    blender = add(tmp_path, program, "studio")
    program.unlink()
    found, unusable = look(tmp_path, None, search=False)
    assert (found, [one.label for one in unusable]) == ([], ["studio"])
    forget(tmp_path, blender)
    assert look(tmp_path, None, search=False) == ([], [])


# --- wheels -----------------------------------------------------------------------------------------------


def test_each_series_has_its_python_also_the_ones_to_come() -> None:
    assert [python_of(series) for series in ("4.2", "4.5", "5.0", "5.1", "5.9", "6.0")] == [
        *["3.11"] * 3,
        *["3.13"] * 3,
    ]
    with pytest.raises(BlenderNotAvailable, match=r"no `bpy` wheel of Blender 4\.1; .* blenders add"):
        python_of("4.1")


@pytest.mark.parametrize("wanted", ["5", "latest", "5.0.1.2", "5.x", "; rm"])
def test_what_is_no_version_is_not_installed(wanted: str, tmp_path: Path) -> None:
    with pytest.raises(BlenderNotAvailable, match="not a version of Blender"):
        install(tmp_path, wanted, print)


def test_what_is_there_is_kept_whoever_uses_it(tmp_path: Path) -> None:
    installed(tmp_path, "5.0.1")
    with in_use(find_blenders(tmp_path, None, search=False)):
        assert install(tmp_path, "5.0", print).version == install(tmp_path, "5.0.1", print).version == "5.0.1"


def test_a_dead_shim_is_passed_over_and_a_missing_python_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def program(path: Path, script: str) -> None:
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    program(tmp_path / "shims" / "python3.99", "exit 127")
    monkeypatch.setenv("PATH", str(tmp_path / "shims"))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert find_interpreter("3.99") is None
    assert find_interpreter(f"{sys.version_info.major}.{sys.version_info.minor}") == Path(sys.executable)
    monkeypatch.setattr(wheels, "PYTHON_FROM", (((9, 0), "3.99"),))
    monkeypatch.setattr(wheels, "missing_packages", list[str])
    with pytest.raises(BlenderNotAvailable, match=r"Blender 9\.0 needs Python 3\.99: .* Install Python 3\.99"):
        install(tmp_path, "9.0", print)
    assert not (tmp_path / "blenders").exists()

    program(tmp_path / "pyenv" / "versions" / "3.99.2" / "bin" / "python3.99", "exit 0")
    program(tmp_path / "pyenv" / "versions" / "3.99.10" / "bin" / "python3.99", "exit 0")
    found = find_interpreter("3.99")
    assert found is not None and found.parts[-3] == "3.99.10"


def test_missing_libraries_are_named_before_anything_is_downloaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "SYSTEM_LIBRARIES", {"libnowhere.so.1": "libnowhere1"})
    with pytest.raises(BlenderNotAvailable, match="apt-get install --no-install-recommends libnowhere1"):
        install(tmp_path, "5.0", print)


def test_a_wheel_that_cannot_be_had_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, "5.0.0")
    before = sorted(path.name for path in (tmp_path / "blenders").iterdir())

    def fail(command: list[str]) -> None:
        raise BlenderNotAvailable(f"`{command[-1]}` failed")

    monkeypatch.setattr(wheels, "run_step", fail)
    with pytest.raises(BlenderNotAvailable):
        install(tmp_path, "5.0.1", print)
    assert find_blenders(tmp_path, None, search=False)[0].version == "5.0.0"
    assert sorted(path.name for path in (tmp_path / "blenders").iterdir() if path.suffix != ".lock") == before


def test_a_wheel_is_removed_with_what_belongs_to_it_and_not_while_it_is_used(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    for version in ("4.2.23", "5.0.1"):
        series = installed(tmp_path, version).name
        for part in (f"stubs/{series}", f"cache/mypy/{series}"):
            (tmp_path / part).mkdir(parents=True)
        (tmp_path / "manifests").mkdir(exist_ok=True)
        (tmp_path / "manifests" / f"{version}-abc-schema1.json").write_text("{}")
    blender = choose(blenders_of(settings), "4.2")
    with in_use([blender]), pytest.raises(BlenderNotAvailable, match=r"4\.2 is used by a service"):
        remove_blender(settings, blender)
    remove_blender(settings, blender)
    assert [one.version for one in blenders_of(settings)] == ["5.0.1"]
    left = [path for path in tmp_path.rglob("*") if "4.2" in path.name and path.suffix != ".lock"]
    assert left == []
    assert (tmp_path / "stubs" / "5.0").exists() and (tmp_path / "manifests" / "5.0.1-abc-schema1.json").exists()


def test_what_was_not_set_up_here_is_not_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(home=tmp_path / "home", find_blenders=True)
    monkeypatch.setattr(blenders, "USUAL_PLACES", ())
    program = executable(tmp_path / "bin")
    monkeypatch.setenv("PATH", str(program.parent))
    with pytest.raises(BlenderNotAvailable, match="Blendproof did not install it"):
        remove_blender(settings, blenders_of(settings)[0])
    with pytest.raises(BlenderNotAvailable, match="BLENDPROOF_BLENDER"):
        remove_blender(settings, find_blenders(settings.home, program)[0])
    assert program.exists()


def test_two_do_not_change_one_wheel(tmp_path: Path) -> None:
    folder = installed(tmp_path, "5.0.1")
    blender = find_blenders(tmp_path, None, search=False)[0]
    with (folder.parent / ".5.0.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BlenderNotAvailable):
            remove(blender)
    remove(blender)


def test_where_no_stubs_are_published_that_is_said_and_nothing_else_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def none(requirement: str, folder: Path) -> None:
        asked.append(requirement)

    monkeypatch.setattr("app.blenders.preparation.download_stubs", none)
    said: list[str] = []
    install_stubs(Settings(home=tmp_path), "9.9", said.append)
    assert [name.partition("==")[0] for name in asked] == ["fake-bpy-module-9.9"] * 2
    assert said == ["no type stubs of Blender 9.9 are published; its snippets are not type-checked"]
    assert not (tmp_path / "stubs").exists()


REFUSED = """WARNING: Retrying (Retry(total=0)) after connection broken by 'Failed to establish a new connection'
ERROR: No matching distribution found for fake-bpy-module-5.0
"""


@pytest.mark.parametrize("said", [REFUSED, REFUSED.splitlines()[-1]], ids=["no network", "not published"])
def test_a_package_that_nobody_could_ask_for_is_not_one_that_is_not_published(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: object, **_more: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 1, "", said)

    monkeypatch.setattr("app.blenders.preparation.subprocess.run", run)
    if said is REFUSED:
        with pytest.raises(BlenderNotAvailable, match="connection broken"):
            download_stubs("fake-bpy-module-5.0", tmp_path)
    else:
        assert download_stubs("fake-bpy-module-5.0", tmp_path) is None


@pytest.mark.parametrize("damage", ['{"version": "5.', "[]", '{"version": "5.0.1"}', None])
def test_a_damaged_wheel_is_named(damage: str | None, tmp_path: Path) -> None:
    folder = installed(tmp_path, "5.0.1")
    assert [one.version for one in find_blenders(tmp_path, None, search=False)] == ["5.0.1"]
    if damage is None:
        (folder / "bin" / "python").unlink()
    else:
        (folder / "blender.json").write_text(damage)
    with pytest.raises(BlenderNotAvailable, match=str(folder)):
        find_blenders(tmp_path, None, search=False)


@pytest.mark.parametrize("damage", ["[]", '{"a": 1}', "{"])
def test_a_damaged_register_is_named(damage: str, tmp_path: Path) -> None:
    add(tmp_path, executable(tmp_path / "3.4"), "old")
    (tmp_path / "blenders" / "added.json").write_text(damage)
    with pytest.raises(BlenderNotAvailable, match=r"added\.json cannot be read"):
        find_blenders(tmp_path, None, search=False)


@pytest.mark.parametrize("damage", ["[]", '{"%s": {"facts": {}}}', "{"])
def test_a_damaged_cache_is_made_again(damage: str, tmp_path: Path) -> None:
    program = executable(tmp_path / "3.4")
    cache = tmp_path / "cache" / "blenders.json"
    cache.parent.mkdir()
    cache.write_text(damage.replace("%s", str(program)))
    for _ in range(2):
        assert [one.version for one in find_blenders(tmp_path, program, search=False)] == ["3.4.1"]
    assert (tmp_path / "3.4" / "asked").read_text().count("asked") == 1


def test_a_program_that_answers_otherwise_is_no_blender(tmp_path: Path) -> None:
    program = tmp_path / "blender"
    program.write_text("#!/bin/sh\necho @hello\n")
    program.chmod(0o755)
    with pytest.raises(BlenderNotAvailable, match="does not answer as a Blender"):
        find_blenders(tmp_path, program, search=False)


def test_a_home_that_cannot_be_written_is_read_all_the_same(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    installed(tmp_path, "5.0.1")
    (tmp_path / "blenders").chmod(0o555)
    with in_use(find_blenders(tmp_path, None, search=False)) as held:
        assert held is None
