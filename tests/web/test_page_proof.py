"""The page in a real browser over a real service: a request is followed to its picture, and made again."""

from __future__ import annotations

from typing import Any

import pytest

from app.cli.client import started
from app.settings import Settings

pytestmark = pytest.mark.slow

SENTENCE = "Add a red cube of size 1.5 at (0, 0, 1)"


@pytest.mark.blender
def test_a_request_is_followed_to_its_picture(browser: Any, settings: Settings, blender: Any) -> None:
    with started(settings.model_copy(update={"warm_checkers": 0})) as url:
        page = browser.new_page()
        page.goto(url)
        page.fill("#words", SENTENCE)
        page.keyboard.press("Enter")
        page.wait_for_url("**/page/runs/**")
        page.wait_for_selector("#progress .now, .badge.proven", timeout=30_000)
        page.wait_for_selector(".verdict", timeout=90_000)
        assert page.locator(".head .badge").inner_text() == "proven"
        picture = page.locator(".picture img").first
        picture.wait_for()
        assert picture.evaluate("async (image) => { await image.decode(); return image.naturalWidth; }") == 512
        assert page.locator(".stages > li.failed").count() == 0
        page.get_by_role("link", name="Open the artifact").click()
        page.get_by_role("button", name="Make it again").click()
        page.wait_for_selector("#replay", timeout=90_000)
        assert "It came out the same" in page.locator("#replay").inner_text()
        page.close()
