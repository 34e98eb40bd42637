"""Six pages for everybody in a real browser: by axe, at 360 px, light and dark, and without a mouse."""

from __future__ import annotations

import contextlib
from typing import Any, Final

import httpx2
import pytest

from tests.web.conftest import listened_to

pytestmark = pytest.mark.slow

PAGES: Final = ("gallery", "run", "edited", "artifact", "jobs", "repositories", "overview")
REACHABLE: Final = """() => [...document.querySelectorAll('main :is(a[href], button, input, select, textarea)'),
    ...document.querySelectorAll('main :is(summary, [tabindex="0"])')]
    .filter((one) => one.checkVisibility() && !one.disabled && one.type !== 'hidden').length"""
FOCUSED: Final = """() => {
    const one = document.activeElement;
    if (!one.matches('main *')) return null;
    window.visited ??= new Set();
    const ring = getComputedStyle(one);
    window.visited.add(one);
    return {count: window.visited.size, ring: parseFloat(ring.outlineWidth) > 0 || one.matches('.drop input')};
}"""


@pytest.fixture(scope="module")
def addresses(url: str) -> dict[str, str]:
    """The address of each page, by its name."""
    run = httpx2.post(f"{url}/validate", json={"snippet": "import bpy  # a ball\n"}, timeout=60).json()
    more = {"snippet": "import bpy  # a wrong ball\n", "continues": run["id"]}
    edited = httpx2.post(f"{url}/validate", json=more, timeout=60).json()
    return {
        "gallery": "/",
        "run": f"/page/runs/{run['id']}",
        "edited": f"/page/runs/{edited['id']}",
        "artifact": f"/page/artifacts/{run['artifact']['id']}",
        "jobs": "/page/jobs",
        "repositories": "/page/repositories",
        "overview": "/page/overview",
    }


@contextlib.contextmanager
def opened(browser: Any, url: str, scheme: str, width: int = 360) -> Any:
    context = browser.new_context(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    trouble = listened_to(page, url)
    yield page
    context.close()
    assert trouble == []


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_and_nothing_scrolls_sideways(
    name: str, addresses: dict[str, str], browser: Any, url: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install -e '.[test]'").Axe()
    for scheme in ("light", "dark"):
        with opened(browser, url, scheme) as page:
            page.goto(url + addresses[name])
            found = axe.run(page).response["violations"]
            said = [(one["id"], [node["html"][:200] for node in one["nodes"]][:3]) for one in found]
            assert said == [], scheme
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), scheme


def test_axe_finds_a_field_without_a_label(browser: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="pip install -e '.[test]'").Axe()
    page = browser.new_page()
    page.set_content("<html lang=en><title>x</title><main><h1>x</h1><input></main>")
    assert "label" in [one["id"] for one in axe.run(page).response["violations"]]
    page.close()


@pytest.mark.parametrize("name", PAGES)
def test_all_of_a_page_is_reached_by_the_keyboard(name: str, addresses: dict[str, str], browser: Any, url: str) -> None:
    with opened(browser, url, "dark", 1200) as page:
        page.goto(url + addresses[name])
        wanted, reached = page.evaluate(REACHABLE), 0
        for _ in range(3 * wanted + 40):
            page.keyboard.press("Tab")
            if focused := page.evaluate(FOCUSED):
                assert focused["ring"], page.evaluate("document.activeElement.outerHTML")
                reached = focused["count"]
        assert reached >= wanted > 0


def test_an_edited_run_shows_what_it_was_made_from(addresses: dict[str, str], browser: Any, url: str) -> None:
    with opened(browser, url, "light", 1200) as page:
        page.goto(url + addresses["edited"])
        assert page.locator(".head .quiet a").get_attribute("href") == addresses["run"]
        changed = page.locator(".before .diff").inner_text()
        assert "-# import bpy  # a ball" in changed and "+# import bpy  # a wrong ball" in changed
        assert "a wrong ball" in page.title()
        page.goto(url + addresses["run"])
        assert page.locator(".before").count() == 0


def test_an_address_is_copied(addresses: dict[str, str], browser: Any, url: str) -> None:
    with opened(browser, url, "light", 1200) as page:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=url)
        page.goto(url + addresses["run"])
        page.get_by_role("button", name="Share address").click()
        page.get_by_role("button", name="Copied").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == url + addresses["artifact"]


def test_the_3d_view_is_loaded_when_it_is_opened_and_from_here_alone(browser: Any, url: str) -> None:
    page = browser.new_page()
    asked: list[str] = []

    def hear(request: Any) -> None:
        asked.append(request.url)

    page.on("request", hear)
    listed = httpx2.get(f"{url}/artifacts", timeout=60).json()["artifacts"]
    found = next(one["id"] for one in listed if one["title"].startswith("an arrow"))
    page.goto(f"{url}/page/artifacts/{found}")
    assert page.get_by_role("link", name=".glb").get_attribute("href") == f"/artifacts/{found}.glb"
    page.wait_for_load_state("networkidle")
    assert not [address for address in asked if "model-viewer" in address or address.endswith(".glb")]
    page.get_by_text("View in 3D").click()
    frame = page.frame_locator(".viewer iframe")
    frame.locator("model-viewer").wait_for()
    assert any(address.endswith("model-viewer.js") for address in asked)
    assert all(address.startswith((url, "blob:", "data:")) for address in asked)
    policy = httpx2.get(f"{url}/page/artifacts/{found}/view").headers["Content-Security-Policy"]
    assert "frame-ancestors 'self'" in policy and "http" not in policy
    page.close()
