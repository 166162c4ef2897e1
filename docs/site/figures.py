"""Creates the figures that show the compiler's results, by running it: figures.py TCC writes docs/figures/*.svg.

TCC is the driver in a build or an installation. The tcc-opt next to it runs the passes, and the emulator runs the kernels of
layouts.tt.cpp.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from svg import COLORS, FAINT, GRID, INK, Canvas

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "figures"
SITE = pathlib.Path(__file__).resolve().parent
MATMUL = "matmul<64, 64, 32>" # of the tutorial
WARPS = ["#8fa3e8", "#f0c07a", "#9ccf90", "#e59ab5"]


class Compiler:
    def __init__(self, tcc, folder):
        self.tcc, self.folder = pathlib.Path(tcc).resolve(), pathlib.Path(folder)
        self.environment = os.environ | {"PATH": f"{self.tcc.parent}{os.pathsep}{os.environ['PATH']}"}

    def run(self, *command, **variables):
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment | variables, cwd=self.folder)
        if done.returncode:
            sys.exit(f"error: {' '.join(map(str, command))}\n{done.stderr}")
        return done

    def emit(self, stage, source, *options):
        return self.run(self.tcc, f"--emit={stage}", source, "-o", "-", *options).stdout

    def build(self, source, *options):
        program = self.folder / source.name.split(".")[0]
        self.run(self.tcc, "-O2", source, "-o", program, *options)
        return program


def tutorial_programs(folder):
    """The programs of the tutorial, in its order."""
    page = (ROOT / "docs" / "tutorial.md").read_text()
    sources = []
    for number, found in enumerate(re.finditer(r"^```cpp\n(.*?)^```$", page, re.M | re.S)):
        sources.append(folder / f"program{number}.tt.cpp")
        sources[-1].write_text(found[1])
    return sources


def draw_layouts(compiler):
    program = compiler.build(SITE / "layouts.tt.cpp", "-arch=compute_80", "-w")
    lines = compiler.run(program, TILECC_DEVICE="emu").stdout.strip().split("\n")
    loaded, accumulator = (list(map(int, line.split())) for line in lines)
    draw_loaded(loaded)
    draw_accumulator(accumulator)


def draw_loaded(threads):
    shown, cell, left, top = 64, 42, 16, 60
    canvas = Canvas(left * 2 + 16 * cell, top + shown // 16 * 36 + 40, "Elements of a loaded tile<float, 1024>, and the threads that hold them")
    canvas.text(left, 24, f"A loaded tile<float, 1024> on {max(threads) + 1} threads: element, and the thread that holds it", 14, extra="font-weight='600'")
    canvas.text(left, 44, f"The first {shown} elements. Each thread holds {threads.count(0)} elements, of which "
                f"{len([1 for i in range(8) if threads[i] == 0])} are neighbours: one 16-byte access.", 12, FAINT)
    for i in range(shown):
        x, y = left + i % 16 * cell, top + i // 16 * 36
        canvas.rect(x, y, cell - 2, 32, WARPS[threads[i] % 4], "rx='3'")
        canvas.text(x + 4, y + 11, i, 9, FAINT)
        canvas.text(x + cell / 2 - 1, y + 25, f"t{threads[i]}", 12, INK, "middle")
    second = next(i for i in range(1, len(threads)) if threads[i] == 0 and threads[i - 1] != 0)
    canvas.text(left, canvas.height - 16, f"Thread 0 continues at element {second}, after the last of the {max(threads) + 1} threads.", 12, FAINT)
    canvas.save(FIGURES / "layout-blocked.svg")


def draw_accumulator(threads):
    size, cell, left, top = 64, 9, 16, 64
    zoom = 27
    canvas = Canvas(left * 3 + size * cell // 1 + 8 * zoom + 8, top + size * cell + 22, "Layout of a 64x64 accumulator")
    canvas.text(left, 24, f"A 64x64 accumulator on {max(threads) + 1} threads", 14, extra="font-weight='600'")
    canvas.text(left, 44, "Left: the warp that holds each element. Right: the threads of the first 16x8 block, the result of one mma instruction.", 12, FAINT)
    for row in range(0, size, 16):
        for column in range(0, size, 8):
            warps = {threads[(row + r) * size + column + c] // 32 for r in range(16) for c in range(8)}
            if len(warps) != 1:
                sys.exit("error: a block of 16x8 elements belongs to several warps: draw_accumulator draws blocks")
            canvas.rect(left + column * cell, top + row * cell, 8 * cell - 1.5, 16 * cell - 1.5, WARPS[warps.pop() % 4], "rx='2'")
    x0 = left * 2 + size * cell
    for row in range(16):
        for column in range(8):
            thread = threads[row * size + column]
            canvas.rect(x0 + column * zoom, top + row * zoom, zoom - 2, zoom - 2, WARPS[thread // 32 % 4], "rx='3'")
            canvas.text(x0 + column * zoom + zoom / 2 - 1, top + row * zoom + 17, f"t{thread}", 11, INK, "middle")
    for number, color in enumerate(WARPS):
        y = top + 16 * zoom + 24 + number * 20
        canvas.rect(x0, y - 10, 12, 12, color, "rx='2'")
        canvas.text(x0 + 18, y, f"warp {number}", 12, FAINT)
    canvas.save(FIGURES / "layout-mma.svg")


def count_operations(ir):
    return len(re.findall(r"^\s+(?:%[\w:, ]+ = )?\"?(?:tt|ttg|ttng|arith|scf|cf|math|llvm|nvvm|ub)\.\w", ir, re.M))


def dump_passes(compiler, option, source):
    """(pass, operations, True if it changed the IR) for each pass of a pipeline."""
    done = compiler.run(compiler.tcc.parent / "tcc-opt", option, "--mlir-print-ir-after-all", source, "-o", "out.mlir")
    parts = re.split(r"^// -----// IR Dump After \w+ \(([^)]*)\).*\n", done.stderr, flags=re.M)[1:]
    before, result = source.read_text(), []
    for name, ir in zip(parts[::2], parts[1::2]):
        changed = re.sub(r"\s", "", ir) != re.sub(r"\s", "", before)
        result.append((name, count_operations(ir), changed))
        before = ir
    (compiler.folder / "out.mlir").rename(compiler.folder / f"after{option[:14]}.mlir")
    return result, compiler.folder / f"after{option[:14]}.mlir"


def draw_pipeline(compiler, source):
    raised = compiler.folder / "raised.ttir"
    raised.write_text(compiler.emit("ttir", source, f"--kernel={MATMUL}"))
    stages = []
    ttir, ttir_file = dump_passes(compiler, "--tcc-ttir", raised)
    ttgir, ttgir_file = dump_passes(compiler, "--tcc-ttgir=arch=90 num-warps=4 tensor-maps=true", ttir_file)
    llvm, _ = dump_passes(compiler, "--tcc-gpu-to-llvm=arch=90 num-warps=4", ttgir_file)
    loops = [name for name, *_ in ttgir].index("tritongpu-specialize-loops")
    end = [name for name, *_ in ttgir].index("tritongpu-fit-stages")
    stages = [("TTIR", ttir), ("TTIR to TTGIR", ttgir[:loops]), ("Loops (nested in tritongpu-fit-stages)", ttgir[loops:end + 1]),
              ("TTGIR", ttgir[end + 1:]), ("TTGIR to LLVM", llvm)]
    row, left, width = 16, 300, 720
    height = 56 + sum(26 + row * len(passes) for _, passes in stages) + 10
    canvas = Canvas(width, height, "The pass pipeline on a matrix product for sm_90")
    canvas.text(16, 24, f"Passes on {MATMUL} for sm_90, and the operations after each", 14, extra="font-weight='600'")
    canvas.text(16, 44, "A filled dot marks a pass that changed the IR.", 12, FAINT)
    largest = max(operations for _, passes in stages for _, operations, _ in passes if operations < 1000)
    y = 62
    for number, (title, passes) in enumerate(stages):
        canvas.text(16, y + 12, title, 12, COLORS[0], extra="font-weight='600'")
        y += 22
        for name, operations, changed in passes:
            canvas.circle(26, y + 5, 4, COLORS[0] if changed else "none", f"stroke='{COLORS[0] if changed else GRID}' stroke-width='1.2'")
            canvas.text(38, y + 9, name, 11, INK if changed else FAINT)
            length = min(operations / largest, 1) * (width - left - 60)
            canvas.rect(left, y, length, row - 5, COLORS[0] if changed else COLORS[1], "rx='2'")
            canvas.text(left + length + 5, y + 9, operations, 10, FAINT)
            y += row
        y += 4
    canvas.save(FIGURES / "pipeline.svg")


def draw_timeline(compiler):
    example = ROOT / "examples" / "32-graphs" / "graphs.tt.cpp"
    program = compiler.build(example)
    trace = compiler.folder / "trace.json"
    compiler.run(program, TILECC_DEVICE="cpu", TILECC_NUM_THREADS="2", TILECC_TRACE=str(trace))
    events = [event for event in json.loads(trace.read_text().rstrip().rstrip(",").rstrip("]") + "]") if event.get("ph") == "X"]
    graph = next(i for i, event in enumerate(events) if event["name"] == "ttGraphLaunch")
    *_, begin, end = (i for i in range(graph) if events[i]["name"].startswith("ttMemset")) # the last time it is captured
    launches = [event for event in events[begin:end] if event["cat"] == "kernel" or event is events[begin]]
    as_graph = events[graph + 1:graph + 2] # the first one may be cold
    parts = [(f"A memset and {len(launches) - 1} launches, one by one", launches), ("The same work as one graph", as_graph)]
    longest = max(part[-1]["ts"] + part[-1]["dur"] - part[0]["ts"] for _, part in parts)
    width, left = 720, 16
    canvas = Canvas(width, 68 + 72 * len(parts), "Timeline from a trace")
    canvas.text(16, 24, "Trace of 32-graphs on the CPU device", 14, extra="font-weight='600'")
    kinds = {"kernel": COLORS[0], "copy": COLORS[2], "graph": COLORS[3]}
    x = 16
    for name, color in kinds.items():
        canvas.rect(x, 36, 11, 11, color, "rx='2'")
        canvas.text(x + 16, 46, name, 12, FAINT)
        x += 70
    y = 70
    for title, part in parts:
        begin, end = part[0]["ts"], part[-1]["ts"] + part[-1]["dur"]
        scale = (width - 2 * left) / longest
        canvas.text(left, y + 10, f"{title}: {end - begin:.0f} microseconds", 12, INK)
        canvas.rect(left, y + 18, width - 2 * left, 34, "#f4f5f8", "rx='3'")
        for event in part:
            length = max(event["dur"] * scale, 1.5)
            canvas.rect(left + (event["ts"] - begin) * scale, y + 20, length, 30, kinds.get(event["cat"], COLORS[5]), "rx='2' stroke='#fff' stroke-width='0.6'")
            if length > 7 * len(event["name"]):
                canvas.text(left + (event["ts"] - begin) * scale + 5, y + 39, event["name"], 11, "#ffffff")
        y += 72
    canvas.save(FIGURES / "timeline.svg")


def draw_overview(compiler, source):
    kernel = "--kernel=add<1024>"
    size = {stage: len(compiler.emit(stage, source, kernel, *options).strip().split("\n"))
            for stage, options in {"ttir": [], "ttgir": ["-arch=sm_90"], "llvm": ["-arch=sm_90"], "ptx": ["-arch=sm_90"],
                                   "cpu-asm": ["--cpu-level=4"]}.items()}
    canvas = Canvas(720, 250, "From a source to an executable")
    canvas.text(16, 24, "From one source to one executable: the first kernel of the tutorial", 14, extra="font-weight='600'")

    def box(x, y, width, title, detail, color="#eef0fa"):
        canvas.rect(x, y, width, 46, color, "rx='6' stroke='#c9cfe6'")
        canvas.text(x + width / 2, y + 20, title, 13, INK, "middle", "font-weight='600'")
        canvas.text(x + width / 2, y + 36, detail, 11, FAINT, "middle")

    lines = len(source.read_text().strip().split("\n"))
    box(16, 102, 104, "add.tt.cpp", f"{lines} lines of C++")
    box(160, 42, 96, "host code", "Clang")
    box(160, 132, 96, "TTIR", f"{size['ttir']} lines")
    box(286, 102, 84, "TTGIR", f"{size['ttgir']} lines")
    box(394, 102, 84, "LLVM IR", f"{size['llvm']} lines")
    box(500, 102, 92, "PTX, cubin", f"{size['ptx']} lines")
    box(396, 176, 194, "CPU code", f"{size['cpu-asm']} lines of assembly (AVX-512)")
    box(614, 102, 92, "executable", "GPU and CPU", "#e4f1e0")
    canvas.arrow(120, 118, 160, 72)
    canvas.arrow(120, 132, 160, 150)
    canvas.arrow(256, 148, 286, 130)
    canvas.arrow(370, 125, 394, 125)
    canvas.arrow(478, 125, 500, 125)
    canvas.arrow(592, 125, 614, 125)
    canvas.line(256, 64, 660, 64, FAINT, "stroke-width='1.5'")
    canvas.arrow(660, 64, 660, 102)
    canvas.line(256, 164, 330, 199, FAINT, "stroke-width='1.5'")
    canvas.arrow(330, 199, 396, 199)
    canvas.line(590, 199, 660, 199, FAINT, "stroke-width='1.5'")
    canvas.arrow(660, 199, 660, 148)
    canvas.save(FIGURES / "overview.svg")


def main():
    FIGURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(sys.argv[1], folder)
        sources = tutorial_programs(compiler.folder)
        draw_overview(compiler, sources[0])
        draw_layouts(compiler)
        draw_pipeline(compiler, sources[2])
        draw_timeline(compiler)


main()
