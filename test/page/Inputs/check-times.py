"""Looks at the times of a page: check-times.py PAGE, of the program in times.test."""
import sys

from browser import opened

with opened(sys.argv[1], "#k=add") as tab:
    # A page with times opens with them: a row for each warp, an outer scope above those within it.
    assert tab.page.locator(".body.timeline .warp-row").count() == 3
    boxes = tab.page.locator(".body.timeline .warp-row").first.locator(".scope")
    assert boxes.all_inner_texts() == ["(all)", "own"], boxes.all_inner_texts()
    outer, inner = boxes.nth(0).bounding_box(), boxes.nth(1).bounding_box()
    assert outer["x"] <= inner["x"] and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + 1 and inner["y"] >= outer["y"] + outer["height"]
    boxes.nth(1).hover()
    where = tab.page.locator(".body.timeline .where").inner_text()
    assert where.startswith("block (0, 0, 0), warp 0: own, ") and where.endswith("app.tt.cpp:5"), where
    boxes.nth(1).click()
    assert "l=5" in tab.page.url, tab.page.url
    assert tab.page.locator(".body.timeline table tr").all_inner_texts()[1].startswith("(all)")
