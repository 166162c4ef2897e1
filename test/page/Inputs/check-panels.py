"""Uses the panels of a page: check-panels.py PAGE PAGE80, of moves.tt.cpp for sm_90 and sm_80."""
import re
import sys

from browser import opened

def movements_of(tab):
    """What each movement of each tile says, by its operation."""
    said, types = {}, tab.page.get_by_label("Type of the tile")
    for number in range(types.locator("option").count()):
        types.select_option(index=number)
        choice = tab.page.get_by_label("Movement of the tile")
        for movement in range(1, choice.locator("option").count() if choice.count() else 0):
            choice.select_option(index=movement)
            name = re.search(r": (\w+),", choice.locator("option").nth(movement).inner_text())[1]
            said.setdefault(name, []).append(tab.page.locator(".movement").inner_text())
    return said


with opened(sys.argv[1], "#k=product&p=source,ttgir,layouts") as tab:
    # A fold hides what is indented below its line, and a click on a line elsewhere brings hidden lines back.
    rows = tab.page.locator(".body.ttgir .line")
    count = rows.count()
    loop = tab.page.locator(".body.ttgir .line", has_text="scf.for").first
    loop.locator("button.fold").click()
    hidden = tab.page.locator(".body.ttgir .line[hidden]").count()
    assert 5 < hidden < count and loop.locator("button.fold").get_attribute("aria-expanded") == "false", (hidden, count)
    tab.page.locator(".body.ttgir .line", has_text="tt.func").first.locator("button.fold").click()
    assert tab.page.locator(".body.ttgir .line[hidden]").count() > hidden
    tab.page.locator(".body.ttgir .line", has_text="tt.func").first.locator("button.fold").click()
    assert tab.page.locator(".body.ttgir .line[hidden]").count() == hidden  # the inner region is still folded
    tab.row("source", 8).click()
    assert tab.page.locator(".body.ttgir .line.lit:visible").count() > 0

    # Each movement of a tile: the numbers of its steps add up, and each step colors the elements that it moves.
    seen, types = set(), tab.page.get_by_label("Type of the tile")
    for number in range(types.locator("option").count()):
        types.select_option(index=number)
        movements = tab.page.get_by_label("Movement of the tile")
        if not movements.count():
            continue
        movements.select_option(index=1)
        said = tab.page.locator(".movement").inner_text()
        found = re.search(r"^(\d+) (load|store)s of warps, with (\d+) bytes? for each thread: (\d+) wavefronts, (\d+) of them", said)
        if found:
            accesses, width, wavefronts, conflicts = (int(found[i]) for i in (1, 3, 4, 5))
            assert wavefronts - conflicts == accesses * max(1, width // 4), said
            seen.add("access")
        elif "In all" in said:
            parts = [int(part) for part in re.findall(r"In all, (\d+) elements stay in their thread, (\d+) come from another lane of the warp, (\d+)", said)[0]]
            assert sum(parts) >= 32, said
            seen.add("conversion")
        first = re.search(r"Step (\d+) of (\d+)", said)
        tab.page.get_by_role("button", name="\u203a").click()
        assert f"Step {int(first[1]) % int(first[2]) + 1} of {first[2]}" in tab.page.locator(".movement").inner_text()
    assert "access" in seen, seen

    # The work of an iteration, and its place under the roof: 8 FLOPs a byte.
    tab.choose(3, "costs")
    work = tab.page.locator(".work tr").all_inner_texts()
    assert any("65,536" in row and "8,192" in row and "8.00" in row for row in work), work
    assert "memory is the limit" in tab.page.locator("p.roof").first.inner_text()
    assert tab.page.locator(".roofline circle").count() == 2

# Without runs, the number of instructions is beside source lines alone. The bytes of an access are also beside its IR.
with opened(sys.argv[1], "#k=product&p=source,ttir,llvm") as tab:
    def counts(kind, text):
        return tab.page.locator(f".body.{kind} .line", has_text=text).locator(".count").all_inner_texts()

    assert int(counts("source", "tt::store(c + tile, sum + 1.0f)")[0]) > 10
    assert tab.page.locator(".body.ttir .count").count() == 0
    choice = tab.page.get_by_label("Counts beside the lines")
    instructions, loaded, stored = choice.locator("option").all_inner_texts()
    assert instructions.startswith("instructions: ") and loaded == "bytes loaded: 8,192" and stored == "bytes stored: 4,096"
    choice.select_option(label=loaded)
    assert counts("source", "sum = tt::dot")[0] == "8192" and counts("source", "tt::store(c + tile")[0] == ""
    assert [count for count in counts("ttir", "tt.load") if count] == ["4096", "4096"]
    assert counts("ttir", "tt.store") == [""] and "m=code%3Aloaded" in tab.page.url
    choice.select_option(label=stored)
    assert counts("source", "tt::store(c + tile, sum + 1.0f)") == ["4096"], counts("source", "tt::store(c + tile")

# Operands of matrix units: what ldmatrix and the unit itself access, without conflicts thanks to the compiler's swizzle.
# 64 x 64 x 2 bytes are 64 wavefronts. Each of two rows of warps loads all of them, for each of two operands.
with opened(sys.argv[1], "#k=halves&p=layouts") as tab:
    dot, = movements_of(tab)["warp_group_dot"]
    assert dot.startswith("64 matrices of 8 rows of 16 bytes, which the matrix unit reads: 64 wavefronts, 0 of them by bank conflicts."), dot
with opened(sys.argv[2], "#k=halves&p=layouts") as tab:
    for load in movements_of(tab)["local_load"]:
        assert load.startswith("32 loads of warps, of 4 matrices of 8 rows of 16 bytes (ldmatrix): 128 wavefronts, 0 of them by bank conflicts."), load
