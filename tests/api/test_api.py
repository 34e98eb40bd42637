"""The HTTP interface, as far as it needs no Blender to run: errors, token, limits, pages, documentation."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr, TypeAdapter

from app.jobs.run import JobStatus
from app.jobs.sqlite import SqliteJobs
from app.main import Application
from app.settings import Settings
from tests.api.error_bodies import assert_error
from tests.fixtures import serving


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/generate", {}, "body.request"),
        ("/generate", {"request": ""}, "body.request"),
        ("/generate", {"request": "x" * 5000}, "body.request"),
        ("/generate", {"request": "add a cube", "blendr": "5.0"}, "body.blendr"),
        ("/generate", {"request": "add a cube", "render": {"size": 100_000}}, "body.render.size"),
        ("/generate", {"request": "add a cube", "render": {"views": ["below"]}}, "body.render.views"),
        ("/generate", {"request": "add a cube", "time_limit": 100_000}, "body.time_limit"),
        ("/validate", {"snippet": "x" * (1025 << 10)}, "body.snippet"),
        ("/validate", {"snippet": "1", "files": [{"name": "../x", "content": ""}]}, "body.files.0.name"),
        *(
            ("/validate", {"snippet": "1", "files": [{"name": name, "content": ""}]}, "body.files.0.name")
            for name in ("/etc/x", "a//b", "a/../b", "a/.b", "a\\b", "a/", "./a", "a/" * 9 + "a", "snippet.py/a", "")
        ),
        (
            "/validate",
            {"snippet": "1", "files": [{"name": "a/b", "content": ""}, {"name": "a", "content": ""}]},
            "'a' is a file and the folder of another one",
        ),
        (
            "/validate",
            {"snippet": "1", "files": [{"name": "snippet.py", "content": ""}]},
            "body.files.0.name",
        ),
        (
            "/validate",
            {"snippet": "1", "files": [{"name": "a.txt", "content": "%%"}]},
            "body.files.0.content",
        ),
        (
            "/validate",
            {"snippet": "1", "files": [{"name": "a", "content": ""}, {"name": "a", "content": ""}]},
            "'a' is given twice",
        ),
        ("/validate", {"snippet": "1", "setup": {}}, "body.setup"),
    ],
)
async def test_bad_input_is_named(path: str, body: dict[str, Any], said: str, client: httpx2.AsyncClient) -> None:
    error = assert_error(await client.post(path, json=body), 422, "invalid_request")
    assert said in error["message"]
    assert (await client.get("/runs")).json()["runs"] == []


@pytest.mark.parametrize("content", [b"", b"{", b"[1", b"\xff\xfe\x00", b'"text"'])
async def test_what_is_no_json_object_is_refused(content: bytes, client: httpx2.AsyncClient) -> None:
    response = await client.post("/generate", content=content, headers={"Content-Type": "application/json"})
    assert_error(response, 422, "invalid_request")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/generate", 405, "method_not_allowed"),
        ("GET", "/runs/r-0000", 404, "run_not_found"),
        ("DELETE", "/runs/r-0000", 404, "run_not_found"),
        ("GET", "/runs?before=r-0000", 404, "run_not_found"),
        ("GET", "/runs?limit=0", 422, "invalid_request"),
        ("GET", "/runs?status=happy", 422, "invalid_request"),
        ("GET", "/search", 422, "invalid_request"),
        ("POST", "/search", 422, "invalid_request"),
        ("DELETE", "/artifacts/a-0000", 404, "artifact_not_found"),
        ("POST", "/artifacts/a-0123456789abcdef/replay", 404, "artifact_not_found"),
        ("GET", "/artifacts?before=a-0000", 404, "artifact_not_found"),
        ("GET", "/artifacts?since=yesterday", 422, "invalid_request"),
        ("GET", "/artifacts?since=0001-01-01T00:00:00%2b10:00", 422, "invalid_request"),
        ("POST", "/artifacts/import", 422, "archive_refused"),
        ("GET", "/symbols", 404, "not_found"),
        ("GET", "/cookbook/modelling/nothing.py", 404, "recipe_not_found"),
        ("GET", "/runs/r-0000/brief", 404, "run_not_found"),
        ("GET", "/artifacts/a-0000", 404, "artifact_not_found"),
        ("GET", "/artifacts/a-0000.png", 404, "artifact_not_found"),
        ("GET", "/artifacts/..%2f..%2fruns.sqlite", 404, "not_found"),
        ("GET", "/artifacts/a-%2e%2e/snippet.py", 404, "artifact_not_found"),
    ],
)
async def test_what_is_not_there(method: str, path: str, status: int, code: str, client: httpx2.AsyncClient) -> None:
    assert_error(await client.request(method, path), status, code)


async def test_a_large_body_is_refused_with_and_without_a_length(settings: Settings) -> None:
    small = settings.model_copy(update={"max_body_bytes": 2000})
    body = b'{"request": "' + b"x" * 4000 + b'"}'

    async def in_parts() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 500):
            yield body[start : start + 500]

    async with serving(small) as client:
        json_type = {"Content-Type": "application/json"}
        announced = await client.post("/generate", content=body, headers=json_type)
        chunked = await client.post("/generate", content=in_parts(), headers=json_type)
        twin = await client.post("/generate", content=b'{"request": 1}', headers=json_type)
    assert_error(announced, 413, "request_too_large")
    assert_error(chunked, 413, "request_too_large")
    assert_error(twin, 422, "invalid_request")


async def test_the_token_is_asked_for(settings: Settings) -> None:
    guarded = settings.model_copy(update={"token": SecretStr("s3cret")})
    async with serving(guarded) as client:
        # Each wrong token is answered later than the one before.
        for path, headers in (
            ("/search?q=cube", {}),
            ("/symbols/bpy.types.Object", {"Authorization": "Bearer wrong"}),
            ("/runs", {"Authorization": "Basic s3cret"}),
        ):
            response = await client.get(path, headers=headers)
            assert_error(response, 401, "unauthorized")
            assert response.headers["WWW-Authenticate"] == "Bearer"
        right = await client.get("/runs", headers={"Authorization": "Bearer s3cret"})
    assert right.status_code == 200


async def test_a_foreign_host_name_is_refused_on_loopback(client: httpx2.AsyncClient) -> None:
    assert_error(await client.get("/health", headers={"Host": "evil.example"}), 400, "invalid_request")
    assert (await client.get("/health", headers={"Host": "[::1]:8484"})).status_code == 200
    assert (await client.get("/health", headers={"Host": "127.0.0.1:8484"})).status_code == 200


async def test_without_a_blender_the_service_runs_and_says_so(tmp_path: Path) -> None:
    async with serving(Settings(home=tmp_path)) as client:
        health = (await client.get("/health")).json()
        response = await client.post("/generate", json={"request": "add a cube"})
    assert (health["status"], health["parts"]["blender"]["state"]) == ("down", "down")
    assert_error(response, 503, "blender_not_available")


async def test_an_unknown_blender_is_named_with_those_there_are(client: httpx2.AsyncClient, blender: Any) -> None:
    response = await client.post("/generate", json={"request": "add a cube", "blender": "1.0"})
    error = assert_error(response, 422, "invalid_request")
    assert blender.version in error["message"]


async def test_a_request_that_is_not_understood_is_refused_with_its_words(
    client: httpx2.AsyncClient, blender: Any
) -> None:
    response = await client.post("/generate", json={"request": "Add a cube and knit it a sweater"})
    error = assert_error(response, 422, "request_not_understood")
    assert "knit" in " ".join(error["details"]["not_understood"])
    assert "docs/models.md" in error["hint"] and "docs/commands.md" in error["hint"] and "_MODEL_" not in error["hint"]
    assert "nearest" not in error["details"] and "did_you_mean" not in error["details"]
    run = (await client.get(f"/runs/{error['details']['run']}")).json()
    assert (run["status"], run["attempts"], run["artifact"]) == ("refused", [], None)


async def test_a_refusal_says_which_sentences_were_understood(client: httpx2.AsyncClient, blender: Any) -> None:
    asked = {"request": 'Add a cube called "Crate". Knit it a sweater. Set the end frame to 120.'}
    error = assert_error(await client.post("/generate", json=asked), 422, "request_not_understood")
    assert error["details"]["understood"] == ['Add a cube called "Crate"', "Set the end frame to 120"]
    assert error["details"]["missing"] == ["Knit it a sweater"]


@pytest.mark.parametrize("request_", ["Füge einen Würfel hinzu", "Could the vase be a bit rougher?"])
async def test_plain_words_and_other_languages_are_for_a_model(
    request_: str, client: httpx2.AsyncClient, blender: Any
) -> None:
    error = assert_error(await client.post("/generate", json={"request": request_}), 422, "request_not_understood")
    assert "in any language" in error["hint"] and "docs/models.md" in error["hint"]


async def test_a_full_queue_answers_503_with_retry_after(settings: Settings, blender: Any) -> None:
    narrow = settings.model_copy(update={"parallel_runs": 1, "waiting_runs": 1})
    later = {"Prefer": "respond-async"}
    body = {"snippet": "while True:\n    if not True: break\n", "time_limit": 30}
    async with serving(narrow) as client:
        accepted = [await client.post("/validate", json=body, headers=later) for _ in range(2)]
        full = await client.post("/validate", json=body, headers=later)
        assert [response.status_code for response in accepted] == [202, 202]
        assert_error(full, 503, "service_busy")
        assert int(full.headers["Retry-After"]) > 0
        for response in accepted:
            assert (await client.delete(response.headers["Location"])).json()["status"] == "cancelled"


async def test_pages_of_runs_follow_each_other(settings: Settings) -> None:
    async with serving(settings) as client:
        runs = await SqliteJobs.open(settings.data_folder / "runs.sqlite")
        ids = [await runs.add("generate", f"request {number}", "5.0.1", {}) for number in range(5)]
        await runs.finish(ids[2], JobStatus.PROVEN)
        first = (await client.get("/runs?limit=2")).json()
        second = (await client.get(f"/runs?limit=3&before={first['next']}")).json()
        proven = (await client.get("/runs?status=proven")).json()
        await runs.close()
    assert [run["id"] for run in first["runs"] + second["runs"]] == ids[::-1]
    assert second["next"] is None
    assert [run["id"] for run in proven["runs"]] == [ids[2]]


async def test_the_documentation_is_read_without_a_network(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/docs")).text
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(addresses) == 3
    for address in addresses:
        assert address.startswith("/")
        assert (await client.get(address)).status_code == 200


async def test_what_is_not_sent_as_json_is_said(client: httpx2.AsyncClient) -> None:
    response = await client.post("/generate", content=b'{"request": "add a cube"}')
    assert "Content-Type" in assert_error(response, 422, "invalid_request")["hint"]


async def test_two_services_do_not_share_a_data_folder(settings: Settings) -> None:
    async with serving(settings):
        with pytest.raises(Exception, match="Another Blendproof service"):
            async with serving(settings):
                pass


OPERATIONS = {
    ("post", "/addons"),
    ("get", "/addons/{addon_id}"),
    ("get", "/addons/{addon_id}/pictures/{name}.png"),
    ("post", "/generate"),
    ("post", "/validate"),
    ("post", "/check"),
    ("post", "/check/place"),
    ("get", "/runs"),
    ("get", "/runs/{run_id}"),
    ("get", "/runs/{run_id}/brief"),
    ("get", "/runs/{run_id}/events"),
    ("delete", "/runs/{run_id}"),
    ("get", "/runs/{run_id}/picture.png"),
    ("get", "/runs/{run_id}/matrix/{name}.png"),
    ("get", "/artifacts/{artifact_id}"),
    ("get", "/artifacts/{artifact_id}.blend"),
    ("get", "/artifacts/{artifact_id}.glb"),
    ("get", "/artifacts/{artifact_id}.png"),
    ("get", "/artifacts/{artifact_id}/views/{view}.png"),
    ("get", "/artifacts/{artifact_id}/snippet.py"),
    ("get", "/artifacts/{artifact_id}/report.json"),
    ("get", "/artifacts"),
    ("get", "/artifacts/export"),
    ("post", "/artifacts/import"),
    ("delete", "/artifacts/{artifact_id}"),
    ("get", "/artifacts/{artifact_id}/contact-sheet.png"),
    ("get", "/artifacts/{artifact_id}/receipt.json"),
    ("get", "/artifacts/{artifact_id}/similar"),
    ("post", "/artifacts/{artifact_id}/replay"),
    ("get", "/search"),
    ("post", "/search"),
    ("get", "/symbols/diff"),
    ("post", "/symbols/diff"),
    ("get", "/symbols/{address}"),
    ("get", "/repositories"),
    ("post", "/repositories"),
    ("get", "/repositories/{name}"),
    ("delete", "/repositories/{name}"),
    ("post", "/repositories/{name}/index"),
    ("post", "/repositories/{name}/search"),
    ("post", "/repositories/{name}/ask"),
    ("post", "/repositories/{name}/diagnose"),
    ("post", "/repositories/{name}/diagnoses/{diagnosis}"),
    ("post", "/repositories/{name}/changes"),
    ("get", "/changes"),
    ("get", "/changes/{change_id}"),
    ("get", "/changes/{change_id}/events"),
    ("delete", "/changes/{change_id}"),
    ("get", "/jobs"),
    ("get", "/jobs/{job_id}"),
    ("get", "/jobs/{job_id}/events"),
    ("delete", "/jobs/{job_id}"),
    ("get", "/repositories/{name}/structure"),
    ("get", "/repositories/{name}/graph"),
    ("get", "/repositories/{name}/path"),
    ("post", "/repositories/{name}/sources"),
    ("delete", "/repositories/{name}/sources/{source}"),
    ("get", "/cookbook"),
    ("get", "/cookbook/{area}/{name}.py"),
    ("get", "/v1/models"),
    ("get", "/v1/models/{model}"),
    ("post", "/v1/responses"),
    ("post", "/v1/chat/completions"),
    ("get", "/health"),
    ("get", "/ready"),
    ("get", "/metrics"),
}


def undocumented(operation: dict[str, Any]) -> list[str]:
    """What an operation of the OpenAPI document lacks."""
    responses: dict[str, Any] = operation["responses"]
    good = {status: response for status, response in responses.items() if status < "300"}
    bad = {status: response for status, response in responses.items() if status >= "400"}
    missing = [name for name in ("summary", "description") if not operation.get(name)]
    # 204 has no body.
    missing += [f"example of {s}" for s, response in good.items() if s != "204" and not has_example(response)]
    missing += [f"example of {status}" for status, response in bad.items() if not has_example(response)]
    missing += [
        f"error body of {status}"
        for status, response in bad.items()
        if not str(response["content"]["application/json"].get("schema", {}).get("$ref", "")).endswith("ErrorBody")
    ]
    return missing + ([] if good and bad else ["responses"])


def has_example(response: dict[str, Any]) -> bool:
    return any("example" in media or media.get("examples") for media in response.get("content", {}).values())


async def test_every_operation_is_documented(client: httpx2.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    found = {
        (method, path): operation for path, item in document["paths"].items() for method, operation in item.items()
    }
    assert set(found) == OPERATIONS
    lacking = {f"{method} {path}": undocumented(operation) for (method, path), operation in found.items()}
    assert {name: missing for name, missing in lacking.items() if missing} == {}
    for schema in ("GenerateRequest", "ValidateRequest"):
        assert document["components"]["schemas"][schema]["examples"]


async def test_the_description_of_the_interface_holds_up_no_other_request(
    client: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_in: list[int] = []

    def described(_: Application) -> dict[str, Any]:
        made_in.append(threading.get_ident())
        return {"openapi": "3.1.0"}

    monkeypatch.setattr(Application, "openapi", described)
    assert (await client.get("/openapi.json")).json() == {"openapi": "3.1.0"}
    assert len(made_in) == 1 and threading.get_ident() not in made_in


def test_an_undocumented_operation_is_found() -> None:
    bare: dict[str, Any] = {"responses": {"200": {"content": {"application/json": {}}}}}
    assert undocumented(bare) == ["summary", "description", "example of 200", "responses"]


def test_the_examples_are_what_the_service_answers() -> None:
    from app.api.chat import Completion, ModelList
    from app.api.examples import example
    from app.api.repository_bodies import Places, RepositoryBody, RepositoryState
    from app.artifacts.replay import Replay
    from app.artifacts.store.artifact import Artifact, ArtifactDetails, Receipt
    from app.blenders.api_differences import SymbolChanges
    from app.jobs.brief import Brief
    from app.jobs.run import Run, RunSummary
    from app.repositories.changing.record import Change, ChangeRequest, ChangeSummary
    from app.repositories.explaining import ExplainedDiagnosis
    from app.repositories.questions import RepositoryAnswer
    from app.repositories.tasks import Shape
    from app.service.artifact_search import ArtifactHits
    from app.service.search import SymbolHits
    from codebase.ask.relations import SymbolRelations, Way
    from codebase.diagnosis.known import ConfirmedDiagnosis
    from ingest.symbol import Symbol

    for model, name in (
        (Run, "QUEUED"),
        (Brief, "BRIEF"),
        (ModelList, "MODELS"),
        (Completion, "COMPLETION"),
        (Run, "CANCELLED"),
        (RunSummary, "SUMMARY"),
        (Artifact, "ARTIFACT"),
        (ArtifactDetails, "ARTIFACT_DETAILS"),
        (Receipt, "RECEIPT"),
        (Replay, "REPLAY"),
        (SymbolHits, "HITS"),
        (SymbolChanges, "CHANGES"),
        (RepositoryBody, "REPOSITORY"),
        (RepositoryState, "STATE"),
        (Places, "FOUND"),
        (RepositoryAnswer, "ANSWER"),
        (Change, "CHANGE"),
        (Change, "CHANGE_QUEUED"),
        (ChangeSummary, "CHANGE_SUMMARY"),
    ):
        assert model.model_validate(example(name)).model_dump(mode="json") == example(name)
    for request in example("REQUESTS"):
        assert ChangeRequest.model_validate(request)
    for shape, name in (
        (ArtifactHits, "ARTIFACT_HITS"),
        (Symbol, "SYMBOL"),
        (Shape, "SHAPE"),
        (SymbolRelations, "RELATED"),
        (Way, "WAY"),
        (ExplainedDiagnosis, "DIAGNOSIS"),
        (ConfirmedDiagnosis, "CONFIRMED"),
    ):
        adapter: TypeAdapter[Any] = TypeAdapter(shape)
        assert adapter.dump_python(adapter.validate_python(example(name)), mode="json") == example(name)
