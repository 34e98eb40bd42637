"""Where logs lead in a repository: frames of other machines, what a line uses, suspects, and what is known."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from codebase.ask.ranking import Ranking
from codebase.diagnosis import known
from codebase.diagnosis.diagnose import basis_of, diagnose
from codebase.diagnosis.evidence import UnitEvidence
from codebase.diagnosis.issues import Issue, solved_issues
from codebase.diagnosis.known import (
    ConfirmedDiagnosis,
    alike,
    confirmations_in,
    general,
    note_diagnosis,
    recent_diagnoses,
    remember,
)
from codebase.diagnosis.recent_commits import changes_of, newest_lines
from codebase.diagnosis.requests import agreeing
from codebase.diagnosis.shapes import Diagnosis
from codebase.diagnosis.statement import read_line
from python.parsing import parse_python
from tests.codebase.small import repository, run_git, write

CLAY = '''\
"""Clay."""

FIRED = 1000


class Pot:
    def __init__(self, clay):
        self.clay = clay
        self.handle = None

    @property
    def weight(self):
        return self.clay.mass * FIRED

    def lift(self):
        return self.handle.grip(strength(self))


def strength(pot):
    return pot.weight / 2


def throw(clay):
    pot = Pot(clay)
    return pot


def dig(place):
    """Clay from a place, if there is any."""
    found = look(place)
    if found:
        return found
'''
KILN = """\
from studio.clay import Pot, dig, throw


def fire(place):
    clay = dig(place)
    pot = throw(clay)
    return heat(pot)


def heat(pot):
    warm = pot.weight
    return warm + 1


def unrelated():
    return 1
"""
FILES = {
    "studio/__init__.py": "",
    "studio/clay.py": CLAY,
    "studio/kiln.py": KILN,
    "tests/test_kiln.py": "from studio.kiln import fire\n\n\ndef test_fire():\n    fire('river')\n",
    "README.md": "# Studio\n\nPots, clay and a kiln: fire them.\n",
}
LOG = """\
Traceback (most recent call last):
  File "{root}studio/kiln.py", line 7, in fire
    return heat(pot)
  File "{root}studio/kiln.py", line 11, in heat
    warm = pot.weight
  File "{root}studio/clay.py", line 13, in weight
    return self.clay.mass * FIRED
           ^^^^^^^^^^^^^^
AttributeError: 'NoneType' object has no attribute 'mass'
"""


def diagnosed(tmp_path: Path, log: str, files: dict[str, str] | None = None) -> Diagnosis:
    return diagnose(write(tmp_path / "studio", files or FILES), tmp_path / "index", log)


def citations(found: Diagnosis) -> list[str | None]:
    return [frame.citation for frame in found.errors[-1].frames]


@pytest.mark.parametrize(
    "root", ["", "/home/a/", "C:\\Users\\a\\", "/usr/lib/python3/site-packages/", "/app/src/", "./", "~/x/"]
)
def test_frames_of_any_machine_are_found(tmp_path: Path, root: str) -> None:
    found = diagnosed(tmp_path, LOG.format(root=root))
    assert citations(found) == ["studio/kiln.py:7", "studio/kiln.py:11", "studio/clay.py:13"]
    assert [crash.citation for crash in found.crashes] == ["studio/clay.py:13"]


@pytest.mark.parametrize(
    ("path", "function", "code", "citation"),
    [
        ("/x/studio/clay.py", "strength", "return pot.weight / 2", "studio/clay.py:20"),
        ("/x/clay.py", "strength", "return pot.weight / 2", "studio/clay.py:20"),
        ("/x/studio/clay.py", "strength", "return pot.weight / 3", "studio/clay.py:20"),
        ("/x/studio/clay.py", "strength", "print(1)", "studio/clay.py:19"),
        ("/x/other/clay.py", "soften", "print(1)", None),
        ("/usr/lib/python3.11/clay.py", "soften", "print(1)", None),
        ("/usr/lib/python3.11/studio/deeper/clay.py", "strength", "return pot.weight / 2", None),
        ("<string>", "strength", "return pot.weight / 2", None),
    ],
)
def test_a_line_of_another_release_is_found_again(
    tmp_path: Path, path: str, function: str, code: str, citation: str | None
) -> None:
    log = f'Traceback (most recent call last):\n  File "{path}", line 90, in {function}\n    {code}\nValueError: no\n'
    found = diagnosed(tmp_path, log)
    assert citations(found) == [citation]
    assert (found.stopped is None) == (citation is not None)
    assert citation or "in this repository" in (found.stopped or "") or "names no file" in (found.stopped or "")


def test_the_frame_that_is_clear_decides_between_two_files_of_a_name(tmp_path: Path) -> None:
    twins = {
        "a/pots/ops.py": "def go():\n    run()\n",
        "b/pots/ops.py": "def go():\n    run()\n",
        "b/pots/kiln.py": "x = 1\n",
    }
    log = (
        'Traceback (most recent call last):\n  File "/y/b/pots/kiln.py", line 1, in <module>\n    x = 1\n'
        '  File "/y/b/pots/ops.py", line 2, in go\n    run()\nNameError: run\n'
    )
    assert citations(diagnosed(tmp_path, log, twins)) == ["b/pots/kiln.py:1", "b/pots/ops.py:2"]
    alone = log.replace("/y/b/pots/ops.py", "/z/pots/ops.py")
    assert "or b/pots/ops.py" in diagnosed(tmp_path, alone, twins).errors[0].frames[1].says


def lifting() -> str:
    code = "return self.handle.grip(strength(self))"
    frame = f'  File "studio/clay.py", line 16, in lift\n    {code}\n'
    return f"Traceback (most recent call last):\n{frame}AttributeError: 'NoneType' object has no attribute 'grip'\n"


def test_a_crash_line_shows_what_it_uses_and_where_its_values_are_from(tmp_path: Path) -> None:
    log = lifting()
    crash = diagnosed(tmp_path, log).crashes[0]
    assert (crash.citation, crash.function, crash.says) == ("studio/clay.py:16", "Pot.lift", "the line as printed")
    assert crash.around_citation == "studio/clay.py:1-32" and "def lift(self):" in crash.around
    assert {one.name for one in crash.definitions} == {"strength", "Pot.handle"}
    in_fire = LOG.format(root="").split("  File")[1]
    crash = diagnosed(tmp_path, f"Traceback (most recent call last):\n  File{in_fire}TypeError: no\n").crashes[0]
    assert [one.name for one in crash.definitions] == ["heat"]
    assert [one.name for one in crash.values] == ["throw", "dig"]
    assert crash.parameters == ["place"]
    assert any(one.name == "test_fire" for one in crash.callers)


def test_the_maker_of_a_missing_value_is_suspected_before_what_is_near(tmp_path: Path) -> None:
    found = diagnosed(tmp_path, LOG.format(root="/home/a/"))
    names = [suspect.name for suspect in found.suspects]
    assert names[0] == "Pot.weight" and "dig" in names[:6] and "Pot.__init__" in names[:6]
    assert "unrelated" not in names and "test_fire" not in names[:5]
    assert all(suspect.reasons and 0 <= suspect.score <= 1 for suspect in found.suspects)
    assert "value before the dot is None" in found.errors[0].meaning


def test_chained_errors_begin_at_the_first(tmp_path: Path) -> None:
    wrapped = (
        LOG.format(root="/a/")
        + "\nThe above exception was the direct cause of the following exception:\n\n"
        + "Traceback (most recent call last):\n"
        '  File "/a/studio/kiln.py", line 16, in unrelated\n    return 1\nRuntimeError: cold\n'
    )
    found = diagnosed(tmp_path, wrapped)
    assert [error.relation for error in found.errors] == ["", "cause"]
    assert [crash.citation for crash in found.crashes] == ["studio/kiln.py:16", "studio/clay.py:13"]


def test_a_log_of_something_else_says_why_it_stopped(tmp_path: Path) -> None:
    other = LOG.format(root="/a/").replace("studio/", "bakery/").replace("clay", "dough").replace("kiln", "oven")
    found = diagnosed(tmp_path, other)
    assert found.crashes == [] and "None of the 2 files" in (found.stopped or "")
    assert "1 errors with 3 frames, 0 of them in this repository" in found.examined
    assert "holds no error" in (diagnosed(tmp_path, "all is well").stopped or "")


def test_a_request_whose_view_is_found_does_not_stop_it(tmp_path: Path) -> None:
    site = {
        "shop/urls.py": b'from django.urls import path\nfrom .views import swap\n\nurlpatterns = [path("swap/", swap)]',
        "shop/views.py": b"def swap(request):\n    return None\n",
        "shop/till.py": b"# \xe9\n",
    }
    for name, content in site.items():
        (tmp_path / "site" / "shop").mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_bytes(content)
    failed = "XHRPOST http://localhost:8000/swap/\n[HTTP/1.1 403 Forbidden 12ms]\n"
    found = diagnose(tmp_path / "site", tmp_path / "index", failed)
    assert found.stopped is None and found.suspects[0].citation == "shop/views.py:1-2"
    raised = 'Traceback (most recent call last):\n  File "/x/shop/till.py", line 1, in f\nKeyError: 1\n'
    said = {
        failed.replace("swap", "other"): "No route here leads to a request that failed",
        raised: "The file that the log names is not in this repository (/x/shop/till.py): the suspects rest on its "
        "words. shop/till.py was left out: not UTF-8",
    }
    for log, why in said.items():
        assert (diagnose(tmp_path / "site", tmp_path / "index", log).stopped or "").startswith(why)


@pytest.mark.parametrize("log", ["", "\0", "File " * 5000, LOG.format(root="/" * 900), "at f (x.js:99999999999:1)\n"])
def test_no_log_is_too_strange(tmp_path: Path, log: str) -> None:
    assert diagnosed(tmp_path, log).id.startswith("d-")


def test_the_lines_of_a_statement_are_read_as_one() -> None:
    tree = parse_python(
        "def f(a, b):\n    c = make(a)\n    for d in c:\n        g(\n            d,\n            b.x,\n        )\n"
    )
    reading = read_line(tree, 6)
    assert reading is not None and (reading.first, reading.last) == (4, 7)
    assert [one.text for one in reading.used if one.depth == 0] == ["g", "d", "b.x", "b"]
    assert [one.text for one in reading.used if one.depth] == ["c", "make", "a"]
    assert reading.parameters == ("a", "b")
    loop = read_line(tree, 3)
    assert loop is not None and (loop.first, loop.last) == (3, 3)
    assert read_line(tree, 90) is None


def test_history_is_told_without_running_what_the_repository_configures(tmp_path: Path) -> None:
    root = repository(tmp_path / "studio", FILES)
    later = write(root, {"studio/kiln.py": KILN.replace("warm + 1", "warm + 2")})
    run_git(root, "add", ".")
    who = {"GIT_AUTHOR_NAME": "A\x01B", "GIT_COMMITTER_DATE": "2040-01-01T00:00:00Z"}
    run_git(root, "commit", "-q", "-m", "Warmer\x01", **who)
    for name in ("diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "filter.evil.smudge"):
        run_git(root, "config", name, f"touch {tmp_path}/ran; cat")
    write(root, {".gitattributes": "*.py diff=evil filter=evil\n"})
    lines = (later / "studio/kiln.py").read_text().splitlines()
    changes, missing = changes_of(root, "studio/kiln.py", lines, 12, 12)
    assert [(one.author, one.subject) for one in changes] == [
        ("A\x01B", "Warmer\x01"),
        ("someone@example.org", "change"),
    ]
    assert missing == "" and changes[0].when > changes[1].when
    assert changes_of(root, "studio/kiln.py", ["new", *lines], 13, 13)[0] == changes
    assert changes_of(root, "studio/kiln.py", ["new", *lines], 1, 1) == ([], "these lines are not committed")
    times = newest_lines(root, "studio/kiln.py", lines)
    assert times[12] > times[11] and newest_lines(root, "studio/kiln.py", ["new", *lines]) == {}
    assert not (tmp_path / "ran").exists()


def test_a_confirmed_diagnosis_is_known_the_next_time(tmp_path: Path) -> None:
    first = diagnosed(tmp_path, LOG.format(root="/a/"))
    row = ConfirmedDiagnosis(
        first.id,
        "AttributeError",
        first.errors[0].message,
        "studio/clay.py",
        "Pot.weight",
        "studio/clay.py:33",
        "dig",
        "",
        1.0,
    )
    remember(tmp_path / "index", row)
    again = diagnosed(tmp_path, LOG.format(root="C:\\b\\").replace("line 13", "line 90"))
    assert again.id == first.id
    assert [(one.fit, one.fault, one.solution) for one in again.known] == [("same place", "studio/clay.py:33", "dig")]
    other = diagnosed(tmp_path, LOG.format(root="/a/").replace("'mass'", "'glaze'"))
    assert [one.fit for one in other.known] == ["same place"]
    assert diagnosed(tmp_path, LOG.format(root="/a/").replace("AttributeError", "TypeError")).known == []
    with (tmp_path / "index" / "diagnoses.jsonl").open("a") as file:
        file.write("{broken\n")
    assert len(confirmations_in(tmp_path / "index")) == 1


def test_the_fault_of_a_known_error_may_lie_in_any_path(tmp_path: Path) -> None:
    files = FILES | {"my-tools/a-b.py": "def mix():\n    return 1\n"}
    first = diagnosed(tmp_path, LOG.format(root="/a/"), files)
    assert not any("my-tools" in suspect.citation for suspect in first.suspects)
    crash = "AttributeError", first.errors[0].message, "studio/clay.py", "Pot.weight"
    remember(tmp_path / "index", ConfirmedDiagnosis(first.id, *crash, "my-tools/a-b.py:1-2", "", "", 1.0))
    again = diagnosed(tmp_path, LOG.format(root="/a/"), files)
    assert any(suspect.citation.startswith("my-tools/a-b.py") for suspect in again.suspects)


def test_the_diagnosis_that_was_repeated_is_forgotten_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "MOST_RECENT", 2)
    for diagnosis in ("one", "two", "one", "three"):
        note_diagnosis(tmp_path, diagnosis, "KeyError", "", "a.py", "f")
    assert set(recent_diagnoses(tmp_path)) == {"one", "three"}
    assert [file.name for file in tmp_path.iterdir()] == [known.RECENT]


def test_solved_issues_are_found_by_their_error() -> None:
    issues = solved_issues(
        '[{"id": 7, "error": "KeyError: \'glaze\' at 0x7f12", "solution": "Mix it first."}, {"x": 1}]'
    )
    assert issues == [Issue("7", "", "KeyError: 'glaze' at 0x7f12", "Mix it first.")]
    assert [one.solution for one in alike(issues, "KeyError", "'glaze' at 0x9a", "export")] == ["Mix it first."]
    assert (
        alike(issues, "ValueError", "'glaze'", "export") == [] and alike(issues, "KeyError", "'handle'", "export") == []
    )
    assert general("at 0x7f12, 3.5 times") == "at 0, 0 times"
    for text in ("", "no", "[]", '{"a": 1}', "[1, 2]", "3", "[" * 100_000):
        with pytest.raises(ValueError):
            solved_issues(text)


def test_a_real_error_of_a_real_run(tmp_path: Path) -> None:
    root = write(
        tmp_path / "studio",
        {
            "run.py": "from shelf import take\n\nprint(take(3))\n",
            "shelf.py": "ROWS = [1]\n\n\ndef take(n):\n    return ROWS[n]\n",
        },
    )
    done = subprocess.run([sys.executable, "run.py"], cwd=root, capture_output=True, text=True, check=False)
    found = diagnose(root, tmp_path / "index", done.stderr)
    assert [crash.citation for crash in found.crashes] == ["shelf.py:5"]
    assert [one.citation for one in found.crashes[0].definitions] == ["shelf.py:1-1"]
    assert found.suspects[0].name == "take"


@pytest.mark.parametrize(
    ("line", "path", "parts"),
    [
        ('path("wares/<int:n>/buy/", views.buy),', "/shop/wares/4/buy/", 3),
        ('path("wares/<int:n>/buy/", views.buy),', "/wares/4/sell/", None),
        ('re_path(r"^wares/(?P<n>[0-9]+)/$", views.ware),', "/wares/4/", 2),
        ('path("", views.home),', "/", 0),
        ('path("", views.home),', "/wares/", None),
        ("nothing", "/", None),
    ],
)
def test_a_pattern_answers_the_paths_that_end_in_it(line: str, path: str, parts: int | None) -> None:
    assert agreeing([line], 1, path) == parts


def test_a_log_cut_above_its_crash_leads_to_a_file_by_words_beside_its_frames(tmp_path: Path) -> None:
    glaze = {"studio/glaze.py": "def shine(vessel):\n    '''The glossy finish of porcelain.'''\n    return vessel\n"}
    cut = "porcelain lost its glossy finish\n" + LOG.format(root="/a/").rpartition("  File ")[0]
    paths = [one.citation.rpartition(":")[0] for one in diagnosed(tmp_path, cut, FILES | glaze).suspects]
    assert paths[0] == "studio/kiln.py" and "studio/glaze.py" in paths
    plain = [one.citation for one in diagnosed(tmp_path / "twin", cut.partition("\n")[2], FILES | glaze).suspects]
    assert not any(citation.startswith("studio/glaze.py") for citation in plain)


@pytest.mark.parametrize("first", ["studio/clay.py", "studio/kiln.py"])
def test_files_that_words_lead_to_come_in_the_order_of_the_files_and_not_of_their_units(
    tmp_path: Path, first: str
) -> None:
    snapshot = basis_of(repository(tmp_path / "repository", FILES), tmp_path / "index").snapshot
    other = "studio/kiln.py" if first == "studio/clay.py" else "studio/clay.py"
    units = {unit: 1.0 for path in (other, first) for unit in snapshot.file_units[snapshot.number[path]]}
    searched = Ranking({snapshot.number[first]: 1.0, snapshot.number[other]: 0.5}, units, {}, {})
    found = UnitEvidence(snapshot).suspects(9, searched, is_lost=False)
    assert [one.citation.rpartition(":")[0] for one in found] == [first, other]


def test_a_frame_of_installed_packages_is_here_by_its_end_and_its_line_and_not_by_its_end_alone(tmp_path: Path) -> None:
    moved = LOG.format(root="/usr/lib/python3/site-packages/old/")
    assert diagnosed(tmp_path, moved).crashes[0].citation == "studio/clay.py:13"
    other = moved.replace("    return self.clay.mass * FIRED\n", "    return self.mass_of(FIRED)\n")
    assert all(not crash.citation.startswith("studio/clay.py") for crash in diagnosed(tmp_path, other).crashes)
