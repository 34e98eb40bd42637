"""The page, without a browser: what it shows, what it lets in, what it never lets a snippet do."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from app.artifacts.replay import compare
from app.artifacts.store import archive
from app.artifacts.store.artifact import Quotation
from app.artifacts.store.store import ArtifactStore, sighting_of
from app.cli.server import listen
from app.errors import RequestNotUnderstood
from app.jobs.kinds import JobKind
from app.jobs.run import Attempt, JobStatus
from app.pipeline.judging import diff_between
from app.pipeline.replaying import ReplayResult, read
from app.settings import Settings
from app.verdict.verdict import STAGES, Finding, Severity, StageState, judged, make_verdict
from app.web import pages
from app.web.colours import highlight_snippet
from app.web.gallery import EXAMPLES
from app.web.show import attempt_views, linked, snippet_view, with_query
from harness.order import MODEL, SCENE, Order
from tests.fixtures import serving, tools_of
from tests.small_artifacts import draw, proof, publish
from tests.small_index import use_embedder

FILES = Path(pages.__file__).with_name("files")
EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>\"'"


@pytest.fixture
async def client(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Any:
    use_embedder(monkeypatch)
    async with serving(settings) as client:
        await asyncio.to_thread(tools_of(client).gallery.settled)
        yield client


def attempt(snippet: str, number: int = 1, message: str = "it is wrong") -> Attempt:
    finding = Finding(
        check="api", code="unknown", severity=Severity.ERROR, message=message, line=2, hint="Write it right."
    )
    stages = [judged(name, [finding] if name == "api" else []) for name in STAGES]
    return Attempt(
        number=number,
        author="caller",
        notes=[message],
        snippet=snippet,
        symbols=["bpy.types.Mesh"],
        verdict=make_verdict(stages, {}),
        report={"claims": {"exception": None, "stdout": {"text": message}}},
    )


async def test_the_gallery_shows_what_was_proven(client: httpx2.AsyncClient, tmp_path: Path) -> None:
    empty = (await client.get("/")).text
    assert "Nothing has been proven yet" in empty and empty.count('action="/page/ask"') == 1 + len(EXAMPLES)
    made = await asyncio.to_thread(
        publish, tools_of(client).gallery, proof(tmp_path, "a gold ball", draw("ball", "gold"))
    )
    page = await client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert f'href="/page/artifacts/{made[0]}"' in page.text and "a gold ball" in page.text
    assert "1 found" in (await client.get("/?q=gold")).text
    assert "Nothing matches those words" in (await client.get("/?q=zebra")).text
    assert "passes these filters" in (await client.get("/?engine=eevee")).text
    assert "a gold ball" in (await client.get("/?q=&blender=&engine=&tag=&since=")).text
    artifact = (await client.get(f"/page/artifacts/{made[0]}")).text
    assert "bpy.types.BevelModifier" in artifact and "Make it again" in artifact


@pytest.mark.parametrize(
    ("build", "files", "said"),
    [
        ("abc", {MODEL: b"glTF"}, None),
        ("abc", {}, "could not export it as .glb"),
        ("abd", {MODEL: b"glTF"}, "another build of Blender"),
    ],
)
async def test_a_scene_is_kept_later_if_the_build_is_the_same(
    client: httpx2.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    build: str, files: dict[str, bytes], said: str | None,
) -> None:  # fmt: skip
    tools = tools_of(client)
    order = Order("import bpy\n", keep_scene=True)
    version = tools.blenders[0].version
    proven = proof(tmp_path, "a gold ball", draw("ball", "gold"), version=version, order=order)
    (proven.pictures / SCENE).write_bytes(b"BLENDER")
    (made,) = await asyncio.to_thread(publish, tools.gallery, proven)
    # A report of today says more of Blender than that of the artifact.
    facts: dict[str, Any] = {**tools.artifacts.read(made).blender, "build_hash": build, "window": False, "packages": {}}

    async def remade(*_: object) -> ReplayResult:
        artifact, order, scene, was = read(tools.artifacts, made)
        report: dict[str, Any] = {**(proven.attempt.report or {}), "blender": facts, "reason": ""}
        pictures = {"three_quarter.png": was}
        return ReplayResult(compare(artifact, scene, report, was, pictures), order, report, files, [])

    monkeypatch.setattr("app.service.service.replay", remade)
    before = (await client.get(f"/page/artifacts/{made}")).text
    assert "<button>Make .glb and the 3D view</button>" in before and "could not export" not in before
    answer = await client.post(f"/page/artifacts/{made}/scene")
    assert (answer.status_code, tools.artifacts.details(made).glb is None) == (200 if said else 303, bool(said))
    assert not said or ("It came out the same" in answer.text and said in answer.text)


@pytest.mark.slow
async def test_the_gallery_goes_on(client: httpx2.AsyncClient, tmp_path: Path) -> None:
    proofs = [proof(tmp_path, f"ball {number}", draw("ball", "gold", 32), run=f"r-{number}") for number in range(50)]
    await asyncio.to_thread(publish, tools_of(client).gallery, *proofs)
    first = (await client.get("/")).text
    following = re.search(r'href="([^"]+)" rel="next"', first)
    assert following and first.count('class="card"') == 48
    rest = (await client.get("/" + following[1].replace("&amp;", "&"))).text
    assert rest.count('class="card"') == 2 and 'rel="next"' not in rest


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        ("See docs/a-b.md.", 'See <a href="/page/docs/a-b.md">the page on a-b</a>.'),
        ("Ask <b>. BLENDPROOF_X=1 helps.", "Ask &lt;b&gt;."),
        ("Raise BLENDPROOF_X.", "The operator of this service can change that."),
    ],
)
def test_a_hint_leads_to_pages_and_names_no_setting(hint: str, shown: str) -> None:
    assert linked(hint) == shown


async def test_the_documentation_is_pages_of_the_service(client: httpx2.AsyncClient) -> None:
    page = await client.get("/page/docs/commands.md")
    assert page.status_code == 200 and "<h1" in page.text and "<table>" in (await client.get("/page/docs/chat")).text
    missing = await client.get("/page/docs/nothing.md")
    assert missing.status_code == 404 and "There is no page nothing" in missing.text
    picture = await client.get("/page/docs/pictures/ring.png")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    for name in (
        "pictures/ring.py",
        "pictures/none.png",
        "%2e%2e/README.md",
        "..%2f..%2fpyproject.toml",
        "/etc/passwd",
    ):
        assert (await client.get(f"/page/docs/{name}")).status_code == 404, name


async def test_a_picture_is_searched_by(
    client: httpx2.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asyncio.to_thread(publish, tools_of(client).gallery, proof(tmp_path, "a gold ball", draw("ball", "gold")))
    draw("ball", "gold", 200).save(tmp_path / "x.png")
    page = await client.post("/page/picture", files={"picture": ("x.png", (tmp_path / "x.png").read_bytes())})
    assert "nearly the same picture" in page.text and "a gold ball" in page.text and "1 found, the most" in page.text
    monkeypatch.setattr("app.web.gallery.PAGE_SIZE", 1)
    other = proof(tmp_path / "other", "a ball of gold", draw("ball", "gold", shift=1), run="r-2")
    await asyncio.to_thread(publish, tools_of(client).gallery, other)
    page = await client.post("/page/picture", files={"picture": ("x.png", (tmp_path / "x.png").read_bytes())})
    assert "2 found; these are the 1 most alike." in page.text
    refused = await client.post("/page/picture", files={"picture": ("x.png", b"no picture")})
    assert (refused.status_code, "not a picture" in refused.text) == (422, True)


async def test_nothing_from_outside_becomes_markup(client: httpx2.AsyncClient, tmp_path: Path) -> None:
    tools = tools_of(client)
    made = await asyncio.to_thread(
        publish, tools.gallery, proof(tmp_path, EVIL, draw("ball", "gold"), snippet=f"'''{EVIL}'''\n", symbols=(EVIL,))
    )
    run = await tools.runs.add("validate", EVIL, "5.0.1", {})
    await tools.runs.add_attempt(run, attempt(f"import bpy\n# {EVIL}\n", message=EVIL))
    await tools.runs.finish(run, JobStatus.NOT_PROVEN)
    details: dict[str, Any] = {key: [EVIL] for key in ("not_understood", "understood", "missing")}
    near = [{"title": EVIL, "artifact": "a-0", "page": "/page/artifacts/a-0", "picture": "/artifacts/a-0.png"}]
    near += [{"title": EVIL, "recipe": EVIL, "ask": EVIL}]
    details |= {"read": EVIL, "allowed": EVIL, "near": near}
    refused = await tools.runs.add("generate", EVIL, "5.0.1", {})
    error = RequestNotUnderstood(EVIL, details=details).body()
    await tools.runs.finish(refused, JobStatus.REFUSED, error=error)
    paths = [
        "/", f"/page/artifacts/{made[0]}", "/page/runs", f"/page/runs/{run}", f"/page/runs/{refused}",
        f"/page/runs/{run}/progress",
    ]  # fmt: skip
    for path in paths:
        page = await client.get(path)
        assert page.status_code == 200, path
        assert "<img src=x" not in page.text and "<script>" not in page.text, path
        assert "javascript:" not in page.text
    for path in ("/", "/page/symbols/x", "/page/runs/x", "/page/artifacts/x"):
        page = await client.get(path, params={"q": EVIL, "ask": EVIL, "symbol": EVIL, "tag": EVIL})
        assert "<img src=x" not in page.text and "<script>" not in page.text, path


async def test_every_page_has_a_strict_policy(client: httpx2.AsyncClient) -> None:
    run = await tools_of(client).runs.add("validate", "1", "5.0.1", {})
    ways = ("runs", "changes", "overview", f"runs/{run}", "runs/r-0", "sign-in", "artifacts/a-0")
    for path in ("/", *(f"/page/{way}" for way in ways)):
        page = await client.get(path)
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        # Everything that the page loads is its own: no style, handler or script in the markup, no other address.
        assert not re.search(r"\sstyle=|\son\w+=|https?://|<script>|<style", page.text.replace("<mark>", "")), path
        for address in re.findall(r'(?:src|href)="([^"]+)"', page.text):
            assert address.startswith(("/", "#", "?")) and not address.startswith("//"), address
    for file in sorted(path.name for path in FILES.iterdir()):
        response = await client.get(f"/page/files/{file}")
        assert (response.status_code, response.headers["cache-control"]) == (200, "no-cache")
        # The library of the 3D view names addresses of decoders; the policy of its page allows no other place.
        own = "" if file == "model-viewer.js" else response.text.replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in own


async def test_what_is_not_there_is_a_page_too(client: httpx2.AsyncClient) -> None:
    for path in ("/page/runs/r-0000", "/page/artifacts/a-0000"):
        page = await client.get(path)
        assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert "There is no" in page.text
    wrong = await client.get("/?offset=-1")
    assert (wrong.status_code, "offset" in wrong.text) == (422, True)
    assert (await client.get("/runs/r-0000")).json()["code"] == "run_not_found"


async def test_a_failed_run_shows_its_findings_at_their_lines(client: httpx2.AsyncClient, tmp_path: Path) -> None:
    tools = tools_of(client)
    run = await tools.runs.add("validate", "import bpy", "5.0.1", {})
    await tools.runs.add_attempt(run, attempt("import bpy\nbpy.opps\n"))
    diff = diff_between("import bpy\nbpy.opps\n", "import bpy\nbpy.ops\n", "attempt 1", "attempt 2")
    healed = attempt("import bpy\nbpy.ops\n", number=2).model_copy(update={"base": 1, "diff": diff})
    await tools.runs.add_attempt(run, healed)
    await tools.runs.finish(run, JobStatus.NOT_PROVEN)
    page = (await client.get(f"/page/runs/{run}")).text
    line = page[page.index('id="line-2"') :].partition("</li>")[0]
    assert "it is wrong" in line and "Write it right." in line
    assert 'href="#line-2"' in page and "not proven" in page
    assert '<span class="removed">-bpy.opps' in page and '<span class="added">+bpy.ops' in page
    assert 'href="/page/symbols/bpy.types.Mesh"' in page
    assert "There was nothing to render." in page
    other = await tools.runs.add("validate", "import bpy", "5.0.1", {})
    bare = await tools.runs.add("validate", "import bpy", "5.0.1", {})
    await tools.runs.add_attempt(bare, attempt("import bpy\n"))
    await tools.runs.finish(bare, JobStatus.PROVEN)
    assert "No artifact is kept without a picture, and" in (await client.get(f"/page/runs/{bare}")).text
    broken = attempt("import bpy\nbpy.opps\n")
    execution = next(stage for stage in broken.verdict.stages if stage.name == "execute")
    execution.state = StageState.SKIPPED
    await tools.runs.add_attempt(other, broken)
    await tools.runs.finish(other, JobStatus.NOT_PROVEN)
    assert "it did not run to its end" in (await client.get(f"/page/runs/{other}")).text
    out = tmp_path / "work" / "attempt-1"
    out.mkdir(parents=True)
    draw("ball", "red").save(out / "front.png")
    tools.pictures.keep_unproven(run, tmp_path / "work")
    assert f'src="/runs/{run}/picture.png"' in (await client.get(f"/page/runs/{run}")).text
    assert (await client.get(f"/runs/{run}/picture.png")).content.startswith(b"\x89PNG")


async def test_a_run_of_whose_request_nothing_was_checked_says_so(client: httpx2.AsyncClient) -> None:
    tools = tools_of(client)
    said = "Nothing of the request was checked: it carries no acceptance checks."
    for unchecked in (said, None):
        run = await tools.runs.add("generate", "Add a cube", "5.0.1", {})
        proven = attempt("import bpy\n").model_copy(
            update={
                "verdict": make_verdict([judged(one, []) for one in STAGES], {"acceptance": {"unchecked": unchecked}})
            }
        )
        await tools.runs.add_attempt(run, proven)
        await tools.runs.finish(run, JobStatus.PROVEN)
        assert (said in (await client.get(f"/page/runs/{run}")).text) == (unchecked is not None)


async def test_a_run_is_shown_though_its_artifact_is_damaged(client: httpx2.AsyncClient, tmp_path: Path) -> None:
    tools = tools_of(client)
    (made,) = await asyncio.to_thread(publish, tools.gallery, proof(tmp_path, "a ball", draw("ball", "gold")))
    run = await tools.runs.add("generate", "a ball", "5.0.1", {})
    await tools.runs.add_attempt(run, attempt("import bpy\nbpy.ops\n"))
    await tools.runs.finish(run, JobStatus.PROVEN, made)
    (tools.artifacts.folder / made / "artifact.json").write_text("{")
    shown = await client.get(f"/page/runs/{run}")
    assert (shown.status_code, "a ball" in shown.text) == (200, True)
    long = await client.post("/page/ask", data={"snippet": "x" * 1_100_000})
    assert (long.status_code, "Say what the snippet should do" in long.text) == (422, False)


async def test_the_list_of_runs_asks_for_no_picture_that_was_deleted(
    client: httpx2.AsyncClient, tmp_path: Path
) -> None:
    tools = tools_of(client)
    made = await asyncio.to_thread(publish, tools.gallery, proof(tmp_path, "a ball", draw("ball", "gold")))
    for artifact in (*made, "a-0123456789abcdef"):
        run = await tools.runs.add("generate", "a ball", "5.0.1", {})
        await tools.runs.finish(run, JobStatus.PROVEN, artifact)
    page = (await client.get("/page/runs")).text
    assert f'src="/artifacts/{made[0]}.png' in page and "a-0123456789abcdef.png" not in page


async def test_the_list_of_jobs_is_by_kind_and_state_and_goes_on(
    client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = tools_of(client).runs
    kinds: tuple[JobKind, ...] = ("generate", "validate", "ask")
    made = {kind: await runs.add(kind, f"a {kind}", "", {}) for kind in kinds}
    # Of a repository that is not here.
    await runs.add("change", "a change", "", {}, repository=("gone", "/gone"))
    await runs.finish(made["validate"], JobStatus.NOT_PROVEN)
    for address, shown in (
        ("/page/jobs", kinds),
        ("/page/jobs?kind=&status=", kinds),
        ("/page/runs", ("generate", "validate")),
        ("/page/changes", ()),
        ("/page/jobs?kind=ask", ("ask",)),
        ("/page/runs?kind=ask", ()),
        ("/page/jobs?status=not_proven", ("validate",)),
        ("/page/jobs?kind=generate&status=not_proven", ()),
    ):
        listed = await client.get(address)
        assert listed.status_code == 200
        assert re.findall(r'<li id="([^"]+)"', listed.text) == [made[kind] for kind in reversed(shown)], address
    assert "No changes yet." in (await client.get("/page/changes")).text
    for none in ("/page/jobs?status=failed", f"/page/runs?before={made['generate']}"):
        page = (await client.get(none)).text
        assert "There are no such" in page and "yet" not in page, none
    page = (await client.get("/page/jobs")).text
    assert f'href="/page/runs/{made["generate"]}"' in page and f'href="/jobs/{made["ask"]}"' in page
    for wrong in ("kind=paint", "status=odd"):
        assert (await client.get(f"/page/jobs?{wrong}")).status_code == 422
    monkeypatch.setattr("app.web.job_list.SHOWN", 1)
    page = (await client.get("/page/jobs?status=queued")).text
    assert re.findall(r'<li id="([^"]+)"', page) == [made["ask"]]
    assert f'href="?status=queued&amp;before={made["ask"]}"' in page


async def test_a_slow_store_holds_up_no_other_page(client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    tools, asked = tools_of(client), list[str]()

    def slow(name: str, answer: object) -> Callable[..., object]:
        def wait(*_given: object) -> object:
            with pytest.raises(RuntimeError):
                asyncio.get_running_loop()
            asked.append(name)
            return answer

        return wait

    monkeypatch.setattr(tools.artifacts, "has", slow("has", True))
    monkeypatch.setattr(tools.artifacts, "count", slow("count", 7))
    monkeypatch.setattr(tools.pictures, "has_unproven", slow("has_unproven", True))
    run = await tools.runs.add("generate", "a ball", "5.0.1", {})
    await tools.runs.finish(run, JobStatus.PROVEN, "a-0123456789abcdef")
    for path, name in (("/", "count"), ("/page/runs", "has"), (f"/page/runs/{run}", "has_unproven")):
        assert (await client.get(path)).status_code == 200 and asked[-1:] == [name], path


async def test_what_an_archive_brought_is_shown_as_the_words_of_the_archive(
    client: httpx2.AsyncClient, tmp_path: Path
) -> None:
    tools, there = tools_of(client), ArtifactStore(tmp_path / "there")
    words = Quotation(
        artifact="i-0123456789abcdef", run="r-1", title="x", request=None, author="model", model="m",
        created_at="2026-01-01T00:00:00.000+00:00",
    )  # fmt: skip
    ball = proof(tmp_path / "there", "a golden ball", draw("ball", "gold"), run="r-1")
    told = there.publish(dataclasses.replace(ball, quoted=words))
    assert told
    content = b"".join(archive.export(there, [told.id]))
    new, _ = await asyncio.to_thread(tools.gallery.import_archive, io.BytesIO(content))
    page = (await client.get(f"/page/artifacts/{new[0]}")).text
    assert "proven elsewhere" in page and "“a golden ball”" in page and "nothing of it was proven here" in page
    assert "Made again here" not in page and '"badge proven"' not in page
    tools.gallery.see(new[0], sighting_of("replay", tools.artifacts.read(new[0])))
    assert "proven elsewhere" in (await client.get(f"/page/artifacts/{new[0]}")).text
    (made,) = await asyncio.to_thread(
        publish, tools.gallery, proof(tmp_path, "a golden ball", draw("ball", "gold"), run="r-1")
    )
    page = (await client.get(f"/page/artifacts/{made}")).text
    assert (made, "proven elsewhere" in page.partition('class="two"')[0]) == (told.id, False)


async def test_asking_leads_to_the_run(client: httpx2.AsyncClient, blender: Any) -> None:
    asked = await client.post("/page/ask", data={"words": "knit a sweater"})
    assert asked.status_code == 303
    run = asked.headers["Location"].rpartition("/")[2]
    for _ in range(200):
        if (await client.get(f"/runs/{run}")).json()["finished_at"]:
            break
        await asyncio.sleep(0.05)
    page = (await client.get(asked.headers["Location"])).text
    assert "refused" in page and "knit" in page and "Ask in other words" in page
    empty = await client.post("/page/ask", data={"words": "  "})
    assert (empty.status_code, "Say what the snippet should do" in empty.text) == (422, True)
    unknown = await client.post("/page/ask", data={"words": "add a cube", "blender": "1.0"})
    assert (unknown.status_code, "add a cube</textarea>" in unknown.text) == (422, True)


@pytest.mark.usefixtures("blender")
async def test_what_is_gone_on_from_has_ended_and_its_scene_is_sent_again(client: httpx2.AsyncClient) -> None:
    runs = tools_of(client).runs
    began = {"render": {"size": 64}, "arguments": ["1"], "setup": {"blend": "QkxFTkRFUg=="}}
    run = await runs.add("validate", "import bpy", "5.0.1", {**began, "snippet": "import bpy\n", "accept": [{}]})
    await runs.add_attempt(run, attempt("import bpy\n"))
    ask = {"words": "make it larger", "run": run}
    early = await client.post("/page/ask", data=ask)
    assert (early.status_code, "has not ended" in early.text) == (422, True)
    await runs.finish(run, JobStatus.NOT_PROVEN)
    without = await client.post("/page/ask", data=ask)
    assert (without.status_code, "Choose its .blend file again" in without.text) == (422, True)
    assert f'name="run" value="{run}"' in without.text and "make it larger</textarea>" in without.text
    sent = await client.post("/page/ask", data=ask, files={"blend": ("x.blend", b"BLENDER")})
    wanted = json.loads(await runs.request_text(sent.headers["Location"].rpartition("/")[2]))
    assert (wanted["render"]["size"], wanted["arguments"], wanted["accept"]) == (64, ["1"], [])
    assert wanted["earlier"]["snippet"] == "import bpy\n"
    unknown = await client.post("/page/ask", data={"words": "make it larger", "run": "r-0"})
    assert (unknown.status_code, "There is no run r-0" in unknown.text) == (404, True)


async def test_browsers_find_an_icon_where_no_page_names_one(client: httpx2.AsyncClient) -> None:
    icon = await client.get("/favicon.ico")
    assert (icon.status_code, icon.headers["content-type"]) == (200, "image/svg+xml")
    assert (await client.get("/favicon.png")).status_code == 404


async def test_the_overview_shows_models_with_what_they_were_asked(settings: Settings) -> None:
    known = settings.model_copy(update={"model_provider": "ollama", "model_name": "some-coder"})
    async with serving(known) as client:
        assert "ollama (some-coder)" in (await client.get("/page/overview")).text
        metrics = tools_of(client).metrics
        metrics.model_answered("ollama", 1200, 340, 3.0, 0.25)
        metrics.model_failed("ollama")
        metrics.model_answered("openai", 7, 7, 7.0, 7.0)
        shown = " ".join(re.sub("<[^>]+>", " ", (await client.get("/page/overview")).text).split())
        assert "answered 1 failed 1 tokens 1200 in, 340 out cost $0.25 wait 3.0 s in the mean" in shown


async def test_the_token_is_asked_for_once(settings: Settings) -> None:
    guarded = settings.model_copy(update={"token": SecretStr("s3cret")})
    async with serving(guarded) as client:
        for path in ("/", "/page/runs", "/page/runs/r-0", "/page/symbols/bpy", "/page/changes", "/page/overview",
                     "/page/docs/chat", "/page/docs/pictures/ring.png"):  # fmt: skip
            away = await client.get(path)
            assert (away.status_code, away.headers["Location"]) == (303, "/page/sign-in"), path
        assert (await client.post("/page/ask", data={"words": "add a cube"})).status_code == 303
        assert (await client.get("/runs")).status_code == 401
        wrong = await client.post("/page/sign-in", data={"token": "guess"})
        assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)
        right = await client.post("/page/sign-in", data={"token": "s3cret"})
        cookie = right.headers["set-cookie"]
        assert right.status_code == 303
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "s3cret" not in cookie
        assert (await client.get("/")).status_code == 200
        assert (await client.get("/runs")).status_code == 200
        out = await client.post("/page/sign-out")
        assert out.headers["Location"] == "/page/sign-in"
        assert (await client.get("/runs")).status_code == 401
        client.cookies.set("blendproof_session", "0" * 64)
        assert (await client.get("/runs")).status_code == 401
        client.cookies.clear()
        bearer = await client.get("/", headers={"Authorization": "Bearer s3cret"})
        assert bearer.status_code == 200


def test_a_snippet_keeps_its_lines_and_its_text() -> None:
    code = '"""Two\nlines."""\n\nif 1 < 2:\n    x = "<b>"\n'
    shown = snippet_view(code, highlight_snippet(code), [])
    assert (shown.text, len(shown.lines)) == (code, 5)
    plain = [re.sub("<[^>]+>", "", str(line.markup)) for line in shown.lines]
    assert plain == ['"""Two', 'lines."""', "", "if 1 &lt; 2:", '    x = "&lt;b&gt;"']
    for line in shown.lines:
        assert str(line.markup).count("<span") == str(line.markup).count("</span>")
    assert snippet_view("", highlight_snippet(""), []).lines[0].number == 1


def test_attempts_are_shown_as_differences() -> None:
    changed = attempt("a\nc\n", 2).model_copy(update={"base": 1, "diff": diff_between("a\nb\n", "a\nc\n", "1", "2")})
    first, second, third = attempt_views([attempt("a\nb\n"), changed, attempt("a\nc\n", 3)])
    assert (first.lines, third.lines) == ([], [])
    assert [sign for sign, _ in second.lines] == ["@", " ", "-", "+"]


def test_queries_are_written_with_care() -> None:
    assert with_query({"tag": "a&b"}, before=None, offset=0) == "?tag=a%26b&offset=0"


def test_answers_are_sent_without_delay(settings: Settings) -> None:
    # asyncio turns Nagle's algorithm off on sockets that are named as TCP, and on no others.
    with listen(settings.model_copy(update={"port": 0})) as listener:
        assert listener.proto == socket.IPPROTO_TCP
