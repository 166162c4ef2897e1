"""The charts of the performance page, from the tables in bench/*/RESULTS.md and bench/gpu/NOTES.md.

    charts.py            writes docs/figures/*.svg
    charts.py --check    lists those that differ from the tables, and exits with 1 if there are any
"""
import pathlib
import re
import sys
import tempfile

import svg

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "figures"


def section(file, title):
    """The text after a heading, up to the next one."""
    text = (ROOT / "bench" / file).read_text()
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", text, re.M | re.S)
    if not found:
        sys.exit(f"error: bench/{file} has no section '{title}'")
    return found[1]


def table(text):
    """The rows of the first table, without the header, and with emphasis removed from the cells."""
    rows = re.search(r"(?:^\|.*\n)+", text, re.M)[0].strip().split("\n")[2:]
    return [[cell.strip().replace("**", "") for cell in row.strip("|").split("|")] for row in rows]


def number(cell):
    return float(re.match(r"[\d.]+", cell)[0])


def best(cells):
    """The largest speed among cells like `0.974`, `1.012; 1.006`."""
    return max(float(value) for cell in cells for value in re.findall(r"\d\.\d+", cell))


def draw_memory_bound(folder):
    rows = table(section("gpu/NOTES.md", "Memory-bound kernels beside Triton"))
    svg.bar_chart(folder / "memory-bound.svg", "Memory-bound kernels on one H200", "GB/s, more is better",
                  [(row[0], [number(row[1]), number(row[2])]) for row in rows], ["tcc", "Triton 3.6"])


def draw_results(path, title, unit, groups, library=None, label_width=260):
    """Plain and best source of rows of bench/gpu/RESULTS.md that a library was measured for. The title names the cards of their runs."""
    text = section("gpu/RESULTS.md", "By kernel and size")
    runs = {row[0]: row[1] for row in table(text[text.index("| run | card |"):])}
    bars, cards, group = [], set(), None
    for row in table(text):
        if not any(row[1:]):
            group = row[0]
        elif group in groups and (row[3] or row[4]) and library in (None, row[1]):
            bars.append((row[0], [number(cell) if cell else None for cell in row[3:5]]))
            cards.update(runs[run] for run in row[6].split(", "))
    if not bars:
        sys.exit(f"error: bench/gpu/RESULTS.md has no rows of {groups}")
    svg.bar_chart(path, f"{title}, {' and '.join(sorted(cards))}", unit, bars, ["plain source", "best source"], reference=1, digits=2,
                  label_width=label_width)


def draw_products(folder):
    draw_results(folder / "products.svg", "Matrix products", "speed relative to cuBLAS, for int8 to torch", ["Matrix products"])


def draw_attention(folder):
    draw_results(folder / "attention.svg", "Attention", "speed relative to torch's best (cuDNN, FlashAttention)",
                 ["Attention, forward", "Attention, backward"], library="sdpa", label_width=300)


def draw_convolutions(folder):
    draw_results(folder / "convolutions.svg", "Convolutions", "speed relative to cuDNN", ["Convolutions"])


def draw_tutorials(folder):
    draw_results(folder / "tutorials.svg", "Tutorial kernels", "speed relative to torch", ["Tutorial kernels"])


def draw_clusters(folder):
    rows = table(section("gpu/NOTES.md", "Softmax of long rows on clusters"))
    svg.bar_chart(folder / "clusters.svg", "Softmax of long rows on one H200", "speed relative to a copy",
                  [(row[0], [max(map(float, re.findall(r"\dx\d+ (\d\.\d+)", row[3]))), best([row[2]]), float(row[1])]) for row in rows],
                  ["tcc", "Triton 3.6", "torch"], reference=1, digits=2)


def draw_fusion(folder):
    rows = table(section("gpu/NOTES.md", "Fused launches"))
    svg.bar_chart(folder / "fusion.svg", "Bias, GELU, dropout and residual on one H200", "microseconds, less is better",
                  [(f"{row[0]} rows of 4096", [number(row[1]), number(row[2]), min(number(row[3]), number(row[4]))]) for row in rows],
                  ["fused by tcc", "four launches", "torch.compile, the better of both forms"])


def draw_tile_language(folder):
    rows = table(section("gpu/NOTES.md", "Twelve kernels by tcc and by nvcc"))
    svg.bar_chart(folder / "cuda-tile.svg", "CUDA Tile C++ on one H200", "speed relative to nvcc 13.5",
                  [(row[0], [number(row[4])]) for row in rows], ["tcc"], reference=1, digits=2)


def draw_cpu(folder):
    rows = table(section("cpu/RESULTS.md", "All of it, without other work"))
    bars = []
    for row in rows:
        if row[0].startswith(("matmul", "the same", "bf16")):
            continue
        name = re.sub(r"^(\S+ [^,]*).*", r"\1", row[0])
        bars.append((name, [number(row[2])]))
    svg.bar_chart(folder / "cpu.svg", "CPU code, two cores of a Zen 5", "speed relative to plain loops (clang -O3 -march=native -ffast-math)", bars, ["tcc"], reference=1, digits=2)


def draw_compile_time(folder):
    light = table(section("compile-time/RESULTS.md", "`tcc -c` beside `nvcc -c`"))
    cuda = table(section("compile-time/RESULTS.md", "CUDA sources beside nvcc"))
    rows = [(f"tile kernel, {row[0]} headers", [number(row[1]), number(row[2])]) for row in light]
    rows += [(f"CUDA: {row[0]}", [number(row[1]), number(row[7])]) for row in cuda]
    svg.bar_chart(folder / "compile-time.svg", "Compile time", "seconds, less is better", rows, ["tcc", "nvcc 13.0"], digits=2)


def draw_emulator(folder):
    rows = table(section("emulator/RESULTS.md", "The PTX emulator's speed"))
    svg.bar_chart(folder / "emulator.svg", "Speed of the PTX emulator", "million thread instructions per second",
                  [(row[0], [number(row[1]), number(row[2]), number(row[3])]) for row in rows],
                  ["no checks", "all checks", "no checks, 2 threads"])


CHARTS = [draw_memory_bound, draw_products, draw_attention, draw_convolutions, draw_tutorials, draw_clusters, draw_fusion,
          draw_tile_language, draw_cpu, draw_compile_time, draw_emulator]


def main():
    if sys.argv[1:] != ["--check"]:
        FIGURES.mkdir(exist_ok=True)
        for draw in CHARTS:
            draw(FIGURES)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for draw in CHARTS:
            draw(folder)
        stale = [path.name for path in sorted(folder.iterdir())
                 if not (FIGURES / path.name).exists() or (FIGURES / path.name).read_text() != path.read_text()]
    for name in stale:
        print(f"docs/figures/{name} is not what the tables in bench say: run docs/site/charts.py")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
