"""The page in a real browser: read, copied, searched by words and by picture, by hand and by keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.small_artifacts import draw

pytestmark = pytest.mark.slow


@pytest.fixture
def page(page: Any, url: str) -> Any:
    """The same, which shows the gallery."""
    page.goto(url)
    return page


def shown(page: Any) -> list[str]:
    return [title.inner_text() for title in page.locator(".card-title").all()]


def ended(url: str, words: str) -> str:
    """The id of a run that was asked for these words and has ended."""
    run: str = httpx2.post(f"{url}/generate", json={"request": words}, timeout=60).json()["id"]
    return run


def test_words_and_filters_find(page: Any, url: str) -> None:
    assert sorted(shown(page)) == ["a golden ball", "an arrow <b>up</b>", "five blue bars"]
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("blue bars")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=blue+bars**")
    assert shown(page)[0] == "five blue bars"
    page.get_by_role("link", name="Clear all").click()
    page.wait_for_url(f"{url}/")
    page.select_option("select[name=tag]", "bevel")
    page.wait_for_url("**tag=bevel**")
    assert len(shown(page)) == 3


def test_keys_pass_values_until_they_are_sent(page: Any, url: str) -> None:
    page.focus("select[name=tag]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    tag = page.input_value("select[name=tag]")
    page.focus("input[name=since]")
    page.keyboard.type("01312020")
    page.wait_for_timeout(300)
    assert page.url == f"{url}/" and page.input_value("input[name=since]") == "2020-01-31"
    page.keyboard.press("Enter")
    page.wait_for_url(f"**tag={tag}&since=2020-01-31")
    page.focus("select[name=tag]")
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Apply").click()

    def untagged(address: str) -> bool:
        return f"tag={tag}" not in address

    page.wait_for_url(untagged)


def test_a_chosen_and_a_dropped_picture_find(page: Any, tmp_path: Path) -> None:
    file = tmp_path / "seen.png"
    draw("ball", "gold", 300).save(file)
    page.set_input_files("#picture", file)
    page.wait_for_selector(".result")
    assert shown(page)[0] == "a golden ball"
    assert "same picture" in page.locator(".why").first.inner_text()
    page.goto(page.url.partition("/page")[0] + "/")
    page.evaluate(
        """async (bytes) => {
            const carried = new DataTransfer();
            carried.items.add(new File([new Uint8Array(bytes)], "x.png", {type: "image/png"}));
            const given = {bubbles: true, cancelable: true, dataTransfer: carried};
            for (const type of ["dragenter", "dragover", "drop"])
                document.body.dispatchEvent(new DragEvent(type, given));
        }""",
        list(file.read_bytes()),
    )
    page.wait_for_selector(".result")
    assert shown(page)[0] == "a golden ball"


def test_a_bad_picture_is_said(page: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_text("no picture")
    page.set_input_files("#picture", tmp_path / "bad.png")
    page.wait_for_selector("[role=alert]")
    assert "not a picture" in page.locator("[role=alert]").inner_text()


def test_an_artifact_is_read_and_copied(page: Any) -> None:
    page.get_by_text("an arrow <b>up</b>").click()
    page.wait_for_url("**/page/artifacts/**")
    assert page.locator("h1").inner_text() == "an arrow <b>up</b>"
    assert page.locator("h1 b").count() == 0
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "# an arrow <b>up</b>\nimport bpy\n"
    # What it means is embedded after the start; until then no artifact is like it.
    for _ in range(60):
        if page.locator(".similar .card").count():
            break
        page.wait_for_timeout(500)
        page.reload()
    assert page.locator(".similar .card").count() == 1


def test_a_keyboard_reaches_everything(page: Any) -> None:
    reached: list[str] = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("(document.activeElement.id || document.activeElement.textContent).trim()"))
    assert reached[0] == "Skip to the content"
    for wanted in ("words", "Prove it", "q", "Search", "picture", "five blue bars"):
        assert any(wanted in one for one in reached), (wanted, reached)
    page.focus(".card a")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_in_light_and_dark(scheme: str, browser: Any, url: str) -> None:
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    run, _ = ended(url, "a wrong ball"), ended(url, "a right ball")
    for path in ("/", "/page/runs", "/page/sign-in", "/page/overview", f"/page/runs/{run}"):
        page.goto(url + path)
        assert page.evaluate(LEAST_CONTRAST) >= 4.5, path
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(int(part) for part in light[4:-1].split(",")) > 600) is (scheme == "light")
    context.close()


LEAST_CONTRAST = """() => {
    const parts = (text) => text.match(/[\\d.]+/g).map(Number);
    const bright = ([r, g, b]) => {
        const linear = [r, g, b].map((one) => (one /= 255) <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const ground = (element) => {
        for (; element; element = element.parentElement) {
            const color = parts(getComputedStyle(element).backgroundColor);
            if (color.length === 3 || color[3] > 0.9) return color;
        }
        return [255, 255, 255];
    };
    let least = 21;
    for (const element of document.querySelectorAll("body *")) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || !element.checkVisibility() || element.closest(".hidden, .skip, noscript")) continue;
        const [one, other] = [bright(parts(getComputedStyle(element).color)), bright(ground(element))];
        least = Math.min(least, (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05));
    }
    return least;
}"""


def test_a_phone_shows_it_without_scrolling_sideways(browser: Any, url: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(url)
    artifact = page.locator(".card a").first.get_attribute("href")
    run = ended(url, "a long ball")
    for path in ("/", artifact, "/page/runs", "/page/sign-in", "/?q=ball", "/page/overview", f"/page/runs/{run}"):
        page.goto(url + path)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, path
    context.close()


def test_without_a_script_the_page_is_whole(browser: Any, url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{url}/?q=blue+bars")
    assert shown(page)[0] == "five blue bars"
    page.get_by_text("five blue bars").first.click()
    page.wait_for_url("**/page/artifacts/**")
    assert page.locator("h1").inner_text() == "five blue bars"
    context.close()
