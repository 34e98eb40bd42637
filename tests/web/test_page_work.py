"""Working on the page in a real browser: going on from a run, editing, scenes, several runs, keys, the overview."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.repositories.changing.record import ChangeAttempt, ChangeEvent, ChangeRequest, new_change
from app.web.show import render

pytestmark = pytest.mark.slow

SCENE = b"BLENDER17-01v0500" + bytes(100)
DROPPED = """([bytes, place]) => {
    const carried = new DataTransfer();
    carried.items.add(new File([new Uint8Array(bytes)], "mine.blend"));
    for (const type of ["dragenter", "dragover", "drop"])
        if (document.querySelector(place)
            .dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: carried}))
            && type !== "dragenter") throw Error("it leads away from the page");
}"""
COUNTS = "() => [...document.querySelectorAll('[data-scene]')].map((field) => [field.id, field.files.length])"


def asked(url: str, words: str, *, wait: bool = True) -> str:
    """The id of a run for these words."""
    headers = {} if wait else {"Prefer": "respond-async"}
    run: str = httpx2.post(f"{url}/generate", json={"request": words}, headers=headers, timeout=60).json()["id"]
    return run


def snippet_of(page: Any) -> str:
    """The snippet of the run that a page shows, when it has ended."""
    page.wait_for_selector(".verdict")
    text: str = page.input_value("#edited")
    return text


def leave(page: Any) -> None:
    """Wait until another run is shown."""
    before = page.url

    def is_other(address: str) -> bool:
        return address != before and "/page/runs/r-" in address

    page.wait_for_url(is_other)


def test_a_change_goes_on_from_the_snippet(page: Any, url: str) -> None:
    page.goto(f"{url}/page/runs/{asked(url, 'a ball')}")
    page.keyboard.press("c")
    page.keyboard.type("make it larger")
    page.keyboard.press("Enter")
    leave(page)
    assert snippet_of(page).splitlines()[:2] == ["# 'a ball.\\nmake it larger.'", "# a ball"]
    assert page.title().startswith("Proven: make it larger")
    # What was refused has no snippet to change.
    refused = httpx2.post(f"{url}/generate", json={"request": "unknown"}).json()["details"]["run"]
    page.goto(f"{url}/page/runs/{refused}")
    assert page.locator("#change, [data-edit]").count() == 0


def test_a_snippet_is_edited_in_place(page: Any, url: str) -> None:
    run = asked(url, "a wrong ball")
    page.goto(f"{url}/page/runs/{run}")
    page.keyboard.press("e")
    page.wait_for_selector(".editor")
    # The link of a finding leads to its line, and Enter indents under it.
    page.get_by_role("link", name="line 2").click()
    page.keyboard.press("Home")
    page.keyboard.type("if True:\n")
    page.keyboard.press("Control+Home")
    page.keyboard.type("# <b>right</b>\n")
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("# <b>right</b>\n# a wrong ball\nif True:\n")
    page.focus(".cm-content")
    page.keyboard.press("Control+Enter")
    leave(page)
    assert snippet_of(page).replace("# # ", "# ").startswith("# <b>right</b>\n# a wrong ball\nif True:\n    import bpy")


def test_a_keyboard_leaves_the_editor_and_nothing_empty_is_sent(page: Any, url: str) -> None:
    page.goto(f"{url}/page/runs/{asked(url, 'a ball')}")
    page.keyboard.press("e")
    page.wait_for_selector(".editor")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "heal"
    page.get_by_role("button", name="Prove it again").click()
    page.wait_for_selector("[role=alert]")
    assert "Say what the snippet should do" in page.locator("[role=alert]").inner_text()
    assert "goes on from a run" in page.locator(".ask").inner_text()


def test_a_scene_is_sent_if_it_is_one_and_not_too_large(page: Any, url: str, tmp_path: Path) -> None:
    large, other = (tmp_path / f"{name}.blend" for name in ("large", "other"))
    large.write_bytes(SCENE + bytes(22 << 20))
    other.write_bytes(b"something else")
    page.goto(url)
    page.fill("#words", "a ball")
    page.get_by_text("Options, or a snippet").click()
    page.set_input_files("#blend", large)
    assert "22.0 MiB. A .blend file of at most 22 MiB" in page.locator("#blend-hint").inner_text()
    page.get_by_role("button", name="Prove it").click()
    assert page.url == f"{url}/"
    page.set_input_files("#blend", other)
    page.get_by_role("button", name="Prove it").click()
    page.wait_for_selector("[role=alert]")
    assert "not a .blend file" in page.locator("[role=alert]").inner_text()
    assert page.input_value("#words") == "a ball"
    # What takes a dropped file is set up when the page has loaded.
    page.wait_for_load_state()
    page.evaluate(DROPPED, [list(SCENE), "body"])
    assert page.locator("#blend").is_visible()
    page.get_by_role("button", name="Prove it").click()
    # It is not kept, so whoever goes on from this run is asked for it again, when the run has ended.
    page.wait_for_selector("#change-blend[required]", state="attached")
    page.wait_for_load_state()
    for place, counts in (("body", [1, 0]), ("[data-edit] form", [1, 1])):
        page.evaluate(DROPPED, [list(SCENE), place])
        assert page.evaluate(COUNTS) == [["change-blend", counts[0]], ["edit-blend", counts[1]]]


def test_several_runs_are_followed_at_once(page: Any, url: str) -> None:
    first, second = (asked(url, f"endless {number}", wait=False) for number in (1, 2))
    page.goto(f"{url}/page/runs")
    rows = page.locator(".runs > li")
    assert [rows.nth(place).get_attribute("id") for place in (0, 1)] == [second, first]
    page.get_by_text("2 under way, 0 waiting").wait_for()
    assert page.locator(".runs progress").count() == 2
    page.focus(f"#{first} a")
    third = asked(url, "endless 3", wait=False)
    page.wait_for_selector(f"#{third}")
    assert rows.nth(0).get_attribute("id") == third
    page.get_by_text("2 under way, 1 waiting").wait_for()
    httpx2.delete(f"{url}/runs/{first}")
    page.wait_for_selector(f"#{first} .cancelled")
    assert page.locator("#said").inner_text() == "endless 1: cancelled"
    assert page.evaluate("document.activeElement.parentElement.id") == first
    for run in (second, third):
        httpx2.delete(f"{url}/runs/{run}")


def test_a_run_that_is_lost_is_said_and_found_again(browser: Any, url: str) -> None:
    page = browser.new_page()
    run = asked(url, "endless", wait=False)
    page.goto(f"{url}/page/runs/{run}")

    def fail(route: Any) -> None:
        route.fulfill(status=500)

    page.route("**/progress", fail)
    page.get_by_text("The service does not answer. Trying again…").wait_for()
    page.unroute("**/progress")
    httpx2.delete(f"{url}/runs/{run}")
    page.wait_for_selector(".head .cancelled")
    assert "It ended before there was a snippet" in page.locator("main").inner_text()
    page.close()


def test_a_change_is_followed_and_what_one_opened_stays(page: Any, url: str) -> None:
    states: list[dict[str, Any]] = [
        {"events": ["plan"], "attempts": 2, "status": "running"},
        {"events": ["write"], "attempts": 3, "status": "running"},
        {"events": [], "attempts": 3, "status": "failed"},
    ]
    shown = states[:1]
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        route.fulfill(body=change_page(**shown[-1]), content_type="text/html")

    page.route("**/page/changes/c-1", answer)
    page.goto(f"{url}/page/changes/c-1")
    page.get_by_text("Attempt 1").click()
    page.get_by_role("button", name="Cancel").focus()
    page.get_by_text("plan", exact=True).wait_for()
    shown.append(states[1])
    page.get_by_text("Attempt 3").wait_for()
    assert page.locator("details[open]").count() == 3 and page.locator("[role=status]", has_text="write").count() == 1
    assert page.evaluate("document.activeElement.textContent") == "Cancel"
    shown.append(states[2])
    page.get_by_role("button", name="Cancel").wait_for(state="detached")
    assert page.locator(".head .failed").count() == 1 and page.locator("details[open]").count() == 3
    page.wait_for_timeout(1200)
    before = len(asked)
    page.wait_for_timeout(1200)
    assert len(asked) == before, "it has ended"


def change_page(events: list[str], attempts: int, status: Any) -> str:
    """The page of a change."""
    made = new_change("shop", ChangeRequest(request="a price")).model_copy(
        update={
            "id": "c-1",
            "status": status,
            "events": [ChangeEvent(number=1, at="", kind="stage", text=one) for one in events],
        }
    )
    patches = [(ChangeAttempt(number=number, patch=""), [("+", "x")]) for number in range(1, attempts + 1)]
    unfinished = status == "running"
    values = {"change": made, "unfinished": unfinished, "attempts": patches, "patch": [], "guessed": ""}
    return render("change.html", path="/page/changes/c-1", signed_in=False, **values)


def test_the_overview_renews_what_differs_alone(page: Any, url: str) -> None:
    page.clock.install()
    page.goto(f"{url}/page/overview")
    page.wait_for_load_state("networkidle")
    page.evaluate("document.querySelector('#overview h2').marked = true")
    requests = page.locator(".tiles > li").last.inner_text()
    with page.expect_response("**/page/overview"):
        page.clock.fast_forward(6000)
    give_up = time.monotonic() + 30
    while page.locator(".tiles > li").last.inner_text() == requests:
        assert time.monotonic() < give_up
        time.sleep(0.05)
    assert page.evaluate("document.querySelector('#overview h2').marked")


def test_keys_lead_to_places_unless_they_are_off_or_one_writes(page: Any, url: str) -> None:
    page.goto(url)
    page.fill("#words", "")
    page.keyboard.type("r?")
    assert page.input_value("#words") == "r?"
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog")
    assert "edit this snippet" in keys.inner_text()
    keys.get_by_label("Use the keys of one letter").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("o")
    assert page.url == f"{url}/"
    page.get_by_role("button", name="Keys").click()
    keys.get_by_label("Use the keys of one letter").check()
    keys.get_by_role("button", name="Close").click()
    page.keyboard.press("o")
    page.wait_for_url("**/page/overview")
    page.keyboard.press("n")
    page.wait_for_url(f"{url}/")


def test_the_overview_counts_and_needs_no_script(browser: Any, url: str) -> None:
    asked(url, "a ball")
    asked(url, "a wrong ball")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    give_up = time.monotonic() + 10
    while True:
        page.goto(f"{url}/page/overview")
        rows = page.get_by_role("region", name="Runs that ended").get_by_role("row").all_inner_texts()
        if len(rows) > 1 or time.monotonic() > give_up:
            break
    assert any(row.startswith("proven") for row in rows) and any(row.startswith("not proven") for row in rows)
    assert "No model is set up" in page.get_by_role("region", name="Models").inner_text()
    assert float(page.locator(".drawn rect").first.get_attribute("width")) > 0
    assert page.locator("[data-keys]").is_hidden()
    context.close()
