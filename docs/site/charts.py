"""The charts of the performance page, from the tables in bench/*/RESULTS.md.

    charts.py            writes docs/figures/*.svg
    charts.py --check    says which of them are not what the tables say, and ends with 1 if any
"""
import pathlib
import re
import sys
import tempfile

import svg

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "figures"


def section(file, title):
    """The text behind a heading, up to the next one."""
    text = (ROOT / "bench" / file).read_text()
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", text, re.M | re.S)
    if not found:
        sys.exit(f"error: bench/{file} has no section '{title}'")
    return found[1]


def table(text):
    """The rows of the first table, without its head; cells without emphasis."""
    rows = re.search(r"(?:^\|.*\n)+", text, re.M)[0].strip().split("\n")[2:]
    return [[cell.strip().replace("**", "") for cell in row.strip("|").split("|")] for row in rows]


def number(cell):
    return float(re.match(r"[\d.]+", cell)[0])


def best(cells):
    """The largest speed among cells like `0.974`, `1.012; 1.006`."""
    return max(float(value) for cell in cells for value in re.findall(r"\d\.\d+", cell))


def draw_memory_bound(folder):
    rows = table(section("gpu/RESULTS.md", "Memory-bound kernels beside Triton's on one H200"))
    svg.bar_chart(folder / "memory-bound.svg", "Memory-bound kernels on one H200", "GB/s, more is better",
                  [(row[0], [number(row[1]), number(row[2])]) for row in rows], ["tcc", "Triton 3.6"])


def draw_products(folder):
    latest = table(section("gpu/RESULTS.md", "All of it, with a backward whose lines come with tiles"))
    others = table(section("gpu/RESULTS.md", "All of it, with results by tensor copies and two slots for queries"))
    rows = latest + [row for row in others if row[0].startswith(("fp8", "int8"))]
    svg.bar_chart(folder / "products.svg", "Matrix products on one H200", "speed relative to cuBLAS",
                  [(re.sub(r" \(.*", "", row[0]), [best(row[1:])]) for row in rows], ["tcc"], reference=1, digits=2)


def draw_attention(folder):
    text = section("gpu/RESULTS.md", "All of it, with a backward whose lines come with tiles").replace("**", "")
    speed = r"(\d\.\d+)"
    first = re.search(rf"Attention 1024 d64 {speed}, causal {speed}, d128 {speed}, causal {speed}", text)
    rows = [(1024, first.groups())]
    for tokens in (4096, 16384):
        rows.append((tokens, re.search(rf"; {tokens} {speed}, {speed}, {speed}, {speed}", text).groups()))
    backward = re.search(rf"Backward of 4096 tokens {speed}, causal {speed}; of 16384 {speed}, {speed}", text).groups()
    kinds = ("heads of 64", "heads of 64, causal", "heads of 128", "heads of 128, causal")
    bars = [(f"{tokens} tokens, {kind}", [float(value)]) for tokens, values in rows for kind, value in zip(kinds, values)]
    bars += [(f"backward, {name}", [float(value)])
             for name, value in zip(("4096 tokens", "4096 tokens, causal", "16384 tokens", "16384 tokens, causal"), backward)]
    svg.bar_chart(folder / "attention.svg", "Attention on one H200", "speed relative to torch's best (cuDNN, FlashAttention)", bars, ["tcc"],
                  reference=1, digits=2, label_width=240)


def draw_clusters(folder):
    rows = table(section("gpu/RESULTS.md", "Long rows by clusters"))
    svg.bar_chart(folder / "clusters.svg", "Softmax of long rows on one H200", "speed relative to a copy",
                  [(row[0], [max(map(float, re.findall(r"\dx\d+ (\d\.\d+)", row[3]))), best([row[2]]), float(row[1])]) for row in rows],
                  ["tcc", "Triton 3.6", "torch"], reference=1, digits=2)


def draw_fusion(folder):
    rows = table(section("gpu/RESULTS.md", "Chains of launches that become one"))
    svg.bar_chart(folder / "fusion.svg", "Bias, GELU, dropout and residual on one H200", "microseconds, less is better",
                  [(f"{row[0]} rows of 4096", [number(row[1]), number(row[2]), min(number(row[3]), number(row[4]))]) for row in rows],
                  ["fused by tcc", "four launches", "torch.compile, the better of both forms"])


def draw_tile_language(folder):
    rows = table(section("gpu/RESULTS.md", "NVIDIA's tile language, by tcc and by nvcc"))
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


CHARTS = [draw_memory_bound, draw_products, draw_attention, draw_clusters, draw_fusion, draw_tile_language, draw_cpu, draw_compile_time,
          draw_emulator]


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
        print(f"docs/figures/{name} is not what bench/*/RESULTS.md says: run docs/site/charts.py")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
