"""Uses a page like a reader: points, clicks, presses keys, follows links, searches."""
import sys

from browser import opened

page = sys.argv[1]
with opened(page, "#k=add&v=a16&p=source,ttgir,ptx") as tab:
    # Pointing at a line highlights it, and leaving removes the highlight.
    tab.row("source", 5).hover()
    lit = tab.texts("ptx", "lit")
    assert any("ld.global.v4.b32" in line for line in lit) and not any("st.global" in line for line in lit), lit
    assert any("tt.load" in line for line in tab.texts("ttgir", "lit"))
    tab.page.locator("h1").hover()
    assert not tab.texts("ptx", "lit")

    # A click keeps the highlight and is in the address. For a line that calls a helper, the helper's code is
    # highlighted, too.
    tab.row("source", 7).click()
    tab.page.locator("h1").hover()
    lit = tab.texts("ptx", "lit")
    assert any("st.global" in line for line in lit) and any("mul" in line or "fma" in line for line in lit), lit
    assert not any("ld.global" in line for line in lit), lit
    assert "l=7" in tab.page.url, tab.page.url
    tab.page.keyboard.press("Escape")
    assert not tab.texts("ptx", "lit") and "l=7" not in tab.page.url

    # From PTX back to the source, where the caller is highlighted, too.
    store = tab.page.locator(".body.ptx .line", has_text="st.global").first
    store.click()
    assert tab.texts("source", "lit") == ["  tt::store(z + i, twice_and_more(a) + twice_and_more(b), i < n);"]
    helper = tab.page.locator(".body.ptx .line", has_text="add.f32" if tab.page.locator(".body.ptx .line", has_text="add.f32").count() else "add.rn").first
    helper.click()
    assert tab.texts("source", "caller") == ["  tt::store(z + i, twice_and_more(a) + twice_and_more(b), i < n);"], tab.texts("source", "caller")
    status = tab.page.locator("#status").inner_text()
    assert status.startswith("scale.h:5 called at add.tt.cpp:7"), status
    tab.page.locator("#status a", has_text="scale.h:5").click()
    assert tab.texts("source", "lit") == ["  auto y = x + x;"], tab.texts("source", "lit")

    # Lines show their number of instructions.
    tab.page.get_by_label("File", exact=True).select_option(label=next(
        option for option in tab.page.locator(".files option").all_inner_texts() if option.endswith("add.tt.cpp")))
    assert int(tab.row("source", 7).locator(".count").inner_text()) > 8

    # Search and keys.
    tab.page.get_by_label("Search in PTX").fill("ld.global")
    assert tab.page.locator(".body.ptx .line.hit").count() == 4
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("2")
    assert tab.page.locator(".pane").count() == 2

# A link to a line of another kernel.
with opened(page, "#k=fill%3C256%3E&p=source,ptx&l=11") as tab:
    assert any("st.global" in line for line in tab.texts("ptx", "lit")), tab.texts("ptx", "lit")
    assert tab.page.get_by_role("tab", name="fill<256>").get_attribute("aria-selected") == "true"
    # Selecting another target or kernel changes the address, and the address changes the page.
    tab.page.get_by_role("tab", name="add").click()
    assert "k=add" in tab.page.url
    tab.page.evaluate("location.hash = '#k=fill%3C256%3E&p=costs'")
    tab.page.locator(".body.costs").wait_for()

# A pane without content says why.
with opened(page, "#k=add&p=passes,layouts,cpu-asm") as tab:
    assert tab.page.locator(".pass").count() > 2
    assert tab.page.locator(".line.added").count() and tab.page.locator(".line.removed").count()
    tab.choose(1, "cpu-asm")
    assert tab.page.locator(".body.cpu-asm .line").count() > 10
