"""What is read from logs: each form with its frames, and near twins that are none."""

from __future__ import annotations

import json
import time

import pytest

from codebase.tracebacks.error import Log
from codebase.tracebacks.log import read_log

PLAIN = """\
Traceback (most recent call last):
  File "/srv/shop/till.py", line 12, in pay
    return total(basket)
           ^^^^^^^^^^^^^
  File "/srv/shop/till.py", line 4, in total
    return sum(one.price for one in basket)
TypeError: 'NoneType' object is not iterable
"""
FRAMES = [("/srv/shop/till.py", 12, "pay"), ("/srv/shop/till.py", 4, "total")]
TITLE = "TypeError: 'NoneType' object is not iterable"


def frames(log: Log, error: int = -1) -> list[tuple[str, int | None, str]]:
    return [(frame.path, frame.line, frame.function) for frame in log.errors[error].frames]


def before_each(prefix: str, text: str = PLAIN) -> str:
    return "".join(f"{prefix}{line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace("\n", "\r\n"),
        before_each("    "),
        before_each("> "),
        before_each("web-1  | "),
        before_each("2026-05-01 10:11:12,345 ERROR shop.till: "),
        before_each("[10:11:12] "),
        before_each("May 01 10:11:12 host shop[812]: "),
        "\x1b[31m" + PLAIN.replace("File", "\x1b[1mFile\x1b[0m"),
        "2026-05-01 10:11:12 ERROR it failed\n" + PLAIN + "2026-05-01 10:11:13 INFO next\n",
        f"Error: Python: {PLAIN}location: <unknown location>:-1\n",
        f"Python: {PLAIN}",
        json.dumps({"level": "error", "exc_info": PLAIN}),
        f'<html><body><textarea id="traceback_area" cols="9">{PLAIN.replace(chr(34), "&quot;")}</textarea></html>',
        f"<html><body><pre>{PLAIN.replace(chr(39), '&#x27;')}</pre>",
        PLAIN * 3,
        PLAIN.replace("\n", "\\n"),
        "May 01 10:11:12 host shop[812]: " + PLAIN.replace("\n", "#012"),
        PLAIN.replace('"', "\u201d").replace("'", "\u2019"),
        PLAIN.replace('"', "&quot;").replace("'", "&#39;"),
        PLAIN.replace("    ", "\xa0" * 4),
    ],
)
def test_a_traceback_is_read_whatever_is_around_it(text: str) -> None:
    log = read_log(text)
    assert [error.title for error in log.errors] == [TITLE]
    assert frames(log) == FRAMES
    assert log.errors[0].frames[0].code == ("return total(basket)",)


def test_carets_mark_a_part_of_the_line() -> None:
    first, second = read_log(PLAIN).errors[0].frames
    assert (first.marked, second.marked) == ("total(basket)", "")


def test_a_log_that_was_cut_has_what_is_left() -> None:
    lines = PLAIN.splitlines()
    head, tail = read_log("\n".join(lines[:-1])), read_log("\n".join(lines[4:]))
    assert frames(head) == FRAMES and head.errors[0].type == ""
    assert frames(tail) == FRAMES[1:] and tail.errors[0].title == TITLE


def chained(words: str) -> str:
    return f"{PLAIN}\n{words}\n\n" + PLAIN.replace(
        "TypeError: 'NoneType' object is not iterable", "RuntimeError: no till"
    )


@pytest.mark.parametrize(
    ("words", "relation"),
    [
        ("The above exception was the direct cause of the following exception:", "cause"),
        ("The above exception ('x') was the direct cause of the following exception:", "cause"),
        ("During handling of the above exception, another exception occurred:", "context"),
        ("Then this happened:", ""),
    ],
)
def test_chained_errors_are_related(words: str, relation: str) -> None:
    log = read_log(chained(words))
    assert [error.type for error in log.errors] == ["TypeError", "RuntimeError"]
    assert log.errors[1].relation == relation
    assert read_log(before_each("app  | ", chained(words))).errors[1].relation == relation


def test_an_element_without_an_end_takes_no_longer() -> None:
    began = time.process_time()
    read_log("<div></" + "<script " * 80_000)
    assert time.process_time() - began < 5
    page = f"<html><script async src='a.js'></script><style>\nb{{}}\n</style><pre>{PLAIN}</pre>"
    assert frames(read_log(page)) == FRAMES


@pytest.mark.parametrize(("line", "known"), [("\u00b2", []), ("2", [2]), ("\u0662", [2])])
def test_a_number_of_another_script_is_no_fault(line: str, known: list[int]) -> None:
    log = read_log(f"Error: x\n    at f (a.js:{line}:1)\n")
    assert [frame.line for error in log.errors for frame in error.frames] == known


def test_a_group_has_its_errors() -> None:
    try:
        raise ExceptionGroup("two of them", [ValueError("one"), KeyError("two")])
    except ExceptionGroup as group:
        import traceback

        log = read_log("".join(traceback.format_exception(group)))
    assert [error.title for error in log.errors][:1] == ["ExceptionGroup: two of them (2 sub-exceptions)"]
    nested = """\
  + Exception Group Traceback (most recent call last):
  |   File "a.py", line 9, in main
  |     raise ExceptionGroup("both", errors)
  | ExceptionGroup: both (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "a.py", line 6, in work
    |     one()
    | ValueError: 1
    +------------------------------------
"""
    log = read_log(nested)
    assert [(error.type, error.relation) for error in log.errors] == [("ExceptionGroup", ""), ("ValueError", "part")]
    assert frames(log) == [("a.py", 6, "work")]


def test_what_blender_reports_from_inside_an_operator() -> None:
    text = """\
Blender 4.2.1 LTS (hash 396f546c9d82 built 2024-08-19)
Error: Python: Traceback (most recent call last):
  File "C:\\Users\\me\\Blender\\4.2\\scripts\\addons\\kiln\\ops.py", line 33, in execute
    bpy.ops.kiln.fire('INVOKE_DEFAULT')
  File "C:\\Program Files\\Blender Foundation\\Blender 4.2\\4.2\\scripts\\modules\\bpy\\ops.py", line 109, in __call__
    ret = _op_call(self.idname_py(), kw)
RuntimeError: Error: Python: Traceback (most recent call last):
  File "C:\\Users\\me\\pots.blend\\Text.001", line 9, in execute
AttributeError: 'Action' object has no attribute 'fcurves'
location: <unknown location>:-1
"""
    log = read_log(text)
    assert [(error.type, error.relation) for error in log.errors] == [
        ("RuntimeError", ""),
        ("AttributeError", "inside"),
    ]
    assert frames(log, 0)[0] == ("C:/Users/me/Blender/4.2/scripts/addons/kiln/ops.py", 33, "execute")
    assert frames(log, 1) == [("C:/Users/me/pots.blend/Text.001", 9, "execute")]
    assert log.versions == {"blender": "4.2.1"}


def test_a_crash_report_has_its_newest_frame_first() -> None:
    log = read_log('# Python backtrace\n  File "/a/ui.py", line 5 in draw\n  File "/a/__init__.py", line 50 in main\n')
    assert frames(log) == [("/a/__init__.py", 50, "main"), ("/a/ui.py", 5, "draw")]


def test_a_syntax_error_is_at_its_line() -> None:
    log = read_log('  File "/a/pot.py", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax\n')
    assert (frames(log), log.errors[0].title) == ([("/a/pot.py", 3, "")], "SyntaxError: invalid syntax")


IPYTHON = """\
KeyError          Traceback (most recent call last)
File ~/shop/till.py:12, in pay(basket)
     10 x
---> 12     return price[1]

KeyError: 1
"""
PYTEST = """\
    def test_pay():
>       pay(None)

tests/test_till.py:5:
_ _ _ _

>       return price[1]
E       KeyError: 1

shop/till.py:12: KeyError
"""


def test_other_writers_of_tracebacks() -> None:
    log = read_log(IPYTHON)
    assert frames(log) == [("~/shop/till.py", 12, "pay")]
    assert (log.errors[0].frames[0].code, log.errors[0].title) == (("return price[1]",), "KeyError: 1")
    log = read_log(PYTEST)
    assert frames(log) == [("tests/test_till.py", 5, ""), ("shop/till.py", 12, "")]
    assert log.errors[0].frames[1].code == ("return price[1]",) and log.errors[0].title == "KeyError: 1"
    assert frames(read_log("shop/till.py:9: in total\n    return 1 / 0\nE   ZeroDivisionError: division by zero\n"))


DJANGO = """\
Request Method: GET
Request URL: http://localhost:8000/pots/4/?page=2

Django Version: 5.2.1
Python Version: 3.11.2

Template error:
In template /app/pots/templates/pots/pot.html, error at line 5
   Invalid block tag on line 5: 'pric'
   4 : <p>
   5 : {% pric pot %}

Traceback (most recent call last):
  File "/app/pots/views.py", line 9, in pot
    return render(request, "pots/pot.html", {})

Exception Type: TemplateSyntaxError at /pots/4/
Exception Value: Invalid block tag on line 5: 'pric'
[01/May/2026 10:00:00] "POST /pots/5/ HTTP/1.1" 405 145
Forbidden (CSRF token missing.): /pots/6/
"""


def test_an_error_page_leads_to_the_line_of_the_template() -> None:
    log = read_log(DJANGO)
    assert log.errors[0].title == "TemplateSyntaxError: Invalid block tag on line 5: 'pric'"
    assert frames(log) == [("/app/pots/views.py", 9, "pot"), ("/app/pots/templates/pots/pot.html", 5, "")]
    assert log.errors[0].frames[1].code == ("{% pric pot %}",)
    assert [(one.method, one.path, one.status) for one in log.requests] == [
        ("GET", "/pots/4/", 500),
        ("POST", "/pots/5/", 405),
        ("", "/pots/6/", 403),
    ]
    assert log.versions == {"django": "5.2.1", "python": "3.11.2"}


@pytest.mark.parametrize(
    ("line", "path", "status"),
    [
        ("POST http://localhost:8000/pots/3/?a=1 403 (Forbidden)", "/pots/3/", 403),
        ("Response Status Error Code 403 from /pots/3/", "/pots/3/", 403),
        ("htmx.js:1 Response Status Error Code 500 from /pots/", "/pots/", 500),
        ("Internal Server Error: /pots/3/", "/pots/3/", 500),
        ("GET http://x/static/a.js net::ERR_ABORTED 404 (Not Found)", "/static/a.js", 404),
        ("/pots/3/:1  Failed to load resource: the server responded with a status of 403 (Forbidden)", "/pots/3/", 403),
        (":8000/pots/3/:1  Failed to load resource: the server answered with a status of 500 ()", "/pots/3/", 500),
        ("XHRPOST http://localhost:8000/pots/3/\n[HTTP/1.1 403 Forbidden 12ms]", "/pots/3/", 403),
        ("XHR POST http://localhost:8000/pots/3/ [HTTP/2 403  12ms]", "/pots/3/", 403),
    ],
)
def test_a_request_that_failed_is_found(line: str, path: str, status: int) -> None:
    assert [(one.path, one.status) for one in read_log(line).requests] == [(path, status)]


def test_stacks_of_browsers_and_node() -> None:
    chrome = (
        "Uncaught (in promise) TypeError: Cannot read properties of undefined (reading 'id')\n"
        "    at glaze (http://localhost:8000/static/js/pots.js?v=3:10:15)\n"
        "    at Array.map (<anonymous>)\n"
        "    at async fire (http://localhost:8000/static/js/pots.js:44:3)\n"
    )
    firefox = "TypeError: pot is undefined\nglaze@http://localhost:8000/static/js/pots.js:10:15\nasync*fire@http://localhost:8000/static/js/pots.js:44:3\n"
    copied = (
        "Uncaught TypeError: pot is undefined\n    glaze http://localhost:8000/static/js/pots.js:10\n"
        "    fire http://localhost:8000/static/js/pots.js:44:3\n"
    )
    for text in (chrome, firefox, copied):
        log = read_log(text)
        assert frames(log) == [("/static/js/pots.js", 44, "fire"), ("/static/js/pots.js", 10, "glaze")]
        assert log.errors[0].type == "TypeError"
    node = '/srv/pots.js:12\n    throw new Error("cold");\n    ^\n\nError: cold\n    at glaze (/srv/pots.js:12:9)\n'
    assert read_log(node).errors[0].frames[-1].code == ('throw new Error("cold");',)
    alpine = 'Alpine Expression Error: opne is not defined\n\nExpression: "opne = !open"\n'
    assert read_log(alpine).errors[0].frames[0].code == ("opne = !open",)
    assert frames(read_log("pots.js:10 Uncaught ReferenceError: kiln is not defined\n")) == [("pots.js", 10, "")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0" * 100,
        "All is well: no error at /pots/\n",
        'He opened File "pots.py" and read on.\n',
        "shop/till.py:9: error: unused import\n",
        '"GET /pots/ HTTP/1.1" 200 145\n',
        "Mail me@host:12:3 at once.\n",
        "at noon (12:30:15)\n",
        "TypeError: this is only a title\n",
        "XHRPOST http://localhost:8000/pots/\n[HTTP/1.1 200 OK 12ms]\n",
        "XHRPOST http://localhost:8000/pots/\nsomething else\n[HTTP/1.1 403 Forbidden 12ms]\n",
        "loaded http://localhost:8000/static/pots.js:10\n",
    ],
)
def test_what_only_looks_like_an_error_is_none(text: str) -> None:
    log = read_log(text)
    assert (log.errors, log.requests) == ((), ())


@pytest.mark.parametrize(
    "piece",
    [
        'File "',
        "Traceback (most recent call last):\n",
        "  at f (",
        "a@",
        "| + ",
        "<div ",
        "x" * 50,
        "2026-01-01 00:00:00 ",
        '\\n"',
        "E   X\n",
        "> ",
        "File \u201d",
        "GET http://x/",
        "/:1 Failed to load resource: ",
    ],
)
def test_time_grows_with_the_length_of_the_log(piece: str) -> None:
    began = time.perf_counter()
    read_log(piece * (100_000 // len(piece)))
    assert time.perf_counter() - began < 5
