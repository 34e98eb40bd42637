"""Tests of a repository in the sandbox: what they may do, what they must not, and what is believed of their results."""

from __future__ import annotations

import dataclasses
import json
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.sandbox.ladder import Rung
from harness.suites import Interpreter, Suite, SuiteRun, TestResult, of_pytest, of_unittest, run_suite, written
from tests.sandboxes import LIMITS, on

pytestmark = pytest.mark.slow

PYTHON = Interpreter(Path(sys.executable))
PLUGINS = ("xdist", "xdist.looponfail", "asyncio", "langsmith_plugin", "anyio", "hypothesispytest")
PYTEST = Suite("pytest", ("python", "-m", "pytest", "-q", *(part for name in PLUGINS for part in ("-p", f"no:{name}"))))
UNITTEST = Suite("unittest", ("python", "-m", "unittest", "discover"))
SHORT = dataclasses.replace(LIMITS, files=200)

ORDINARY = """
import pathlib, subprocess, sys, unittest
from shop import price

class Shop(unittest.TestCase):
    def test_price(self):
        self.assertEqual(price(2), 4)
    def test_wrong(self):
        self.assertEqual(price(2), 5)
    def test_process(self):
        self.assertEqual(subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True).stdout, b"1\\n")
    def test_files(self):
        pathlib.Path("left").write_text("here"), pathlib.Path.home().joinpath("left").write_text("there")
    @unittest.skip("later")
    def test_later(self):
        pass
"""
ATTACKS = """
import os, pathlib, socket, unittest
PLACES = {places!r}

def tries(call, *arguments):
    try:
        call(*arguments)
    except OSError:
        return "refused"
    return "done"

class Attacks(unittest.TestCase):
    def test_write(self):
        for place in PLACES:
            self.assertEqual(tries(lambda: open(place, "a")), "refused")
            self.assertEqual(tries(os.unlink, place), "refused")
    def test_read(self):
        for place in [*PLACES, "/etc/passwd"]:
            self.assertEqual(tries(lambda: open(place).read()), "refused")
    def test_network(self):
        self.assertEqual(tries(socket.create_connection, ("127.0.0.1", {port}), 1), "refused")
    def test_link(self):
        self.assertEqual(tries(os.symlink, PLACES[0], "link"), "refused")
        self.assertEqual(tries(os.link, PLACES[0], "link"), "refused")
"""
SHOP = {"shop.py": b"def price(count):\n    return 2 * count\n"}


@pytest.fixture
def listener() -> Iterator[tuple[int, list[object]]]:
    """A port of this machine, and who came."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        came: list[object] = []

        def accept() -> None:
            try:
                came.append(server.accept())
            except OSError:
                return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield server.getsockname()[1], came


def outcomes(run: SuiteRun) -> dict[str, str]:
    return {one.name.rpartition(".")[2].rpartition("::")[2]: one.outcome for one in run.results}


async def run(suite: Suite, files: dict[str, bytes], tmp_path: Path, rung: Rung = Rung.NAMESPACES) -> SuiteRun:
    return await run_suite(suite, files, PYTHON, on(rung), tmp_path / "place", SHORT)


async def test_ordinary_tests_run_by_unittest(tmp_path: Path) -> None:
    done = await run(UNITTEST, {**SHOP, "test_shop.py": ORDINARY.encode()}, tmp_path)
    assert outcomes(done) == {
        "test_price": "passed",
        "test_wrong": "failed",
        "test_process": "passed",
        "test_files": "passed",
        "test_later": "skipped",
    }
    assert not done.passed and done.problem == "" and done.exit_code == 1
    assert done.said == "3 passed, 1 failed, 1 skipped"
    assert "4 != 5" in next(one.message for one in done.results if one.outcome == "failed")


async def test_a_conftest_that_writes_outside_breaks_its_own_run_alone(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    conftest = (
        f"import pathlib\ntry:\n    pathlib.Path({str(outside)!r}).write_text('x')\nexcept OSError:\n    print('no')"
    )
    tests = b"def test_price():\n    from shop import price\n    assert price(2) == 4\n"
    done = await run(PYTEST, {**SHOP, "conftest.py": conftest.encode(), "tests/test_shop.py": tests}, tmp_path)
    assert outcomes(done) == {"test_price": "passed"} and done.passed, done.output
    assert not outside.exists()


@pytest.mark.parametrize("rung", [Rung.NAMESPACES, Rung.LANDLOCK])
async def test_attacks_are_refused(tmp_path: Path, rung: Rung, listener: tuple[int, list[object]]) -> None:
    secret = tmp_path / "data" / "runs.sqlite"
    secret.parent.mkdir()
    secret.write_text("secret")
    text = ATTACKS.format(places=[str(secret), str(Path(__file__))], port=listener[0])
    done = await run(UNITTEST, {"test_attacks.py": text.encode()}, tmp_path, rung)
    assert set(outcomes(done).values()) == {"passed"} and len(done.results) == 4, done.output
    assert secret.read_text() == "secret" and listener[1] == []


async def test_a_command_has_its_exit_code_alone(tmp_path: Path) -> None:
    files = {"run.sh": b"cat shop.py && exit $1\n", **SHOP}
    good = await run_suite(Suite("command", ("sh", "run.sh", "0")), files, PYTHON, on(Rung.NAMESPACES), tmp_path / "a")
    bad = await run_suite(Suite("command", ("sh", "run.sh", "3")), files, PYTHON, on(Rung.NAMESPACES), tmp_path / "b")
    none = await run_suite(Suite("command", ("no-such", "x")), files, PYTHON, on(Rung.NAMESPACES), tmp_path / "c")
    assert good.passed and "def price" in good.output and good.results == ()
    assert not bad.passed and bad.problem == "The command ended with exit code 3."
    assert not none.passed and none.problem.startswith("There is no program no-such in ")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("while True: pass", "limit of time"),
        # It stays until it is looked at.
        ("try: open('x', 'wb').write(bytes(9 << 20))\nfinally: __import__('time').sleep(9)", "limit of disk"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "signal 9"),
        ("import os; os._exit(0)", "There are no results"),
        ("print('x' * (3 << 20))", "limit of output"),
    ],
    ids=["time", "disk", "signal", "exit", "output"],
)
async def test_a_run_that_does_not_come_to_its_end_has_not_passed(tmp_path: Path, source: str, said: str) -> None:
    files = {"test_it.py": f"{source}\nimport unittest\nclass T(unittest.TestCase): pass\n".encode()}
    limits = dataclasses.replace(SHORT, wall_s=1.0, output_bytes=1 << 20)
    done = await run_suite(UNITTEST, files, PYTHON, on(Rung.NAMESPACES), tmp_path / "place", limits)
    assert not done.passed and said in done.problem, (done.problem, done.output[-300:])


async def test_results_that_do_not_agree_with_the_exit_code_are_not_believed(tmp_path: Path) -> None:
    forged = json.dumps([["test_it.T.test_bad", "passed", ""]])
    source = f"""
import atexit, os, sys, unittest
class T(unittest.TestCase):
    def test_bad(self): self.fail()
results = sys.argv[1] if len(sys.argv) > 1 else ""
atexit.register(lambda: open("../scratch/results", "w").write({forged!r}))
"""
    done = await run(UNITTEST, {"test_it.py": source.encode()}, tmp_path)
    assert not done.passed and "not believed" in done.problem
    assert outcomes(done) == {"test_bad": "passed"}


async def test_no_tests_is_no_pass(tmp_path: Path) -> None:
    done = await run(UNITTEST, SHOP, tmp_path)
    assert not done.passed and done.results == ()


async def test_a_link_in_the_place_of_the_results_is_not_followed(tmp_path: Path) -> None:
    # On a rung where links can be made at all, none is read.
    folder = tmp_path / "place"
    done = await run(UNITTEST, {**SHOP, "test_shop.py": ORDINARY.encode()}, tmp_path)
    assert done.results
    results = folder / "scratch" / "results"
    results.unlink()
    results.symlink_to("/etc/hostname")
    with pytest.raises(ValueError, match="no plain file"):
        written(results)


def test_junit_files_are_read_and_declarations_refused() -> None:
    cases = (
        '<testcase classname="tests.test_a" name="test_one"/>'
        '<testcase classname="tests.test_a" name="test_two"><failure message="assert 1 == 2">...</failure></testcase>'
        '<testcase classname="tests.test_a" name="test_three"><skipped message="later"/></testcase>'
        '<testcase name="tests/test_b.py"><error message="collection failure">...</error></testcase>'
    )
    text = f'<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite>{cases}</testsuite></testsuites>'
    assert of_pytest(text.encode()) == (
        TestResult("tests.test_a::test_one", "passed"),
        TestResult("tests.test_a::test_two", "failed", "assert 1 == 2"),
        TestResult("tests.test_a::test_three", "skipped", "later"),
        TestResult("tests/test_b.py", "error", "collection failure"),
    )
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    bombed = text.replace("<testsuites>", f"{bomb}<testsuites>")
    for wrong, said in (
        (bombed.encode(), "declarations"),
        (bombed.replace("utf-8", "utf-16").encode("utf-16"), "codec"),
        (bombed.replace("utf-8", "utf-16").encode("utf-16-le"), "declarations"),
        (b"<a>", "cannot be read"),
    ):
        with pytest.raises(ValueError, match=said):
            of_pytest(wrong)


def test_results_of_unittest_that_nest_too_deep_are_no_fault_of_ours() -> None:
    assert of_unittest(b'[["a.B.c", "passed", ""]]') == (TestResult("a.B.c", "passed"),)
    for wrong in (b"[" * 100_000, b"[1]", b"nothing"):
        with pytest.raises(ValueError, match="another form"):
            of_unittest(wrong)


@pytest.mark.parametrize("wrong", [b"{}", b"[1]", b'[["a", "won", ""]]', b"[[[", b'[["a", "passed"]]'])
def test_results_of_another_form_are_refused(wrong: bytes) -> None:
    assert of_unittest(b'[["a", "passed", ""]]') == (TestResult("a", "passed"),)
    if wrong == b"{}":
        assert of_unittest(wrong) == ()
        return
    with pytest.raises(ValueError, match=r"form|Expecting"):
        of_unittest(wrong)
