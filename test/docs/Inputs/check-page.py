"""Compiles and runs the C++ in a page of the documentation: check-page.py [--cuda] TCC ROOT PAGE FOLDER.

A block is fenced by ```cpp, or hidden from readers in a comment, <!-- cpp ... -->. Words after cpp specify its kind:

    (none)     declarations; or a complete program, if it has a main, which must return 0
    kernel     statements of a kernel, where float *p points to 0, 1, 2, ..., 63, int *q to 64 zeros, and int n is 10
    host       statements of host code; those of a page form one function
    mistake    not to be compiled
    simt       CUDA code, compiled if there is a toolkit (--cuda), and not run
    -option    for tcc

Declarations, kernels and host code of a page form one program, in the page's order. A comment at the end of a line states tcc's
message for the line: `// error: text`, `// warning: text`, `// remark: text`, where text may be the beginning of the message.
A number or an array in a comment behind `auto name = ...;` in a kernel is the expected value: `// 6`, `// [[0, 1], [2, 3]]`;
only the written digits are compared. A fence of ```text output behind a program contains what the program prints; `...`
matches anything. Everything runs on the CPU device and on the emulator. Failures are reported with the page's line.
(links.test checks links.)
"""
import math
import os
import pathlib
import re
import subprocess
import sys

NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e-?\d+)?|inf|nan|true|false)"
EXPECTED = re.compile(rf"// ((?:{NUMBER}|and|[\[\], ])+)$")
BLOCK = re.compile(r"^(?P<fence>```cpp|<!-- cpp)(?P<words>[^\n]*)\n(?P<text>.*?)^(?:```|-->)$", re.M | re.S)
OUTPUT = re.compile(r"\s*```text output\n(?P<text>.*?)^```$", re.M | re.S)
SAID = r"(?:error|warning|remark): .*"
KERNEL = "__tile_global__ void {name}(double *results, float *p, int *q, int n) {{"


class Block:
    def __init__(self, page, found):
        self.line = page.count("\n", 0, found.start("text")) + 1
        words = found["words"].split()
        self.options = [word for word in words if word.startswith("-")]
        self.kinds = {word for word in words if not word.startswith("-")}
        self.text = found["text"]
        output = OUTPUT.match(page, found.end())
        self.output = output and output["text"]
        if re.search(r"^int main\(", self.text, re.M):
            self.kinds.add("program")

    def name(self):
        return f"line_{self.line}"


class Page:
    def __init__(self, tcc, root, path, folder, cuda):
        self.tcc, self.path, self.folder, self.cuda = tcc, path, folder, cuda
        self.name = f"{path.parent.name}/{path.name}" if path.parent.name == "docs" else path.name
        self.includes = root / "test" / "docs" / "Inputs"
        self.failures = []
        page = path.read_text()
        self.blocks = [Block(page, found) for found in BLOCK.finditer(page)]
        rest = BLOCK.sub(lambda found: "\n" * found[0].count("\n"), page)
        self.find_unmarked(rest)

    def fail(self, line, text):
        self.failures.append(f"{self.name}:{line}: {text}")

    def find_unmarked(self, rest):
        """C++ in other fences, or indented, would not be compiled."""
        for number, line in enumerate(rest.split("\n"), 1):
            if re.match(r"```(c\+\+|C|cuda)", line) or re.match(r"    [^ $].*[^ ](;|\) \{)( *//.*)?$", line):
                self.fail(number, "this C++ is compiled by no test: it belongs between ```cpp and ```")

    def place(self, line):
        return f'#line {line} "{self.name}"\n'

    def compile(self, source, output, blocks, options=()):
        """Returns True if tcc succeeds, and gives for each line the message that the comment there states."""
        options = [*options, *(option for block in blocks for option in block.options)]
        command = [self.tcc, source, "-o", output, f"-I{self.includes}", "-arch=compute_80", "--cpu-level=2", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        said = {}
        messages = rf"^{re.escape(self.name)}:(\d+):\d+: ({SAID})$"
        for at, what in re.findall(messages, done.stderr, re.M):
            said.setdefault(int(at), []).append(what)
        fine = True
        for block in blocks:
            for number, line in enumerate(block.text.split("\n"), block.line):
                wanted, here = re.findall(rf"// ({SAID})$", line), said.pop(number, [])
                if len(here) != len(wanted) or not all(map(str.startswith, here, wanted)):
                    self.fail(number, f"of this line tcc says {here or 'nothing'}; all of it:\n{done.stderr}")
                    fine = False
        is_mistake = "mistake" in blocks[0].kinds
        if fine and (said or (done.returncode and not is_mistake)):
            self.fail(blocks[0].line, f"tcc says\n{done.stderr}")
            fine = False
        return fine and not is_mistake

    def run(self, program, device, line):
        environment = os.environ | {"TILECC_DEVICE": device, "TILECC_CPU_CHECKS": "1", "TILECC_CACHE_DIR": "off"}
        done = subprocess.run([program], capture_output=True, text=True, cwd=self.folder, env=environment)
        if done.returncode:
            self.fail(line, f"on device {device} the program ends with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def check_program(self, block):
        kind = ".cu" if "simt" in block.kinds else ".tt.cpp"
        source, program = self.folder / (block.name() + kind), self.folder / block.name()
        source.write_text(self.place(block.line) + block.text)
        if not self.compile(source, program, [block]) or "simt" in block.kinds:
            return
        for device in ("cpu", "emu"):
            output = self.run(program, device, block.line)
            if block.output and not re.search(re.escape(block.output).replace(r"\.\.\.", ".*"), output):
                self.fail(block.line, f"on device {device} the program prints\n{output}")

    def check_mistake(self, block):
        source = self.folder / (block.name() + ".tt.cpp")
        text = self.place(block.line) + block.text
        if "kernel" in block.kinds:
            text = KERNEL.format(name="mistake") + "\n" + text + "}\n"
        source.write_text("#include <tilecc/tt.h>\n" + text)
        self.compile(source, os.devnull, [block], ["-c"])

    def check_together(self, blocks):
        """Joins the declarations, kernels and host code to one program."""
        if not blocks:
            return
        text, host, main, expected = '#include "page.h"\n', "", "", {}
        for block in blocks:
            if "kernel" in block.kinds:
                body = self.place(block.line) + self.with_results(block, expected)
                text += KERNEL.format(name=block.name()) + "\n" + body + "}\n"
                main += f"  page::run({block.line}, {block.name()}, {{{', '.join(self.places(block, expected))}}});\n"
            elif "host" in block.kinds:
                host += self.place(block.line) + block.text
            else:
                text += self.place(block.line) + block.text
        text += "void run_host() {\n" + host + '}\n#line 1 "main"\nint main() {\n' + main + "  run_host();\n}\n"
        is_simt = "simt" in blocks[0].kinds
        source, program = self.folder / f"page{'.cu' if is_simt else '.tt.cpp'}", self.folder / "page"
        source.write_text(text)
        if not self.compile(source, program, blocks, ["-c"] if is_simt else []) or is_simt:
            return
        for device in ("cpu", "emu"):
            for line in self.run(program, device, blocks[0].line).splitlines():
                if line.startswith("value "):
                    _, at, index, *numbers = line.split()
                    self.check_value(device, expected[int(at), int(index)], numbers)

    def with_results(self, block, expected):
        """The block's text, in which each value with an expected result in a comment is stored."""
        lines, names, at = block.text.split("\n"), [], 0
        for number, line in enumerate(lines):
            if declared := re.search(r"\bauto (\w+|\[[^\]]*\]) =", line):
                names = re.findall(r"\w+", declared[1])
            if not (comment := EXPECTED.search(line)):
                continue
            if not names:
                self.fail(block.line + number, "a result of nothing: there is no `auto name =`")
                continue
            for name, value in zip(names, comment[1].split(" and "), strict=True):
                shape, numbers = shape_of(value), re.findall(NUMBER, value)
                key = block.line, len([key for key in expected if key[0] == block.line])
                expected[key] = block.line + number, name, numbers, at
                line = line.replace(" //", f" page::put<{', '.join(map(str, shape))}>(results + {at}, {name}); //", 1)
                at += len(numbers)
            lines[number], names = line, []
        return "\n".join(lines)

    def places(self, block, expected):
        return [f"{{{at}, {len(numbers)}}}" for key, (_, _, numbers, at) in expected.items() if key[0] == block.line]

    def check_value(self, device, expected, numbers):
        line, name, wanted, _ = expected
        if not all(map(is_right, numbers, wanted)) or len(numbers) != len(wanted):
            self.fail(line, f"on device {device} {name} is {' '.join(numbers)}, and the page says {' '.join(wanted)}")

    def check(self):
        if not self.cuda:
            self.blocks = [block for block in self.blocks if "simt" not in block.kinds]
        for block in self.blocks:
            if "mistake" in block.kinds:
                self.check_mistake(block)
            elif "program" in block.kinds:
                self.check_program(block)
        parts = [block for block in self.blocks if not block.kinds & {"mistake", "program"}]
        self.check_together([block for block in parts if "simt" not in block.kinds])
        self.check_together([block for block in parts if "simt" in block.kinds])
        return self.failures


def shape_of(value):
    """[[0, 1], [2, 3]]: [2, 2]"""
    rows = eval(value, {"nan": math.nan, "inf": math.inf, "true": True, "false": False})
    shape = []
    while isinstance(rows, list):
        shape.append(len(rows))
        rows = rows[0]
    return shape


def is_right(number, wanted):
    """Compares as many digits as are written."""
    wanted = {"true": "1", "false": "0"}.get(wanted, wanted)
    number, digits = float(number), len(wanted.partition(".")[2].partition("e")[0])
    if not math.isfinite(number):
        return repr(number) == repr(float(wanted))
    _, _, exponent = wanted.partition("e")
    return abs(number - float(wanted)) <= (0.5001 * 10.0 ** (int(exponent or 0) - digits) if digits or exponent else 0)


def main():
    cuda = "--cuda" in sys.argv
    tcc, root, path, folder = (pathlib.Path(word) for word in sys.argv[1:] if word != "--cuda")
    folder.mkdir(parents=True, exist_ok=True)
    page = Page(tcc, root, path, folder, cuda)
    failures = page.check()
    print(*failures, sep="\n")
    print(f"{page.name}: {len(page.blocks)} blocks of C++, {len(failures)} failures")
    return bool(failures)


sys.exit(main())
