"""The units of a file: each symbol with its lines, and every kind of file taken apart."""

from __future__ import annotations

import textwrap

import pytest

from codebase.units.read import read_units
from codebase.units.unit import ParsedFile, Unit

MODULE = '''\
"""What the module is for."""
import os
from . import near
from ..far import thing as other

LIMIT = 3


@decorated(
    by="more than one line",
)
class Printer(Base, metaclass=Meta):
    """Prints."""

    width: int = 80

    def __init__(self, out) -> None:
        self.out = out

    @property
    async def lines(
        self,
        more: bool = False,  # a comment: with a colon
    ) -> list[str]:
        """The lines."""
        def inner(x): return x
        return [inner(1)]


if LIMIT:
    def fast(): ...
else:
    @overload
    def fast(x): ...

TABLE = {"a": 1}
'''


def named(parsed: ParsedFile) -> dict[str, Unit]:
    return {unit.name: unit for unit in parsed.units}


def test_python_is_taken_apart() -> None:
    parsed = read_units("pkg/printer.py", MODULE)
    units = named(parsed)
    assert parsed.problem is None
    assert parsed.imports == ("os", ".:near", "..far:thing")
    kinds = [(unit.kind, unit.name) for unit in parsed.units]
    assert kinds == [
        *[("module", ""), ("class", "Printer"), ("method", "Printer.__init__"), ("method", "Printer.lines")],
        *[("function", "Printer.lines.inner"), ("function", "fast"), ("function", "fast")],
    ]
    lines = units["Printer.lines"]
    assert lines.signature == "async def lines( self, more: bool = False, ) -> list[str]"
    assert (lines.docstring, lines.decorators) == ("The lines.", ("property",))
    assert (lines.first, lines.last, lines.ancestors) == (20, 27, "class Printer(Base, metaclass=Meta)")
    assert units["Printer"].first == 9, "the decorator is a part of it"


def test_a_class_is_searched_by_its_own_lines_and_a_function_by_all() -> None:
    units = named(read_units("a.py", MODULE))
    assert units["Printer"].spans == ((9, 15),)
    assert units["Printer"].cited == (9, 15)
    assert units["Printer.lines"].spans == ((20, 27),)
    assert units[""].spans == ((1, 6), (30, 30), (32, 32), (36, 36))


def test_the_digest_of_a_unit_changes_with_its_lines_only() -> None:
    before, after = named(read_units("a.py", MODULE)), named(read_units("a.py", "\n" + MODULE.replace("80", "90")))
    assert before["Printer.lines"].sha256 == after["Printer.lines"].sha256
    assert before["Printer"].sha256 != after["Printer"].sha256


@pytest.mark.parametrize(
    "broken",
    [
        "def good(a):\n    return a\n\ndef bad(:\n",
        "def good(a):\n\tif a:\n        return 1\n",
        "print 'x'\ndef good(a): pass\n",
    ],
)
def test_a_broken_file_keeps_what_can_be_read(broken: str) -> None:
    parsed = read_units("a.py", broken)
    assert parsed.problem and "line " in parsed.problem
    assert named(parsed)["good"].signature == "def good(a)"
    assert read_units("a.py", "def good(a): pass\n").problem is None


@pytest.mark.parametrize(
    "text", ["x = " + "(" * 500 + ")" * 500, "x = " + "-" * 20000 + "1", "\0", "x = '\udcff'", "a\x0cb\rc\n", "\r\r\n"]
)
@pytest.mark.parametrize("name", ["a.py", "a.ts", "a.json", "a.md", "a.toml", "a.css", "a.html"])
def test_no_text_is_too_strange(name: str, text: str) -> None:
    count = text.count("\n") + 1
    assert all(1 <= unit.first <= unit.last <= count for unit in read_units(name, text).units)


SCRIPT = """\
import { a } from "./a.js";
export { b } from "./b.js";

/** Adds. */
export async function add(x, y) {
  const inner = () => x;
  return inner() + y;
}

export default class Shop extends Base {
  #count = 0;
  handler = () => this.#count;
  sell(item) { return item; }
}

const util = {
  halve: function (x) { return x / 2; },
};
export const twice = (x) => x * 2;
"""


def test_javascript_is_taken_apart() -> None:
    parsed = read_units("web/shop.js", SCRIPT)
    units = named(parsed)
    assert parsed.imports == ("./a.js", "./b.js")
    assert {(unit.kind, unit.name) for unit in parsed.units} == {
        *[("module", ""), ("function", "add"), ("function", "add.inner"), ("class", "Shop")],
        *[("method", "Shop.handler"), ("method", "Shop.sell"), ("function", "halve"), ("function", "twice")],
    }
    assert units["add"].signature == "export async function add(x, y)"
    assert units["Shop.sell"].ancestors == "export default class Shop extends Base"


@pytest.mark.parametrize("name", ["a.ts", "a.tsx"])
def test_typescript_is_taken_apart(name: str) -> None:
    text = "export interface Ware { price: number }\ntype Id = string;\nfunction buy<T>(ware: T): void {}\n"
    parsed = read_units(name, text)
    assert [unit.name for unit in parsed.units] == ["Ware", "Id", "buy"], "nothing is left for the module"
    assert (parsed.language, named(parsed)["buy"].signature) == ("typescript", "function buy<T>(ware: T): void")


TEMPLATE = """\
{% extends "base.html" %}
{% load static %}

{% block title %}Wares{% endblock %}

{% block content %}
<p class="{% if a < 3 %}few{% endif %}">{{ text|default:"a<b" }}</p>
{# <div id="hidden">
   no element </div> #}
<!-- <div id="gone">

</div> -->
<div id="cart" {% if open %}class="open"{% endif %} hx-get="{% url 'cart' %}">
  {%- block rows -%}
  <b id="short">1</b>
  {%- endblock rows -%}
  <p>é</p>
</div>
{% endblock content %}
{% comment %}
{% block none %}

{% endblock %}
{% endcomment %}
<script>
  function total(rows) {
    return rows.length;
  }
</script>
"""


def test_templates_are_taken_apart() -> None:
    parsed = read_units("shop/cart.html", TEMPLATE)
    assert (parsed.language, parsed.problem) == ("html", None)
    assert [(unit.kind, unit.name, unit.spans, unit.ancestors) for unit in parsed.units] == [
        ("module", "", ((1, 4), (20, 25), (29, 29)), ""),
        ("block", "content", ((6, 12), (19, 19)), ""),
        ("element", "#cart", ((13, 13), (17, 18)), "block content"),
        ("block", "rows", ((14, 16),), f"block content > {CART}"),
        ("function", "total", ((26, 28),), ""),
    ]
    assert parsed.units[0].signature == '{% extends "base.html" %}'


CART = '<div id="cart" {% if open %}class="open"{% endif %} hx-get="{% url \'cart\' %}">'


def test_macros_and_partials_are_units() -> None:
    macro = "{% macro field(name, type='text') %}\n<i>{{ name }}</i>\n{% endmacro %}\n"
    text = macro + "{% partialdef row inline %}\n1\n{% endpartialdef %}\n"
    units = read_units("forms.jinja2", text).units
    assert [(unit.kind, unit.name, unit.signature) for unit in units] == [
        ("function", "field", "macro field(name, type='text')"),
        ("block", "row", "partialdef row inline"),
    ]


def test_a_long_page_is_taken_in_windows() -> None:
    units = read_units("page.html", "<main>\n" + "<p>text</p>\n" * 130 + "</main>\n").units
    assert [(unit.kind, unit.spans) for unit in units] == [
        *[("module", ((1, 60),)), ("window", ((61, 120),)), ("window", ((121, 132),))],
    ]


@pytest.mark.parametrize("end", ["", "\n"])
def test_an_element_without_an_end_stays_in_the_page(end: str) -> None:
    units = read_units("page.html", f'<label>Name</label>\n<input\n  type="text"\n  id="name">{end}').units
    assert [(unit.name, unit.first, unit.last) for unit in units if unit.name] == [("#name", 2, 4)]


@pytest.mark.parametrize(
    ("line", "count", "problem"),
    [
        ("<div>", 2001, "its elements nest too deep"),
        ("</p><div>", 2001, "its elements nest too deep"),
        ("<div>", 2000, None),
        ("<div></div><br><circle r='1' /><li>", 9000, None),
    ],
)
def test_a_page_that_nests_without_end_is_taken_in_windows(line: str, count: int, problem: str | None) -> None:
    parsed = read_units("a.html", f"{line}\n" * count)
    assert parsed.problem == problem and parsed.units


def test_tags_in_verbatim_parts_are_text() -> None:
    text = "{% verbatim %}\n{% block a %}\n\n{% endblock %}\n{% endverbatim %}\n"
    assert [unit.kind for unit in read_units("a.html", text).units] == ["module"]
    assert [unit.kind for unit in read_units("a.html", text.replace("verbatim", "spaceless")).units] == [
        *["module", "block"],
    ]


STYLE = """\
@import "base.css";

/* Buttons.
   All of them. */
.button, a.button:hover {
  color: red; /* a comment of its line */
}
.other { color: "}" }

@media (max-width: 40em) {
  .button { color: blue; }
}
.broken { color:
"""


def test_style_sheets_are_taken_apart() -> None:
    units = read_units("web/shop.css", STYLE).units
    assert [(unit.kind, unit.name, unit.spans) for unit in units] == [
        ("module", "", ((1, 1), (13, 13))),
        ("rule", ".button, a.button:hover", ((3, 7),)),
        ("rule", ".other", ((8, 8),)),
        ("rule", "@media (max-width: 40em)", ((10, 12),)),
    ]


def test_a_long_group_of_rules_is_taken_apart() -> None:
    rules = "  .row { margin: 0; }\n" * 70
    units = read_units("a.css", f"@layer base {{\n{rules}}}\n").units
    assert (units[0].name, units[0].spans) == ("@layer base", ((1, 1), (72, 72)))
    assert {(unit.name, unit.ancestors) for unit in units[1:]} == {(".row", "@layer base")}


def test_markdown_is_taken_apart_by_headings() -> None:
    text = "intro\n\n# One\n\n```sh\n# no heading\n```\n\n## Two ##\ntext\n\n# Three\n"
    units = read_units("README.md", text).units
    assert [(unit.name, unit.first, unit.last, unit.ancestors) for unit in units] == [
        *[("", 1, 2, ""), ("One", 3, 8, ""), ("Two", 9, 11, "One"), ("Three", 12, 12, "")],
    ]


@pytest.mark.parametrize(
    ("name", "text", "keys"),
    [
        ("a.toml", "top = 1\n[tool.x]\ny = 2\n[[list]]\nz = 3\n", ["top", "tool.x", "list"]),
        ("a.yaml", "on: push\njobs:\n  build:\n    steps: []\n", ["on", "jobs"]),
        ("a.json", '{\n "a": {"no": "x"},\n "b": ["{", "no: "],\n "c": 1\n}\n', ["", "a", "b", "c"]),
        ("a.json", "[1, 2]\n", [""]),
    ],
)
def test_data_is_taken_apart_by_keys(name: str, text: str, keys: list[str]) -> None:
    assert [unit.name for unit in read_units(name, text).units] == keys


@pytest.mark.parametrize("end", ["\r", "\n"])
def test_a_carriage_return_ends_no_line(end: str) -> None:
    text = f"def a(): pass{end}@mark\ndef b(x):\r\n    pass\n\n\ndef c(): pass\n"
    shift = end == "\n"
    functions = [unit for unit in read_units("a.py", text).units if unit.kind == "function"]
    assert [(unit.name, unit.first, unit.last) for unit in functions] == [
        *[("a", 1, 1), ("b", 1 + shift, 3 + shift), ("c", 6 + shift, 6 + shift)],
    ]


@pytest.mark.parametrize(
    ("path", "begin", "end"),
    [("a.js", "function f(){\n", "}"), ("a.ts", "class A { m(){\n", "}}"), ("a.py", "def f(:\n", "")],
)
def test_deep_nesting_ends(path: str, begin: str, end: str) -> None:
    assert len(read_units(path, begin * 3 + end * 3).units) > 1
    assert read_units(path, "".join(f"{' ' * n}{begin}" for n in range(600)) + end * 600).units


def test_functions_under_any_statement_are_units() -> None:
    text = (
        "match 1:\n  case 1:\n    def a(): pass\n  case _:\n    def b(): pass\n"
        "try:\n  def c(): pass\nexcept* OSError:\n  def d(): pass\n"
        "while 1:\n  def e(): pass\n"
    )
    assert [unit.name for unit in read_units("a.py", text).units] == ["", *"abcde"]


def test_other_text_is_taken_in_windows() -> None:
    units = read_units("notes.txt", "line\n" * 130).units
    assert [(unit.first, unit.last) for unit in units] == [(1, 60), (61, 120), (121, 130)]
    assert read_units("empty.txt", "").units == ()


def test_lines_of_a_program_are_said_to_be_such() -> None:
    parsed = read_units("bundle.js", "var a=1;" * 1000)
    assert parsed.problem == "lines too long to be written by hand"
    assert read_units("own.js", textwrap.dedent("var a = 1;\n") * 1000).problem is None
