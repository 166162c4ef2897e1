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

    # Each warp of the chosen block has a row, and each wait leads to its line. Below are the sums of all blocks.
    blocks = tab.page.get_by_label("Block of the timeline")
    assert blocks.locator("option").all_inner_texts() == [f"launch {launch}, block ({block}, 0, 0)" for launch in (1, 2) for block in (0, 1)]
    blocks.select_option(index=3)
    assert tab.page.locator(".body.timeline .where").inner_text().startswith("Launch 2, block (1, 0, 0) took ")
    assert tab.page.locator(".warp-row").count() == 4
    assert [row.split("\t")[:2] for row in tab.page.locator(".sums tr").all_inner_texts()[1:]] == [[f"warp {i}", "4"] for i in range(4)]
    wait = tab.page.locator(".wait").first
    if wait.count():
        wait.hover()
        assert "waits for" in tab.page.locator(".body.timeline .where").inner_text()

# A line of IR has the count of the code with its origin, which the first of several such lines in a row shows.
with opened(page, "#k=rows&v=generic&p=ttir,ttgir,llvm&m=emulator:sectors") as tab:
    for kind in ("ttir", "ttgir", "llvm"):
        rows = tab.page.locator(f".body.{kind} .line").filter(has=tab.page.locator(".count", has_text="512"))
        assert rows.count() == 1 and {*tab.page.locator(f".body.{kind} .count").all_inner_texts()} == {"", "512", "64"}, kind
        if kind != "llvm":  # the load's first operation
            assert "tt.splat %stride" in rows.first.inner_text(), rows.first.inner_text()

# A finding is below its line, in the source and in PTX, and does not hide the line's own text.
with opened(page, "#k=shift&p=source,ptx") as tab:
    for kind, text in (("source", "tt::load(x + i + 1"), ("ptx", "st.global.b32")):
        note = tab.page.locator(f".body.{kind} .line.noted", has_text=text).locator(".finding").first
        assert "app.tt.cpp:8:" in note.inner_text() and "error: data race in global memory" in note.inner_text(), note.inner_text()
        row = note.locator("xpath=../..").bounding_box()
        assert note.bounding_box()["y"] >= row["y"] + 15 and note.bounding_box()["y"] + note.bounding_box()["height"] <= row["y"] + row["height"] + 1
