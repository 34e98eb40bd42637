"""Whatever is sent, the service answers that the request is wrong, never that the service is: no input gives 500.

The requests are made from the document of the interface, with its types and bounds, and then spoilt.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

import httpx2
import pytest
from anyio.from_thread import start_blocking_portal
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.service.work import Work
from app.settings import Settings
from tests.fixtures import serving, tools_of
from tests.small_artifacts import publish, scenes
from tests.small_index import use_embedder

pytestmark = pytest.mark.slow

Schema = Mapping[str, Any]
Json = Any
Ask = Callable[..., httpx2.Response]

FUZZ: Final = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
"""The same requests each time; a failing one is shown as it was found, because to make it smaller takes long."""

ODD_TEXTS: Final = (
    "", " ", "\0", "\ud800", "a\udfffb", "\ufeff", "\u2028", "²", "٣", "9" * 400, "9" * 5000, "-1", "1e999", "NaN",
    "../..", "%00", "a" * 300, "a-0123456789abcdef", "i-0123456789abcdef", "r-0123456789abcdef", "'", '"', "`", "\\",
    "${x}", "{{x}}", "a' OR 1=1 --", "é" * 90, "\U0001f600", "[", "]", "(", "*", "~", "^", "\r\n", "\x85", "\x1b[2",
    "2026-01-01", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "5.0", "5.²", "1.2.3.4.5.6.7.8.9", "latest",
)  # fmt: skip
ODD_NUMBERS: Final = (
    0, -1, 1, 31, 2**31 - 1, 2**31, -(2**31) - 1, 2**53, 2**63, 2**64, 10**30, 10**400, 10**4000, 1e308, -1e308, 5e-324,
    float("inf"), float("nan"), 0.5, -0.0,
)  # fmt: skip

texts: Final = st.one_of(st.sampled_from(ODD_TEXTS), st.text(st.characters(), max_size=12))
numbers: Final = st.sampled_from(ODD_NUMBERS)
scalars: Final = st.one_of(st.none(), st.booleans(), numbers, texts)
flat: Final = st.one_of(scalars, st.lists(scalars, max_size=3), st.dictionaries(texts, scalars, max_size=3))
anything: Final = st.one_of(flat, st.lists(flat, max_size=3), st.dictionaries(texts, flat, max_size=3))
deep: Final = st.integers(1, 1200).map(lambda depth: json.loads("[" * min(depth, 900) + "]" * min(depth, 900)))


def values(schema: Schema, document: Schema, depth: int = 0) -> st.SearchStrategy[Json]:
    """Values that a schema allows, and now and then one that it does not."""
    if "$ref" in schema:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return values(found, document, depth + 1)
    several: list[Schema] = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if depth > 12:
        return scalars
    if several:
        return st.deferred(lambda: st.one_of([values(one, document, depth + 1) for one in several]))
    right = fitting(schema, document, depth)
    return st.one_of(right, right, right, right, right, anything)


def fitting(schema: Schema, document: Schema, depth: int) -> st.SearchStrategy[Json]:
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum") or [schema["const"]])
    match schema.get("type"):
        case "string":
            return st.one_of(texts, st.sampled_from(schema.get("examples") or ["import bpy\n", "Cube", "MESH"]))
        case "integer" | "number":
            bounds = [schema[name] for name in ("minimum", "maximum", "exclusiveMaximum") if name in schema]
            return st.one_of(st.sampled_from([1, *bounds, *(one + 1 for one in bounds)]), numbers)
        case "boolean":
            return st.booleans()
        case "array":
            return st.lists(values(schema.get("items", {}), document, depth + 1), max_size=3)
        case "object":
            known: Schema = schema.get("properties", {})
            wanted = {name: values(one, document, depth + 1) for name, one in known.items()}
            always = {*schema.get("required", ()), *(name for name, one in known.items() if "const" in one)}
            must = {name: wanted.pop(name) for name in always if name in wanted}
            if not wanted:
                return st.fixed_dictionaries(must)
            some = st.sets(st.sampled_from(sorted(wanted)), max_size=3)
            few = some.flatmap(lambda names: st.fixed_dictionaries({**must, **{name: wanted[name] for name in names}}))
            return st.one_of(few, few, few, st.tuples(few, st.dictionaries(texts, anything, max_size=1)).map(merged))
        case _:
            return anything


def merged(parts: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    return {**parts[0], **parts[1]}


def begins_nothing(_work: Work, _run_id: str, **_how: object) -> None:
    """Stands for `Work.begin`."""


@pytest.fixture(scope="module")
def ask(home_without_stubs: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Sends a request to one service, whose runs are written down and never begun."""
    given_settings = Settings(
        home=home_without_stubs, data=tmp_path_factory.mktemp("fuzz") / "data", sandbox="unsafe", warm_workers=0,
        warm_checkers=0,
    )  # fmt: skip
    with pytest.MonkeyPatch.context() as patch, start_blocking_portal() as portal:
        use_embedder(patch)
        patch.setattr(Work, "begin", begins_nothing)
        with portal.wrap_async_context_manager(serving(given_settings)) as client:
            publish(tools_of(client).gallery, *scenes(tmp_path_factory.mktemp("scenes")))

            def send(method: str, path: str, **more: Any) -> httpx2.Response:
                return portal.call(functools.partial(client.request, method, path, **more))

            yield send


@pytest.fixture(scope="module")
def document(ask: Ask) -> Schema:
    found: Schema = ask("GET", "/openapi.json").json()
    return found


def assert_no_fault(response: httpx2.Response, *sent: object) -> None:
    """Refused requests say what is wrong; 503 means that a run, which is never begun here, was accepted."""
    assert response.status_code < 500 or response.status_code == 503, (response.text[:300], repr(sent)[:1500])
    if response.status_code >= 400 and "json" in response.headers.get("content-type", ""):
        found = response.json()
        if response.request.url.path.startswith("/v1/"):
            assert set(found["error"]) == {"message", "type", "param", "code"}, response.text
        elif "jsonrpc" in found:
            assert set(found) == {"jsonrpc", "id", "error"} and response.request.url.path == "/mcp", response.text
        else:
            assert set(found) == {"code", "message", "hint", "details"}, response.text


def quoted(text: str) -> str:
    return quote(text, safe="", errors="surrogatepass")


def address(path: str, names: Mapping[str, str], query: Mapping[str, Any]) -> str:
    """A path with its parameters and its query, each percent-encoded as it is, even if that is no UTF-8."""
    for name, text in names.items():
        path = path.replace("{" + name + "}", quoted(text)[:2000] or "x")
    said = urlencode({name: str(value)[:2000] for name, value in query.items()}, errors="surrogatepass")
    return f"{path}?{said}" if said else path


REPOSITORY_BODIES: Final = ("/repositories", "/repositories/{name}/search", "/repositories/{name}/ask")
BODIES: Final = ("/generate", "/validate", "/symbols/diff", "/v1/chat/completions")


@FUZZ
@given(data=st.data())
@pytest.mark.parametrize("path", [*BODIES, *REPOSITORY_BODIES])
def test_no_body_is_a_fault(path: str, data: st.DataObject, ask: Ask, document: Schema) -> None:
    schema = document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
    body = data.draw(st.one_of(values(schema, document), values(schema, document), anything, deep))
    content = json.dumps(body)
    assert_no_fault(ask("POST", path, content=content, headers={"Content-Type": "application/json"}), content)


@FUZZ
@given(data=st.data())
def test_no_acceptance_check_is_a_fault(data: st.DataObject, ask: Ask, document: Schema) -> None:
    schemas = document["components"]["schemas"]
    kinds = [name for name in schemas if name.endswith("Check")]
    check = data.draw(st.sampled_from(kinds).flatmap(lambda name: fitting(schemas[name], document, 0)))
    content = json.dumps({"snippet": "import bpy\n", "accept": [check]})
    assert_no_fault(ask("POST", "/validate", content=content, headers={"Content-Type": "application/json"}), content)


@FUZZ
@given(
    content=st.one_of(
        st.binary(max_size=40),
        st.sampled_from(
            [
                b"",
                b"null",
                b"[]",
                b"1",
                b'"x"',
                b"{",
                b"\xff\xfe{\0}\0",
                b'{"request": "\xed\xa0\x80"}',
                b'{"\\ud800": 1}',
                b'{"request": 1e999}',
                b'{"request": ' + b"9" * 5000 + b"}",
                b"[" * 100_000,
                b'{"a":' * 100_000,
                b'{"x": NaN}',
                b'{"snippet": "\\ud800"}',
                b'{"request": "\\udfff\\ud800"}',
                b'{"request": "a", "request": "b"}',
            ]
        ),
    ),
    kind=st.sampled_from(
        [
            "application/json",
            "text/plain",
            "",
            "application/json; charset=no-such",
            "multipart/form-data",
            "multipart/form-data; boundary=x",
            "multipart/form-data; boundary=" + "x" * 300,
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded; charset=utf-7",
            "application/x-tar",
            "\xff",
            "a/b;c=" + "d" * 500,
        ]
    ),
    path=st.sampled_from(
        ["/search", "/artifacts/import", "/page/ask", "/page/picture", "/page/sign-in", "/mcp", *BODIES]
    ),
)
def test_no_bytes_are_a_fault(content: bytes, kind: str, path: str, ask: Ask) -> None:
    headers = {"Content-Type": kind.encode("latin-1")}
    assert_no_fault(ask("POST", path, content=content, headers=headers), path, kind, content)


PAGES: Final = (
    ("GET", "/"), ("GET", "/page/jobs"), ("GET", "/page/runs/{id}"), ("GET", "/page/runs/{id}/progress"),
    ("POST", "/page/runs/{id}/cancel"), ("GET", "/page/artifacts/{id}"), ("POST", "/page/artifacts/{id}/replay"),
    ("POST", "/page/artifacts/{id}/delete"), ("GET", "/page/symbols/{id}"), ("GET", "/page/sign-in"),
    ("POST", "/page/sign-out"), ("GET", "/page/files/{id}"), ("GET", "/docs/files/{id}"), ("GET", "/docs"),
)  # fmt: skip
QUERIES: Final = (
    "q", "kind", "status", "before", "offset", "ask", "blender", "symbol", "object_type", "engine", "tag", "since",
    "until",
)  # fmt: skip


@FUZZ
@given(data=st.data())
def test_no_address_and_no_query_is_a_fault(data: st.DataObject, ask: Ask, document: Schema) -> None:
    operations = [(method, path) for path, one in document["paths"].items() for method in one if path not in BODIES]
    method, path = data.draw(st.sampled_from(operations))
    parameters: list[Schema] = document["paths"][path][method].get("parameters", [])
    names = {one["name"]: data.draw(texts) for one in parameters if one["in"] == "path"}
    query = {one["name"]: one["schema"] for one in parameters if one["in"] == "query"}
    said = {name: data.draw(values(schema, document)) for name, schema in query.items() if data.draw(st.booleans())}
    where = address(path, names, said)
    assert_no_fault(ask(method.upper(), where), method, where)


@FUZZ
@given(page=st.sampled_from(PAGES), name=texts, query=st.dictionaries(st.sampled_from(QUERIES), texts, max_size=3))
def test_no_page_is_a_fault(page: tuple[str, str], name: str, query: dict[str, str], ask: Ask) -> None:
    where = address(page[1], {"id": name}, query)
    assert_no_fault(ask(page[0], where), page[0], where)


HEADERS: Final = (
    "Host", "Origin", "Cookie", "Authorization", "Prefer", "Last-Event-ID", "Accept", "Range", "If-None-Match", "X-Odd",
    "Sec-Fetch-Site", "Accept-Encoding", "Content-Length", "Forwarded",
)  # fmt: skip
odd_headers: Final = st.one_of(
    st.sampled_from([
        b"", b"[", b"[::1", b"\xff\xfe", b"Bearer \xff", b"blendproof_session=\xff; =;;", b"bytes=9-1",
        b"bytes=" + b"9" * 5000,
        b"respond-async;" * 50, b"9" * 5000, b"-1", b"text/plain;version=9.9;q=x", b"localhost:99999999", b"*", b"null",
    ]),
    st.binary(max_size=12).map(lambda one: one.translate(None, b"\r\n\0")),
)  # fmt: skip


methods: Final = st.sampled_from(
    ["initialize", "tools/call", "tools/list", "resources/read", "prompts/get", "notifications/cancelled", "ping", ""]
)
MCP_VERSIONS: Final = (b"2025-11-25", b"2026-07-28", b"1", b"\xff", b"")


@FUZZ
@given(
    body=st.one_of(
        st.fixed_dictionaries({"jsonrpc": st.just("2.0"), "method": methods}, optional={"id": scalars, "params": flat}),
        anything,
        deep,
    ),
    headers=st.dictionaries(st.sampled_from(["Mcp-Session-Id", "Accept", "Mcp-Method"]), odd_headers, max_size=2),
    version=st.sampled_from(MCP_VERSIONS),
    method=st.sampled_from(["POST", "POST", "POST", "DELETE", "PUT"]),
)
def test_no_message_of_mcp_is_a_fault(
    body: Json, headers: dict[str, bytes], version: bytes, method: str, ask: Ask
) -> None:
    usual = {"Accept": b"application/json, text/event-stream", "Content-Type": b"application/json"}
    given = {**usual, "MCP-Protocol-Version": version, **headers}
    assert_no_fault(ask(method, "/mcp", content=json.dumps(body), headers=given), method, body, given)


FIELDS: Final = ("words", "snippet", "blender", "size", "sides", "frames", "heal", "token", "more")


@FUZZ
@given(
    form=st.dictionaries(st.sampled_from(FIELDS), texts, max_size=5),
    path=st.sampled_from(["/page/ask", "/page/sign-in"]),
)
def test_no_form_is_a_fault(form: dict[str, str], path: str, ask: Ask) -> None:
    content = urlencode(form, errors="surrogatepass")
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert_no_fault(ask("POST", path, content=content, headers=kind), path, content)


@FUZZ
@given(headers=st.dictionaries(st.sampled_from(HEADERS), odd_headers, min_size=1, max_size=3), path=st.sampled_from([
    "/", "/health", "/ready", "/metrics", "/runs", "/artifacts", "/search?q=x", "/page/runs", "/page/files/page.css",
    "/runs/r-0123456789abcdef/events", "/openapi.json", "/docs", "/nothing", "//", "/page/artifacts/x",
]))  # fmt: skip
def test_no_header_is_a_fault(headers: dict[str, bytes], path: str, ask: Ask) -> None:
    assert_no_fault(ask("GET", path, headers=headers), path, headers)


KNOWN: Final = (
    {"snippet": "x", "accept": [{"check": "data", "collection": "\ud800", "name": "a"}]},
    {"snippet": "x", "accept": [{"check": "count", "of": "\udfff", "exactly": 1}]},
    {"snippet": "x", "accept": [{"check": "\ud800"}]},
    {"snippet": "x", "accept": [{"check": "count", "type": "MESH", "exactly": 10**4000}]},
    {"snippet": "x", "accept": [{"check": "object", "name": "a", "location": [10**4000, 0, 1e308]}]},
    {"snippet": "x", "accept": [{"check": "object", "name": "a", "bones": [{"name": "b", "parent": "\ud800"}]}]},
    {"snippet": "x", "render": {"\ud800": 1}},
    {"snippet": "x", "time_limit": 10**400},
    {"snippet": "\ud800", "blender": "5.²"},
    {"snippet": "x", "verify_on": ["²", "9" * 60]},
)


@pytest.mark.parametrize("body", KNOWN)
def test_what_was_a_fault_once_is_none_again(body: Json, ask: Ask) -> None:
    answer = ask("POST", "/validate", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
