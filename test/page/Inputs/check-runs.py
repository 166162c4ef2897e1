"""Looks at a page with runs: check-runs.py PAGE, of the program in runs.test, with a profile of the emulator and one of ncu."""
import sys

from browser import opened

page = sys.argv[1]
with opened(page, "#k=rows&p=source,ptx,timeline") as tab:
    def counts(kind, text):
        return tab.page.locator(f".body.{kind} .line", has_text=text).locator(".count").all_inner_texts()

    # The page opens with the variant that has run, and with the first metric.
    assert tab.page.locator("#variants [aria-selected=true]").inner_text() == "generic"
    assert counts("ptx", "ld.global.b32") == ["16"] and counts("ptx", "st.global.b32") == ["16"]
    assert counts("ptx", ".reg .pred") == [""]

    # Another metric: the strided load touches a sector for each thread. The source has the same count.
    metrics = tab.page.get_by_label("Counts beside the lines")
    assert "sectors: 576" in metrics.locator("option").all_inner_texts(), metrics.locator("option").all_inner_texts()
    metrics.select_option(label="sectors: 576")
    assert counts("ptx", "ld.global.b32") == ["512"] and counts("ptx", "st.global.b32") == ["64"]
    assert counts("source", "tt::load(x + i * stride)") == ["512"] and counts("source", "tt::max(a)") == ["64"]
    assert "m=emulator%3Asectors" in tab.page.url, tab.page.url
    assert tab.page.locator(".body.source .line.hot").count() == 2

    # What a GPU has counted is apart.
    metrics.select_option(label="ncu: sectors: 1,234")
    assert counts("source", "tt::load(x + i * stride)") == ["1234"] and counts("ptx", "ld.global.b32") == [""]

    # Each warp of the block has a row, and each wait leads to its line.
    assert tab.page.locator(".warp-row").count() == 4
    wait = tab.page.locator(".wait").first
    if wait.count():
        wait.hover()
        assert "waits for" in tab.page.locator(".body.timeline .where").inner_text()

# A finding is below its line, in the source and in PTX, and does not hide the line's own text.
with opened(page, "#k=shift&p=source,ptx") as tab:
    for kind, text in (("source", "tt::load(x + i + 1"), ("ptx", "st.global.b32")):
        note = tab.page.locator(f".body.{kind} .line.noted", has_text=text).locator(".finding").first
        assert "app.tt.cpp:8:" in note.inner_text() and "error: data race in global memory" in note.inner_text(), note.inner_text()
        row = note.locator("xpath=../..").bounding_box()
        assert note.bounding_box()["y"] >= row["y"] + 15 and note.bounding_box()["y"] + note.bounding_box()["height"] <= row["y"] + row["height"] + 1
