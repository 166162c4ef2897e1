"""Generates random kernels of control flow: nested loops of every form, break, continue, return, switch, conditions.

  generate.py SEED COUNT FOLDER

writes FOLDER/kernels.h, the kernels' text, and FOLDER/names.h, a list of them. Two programs include them: fuzz.tt.cpp,
where they are tile kernels, and native.cpp, where a tile is an array and Clang compiles the same text. Their results
must have equal bits, so tiles hold integers. Every kernel ends, and none has undefined behaviour:
scalars stay small, pointers stay in a wide margin, and loops run a few times at most.
"""
import os
import random
import sys


class Kernel:
    """One kernel. `scalars` names the variables an expression may use at some point."""

    def __init__(self, random, name):
        self.random, self.name, self.counter = random, name, 0

    # Expressions.

    def scalar(self, scalars, depth=0):
        pick, r = self.random, self.random.random()
        names = ["s", "t", "n", "m"] + scalars
        if r < 0.35 or depth > 3:
            return pick.choice(names)
        if r < 0.55:
            return str(pick.randint(0, 9))
        if r < 0.75:
            return f"({self.scalar(scalars, depth + 1)} + {self.scalar(scalars, depth + 1)}) % {pick.randint(3, 40)}"
        if r < 0.83:
            return f"({self.scalar(scalars, depth + 1)} - {pick.choice(names)}) % {pick.randint(3, 40)}"
        if r < 0.88:
            function = pick.choice(["minimum", "maximum"])
            return f"tt::{function}({pick.choice(names)}, {self.scalar(scalars, depth + 1)})"
        if r < 0.92:
            return f"(tt::sum({pick.choice('ab')}) & 31)"
        if r < 0.95:
            return f"(int)(short)({self.scalar(scalars, depth + 1)})"
        return f"({self.condition(scalars, 1)} ? {pick.choice(names)} : {pick.randint(0, 9)})"

    def condition(self, scalars, depth=0):
        pick, r = self.random, self.random.random()
        if depth < 2 and r < 0.18:
            return f"({self.condition(scalars, depth + 1)} && {self.condition(scalars, depth + 1)})"
        if depth < 2 and r < 0.34:
            return f"({self.condition(scalars, depth + 1)} || {self.condition(scalars, depth + 1)})"
        if r < 0.42:
            return "f"
        if r < 0.48:
            return "!f"
        if r < 0.55:
            return f"x[{pick.randint(0, 63)}] > {pick.randint(20, 80)}"
        compare = pick.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"{self.scalar(scalars)} {compare} {self.scalar(scalars)}"

    def tile(self, scalars):
        return self.random.choice(["a", "b", "q.u", f"LOAD(x + ({self.scalar(scalars)} & 1023))", "LOAD(p)"])

    # Statements. `in_loop`: break and continue have a loop to act on.

    def block(self, scalars, depth, in_loop, indent):
        count = self.random.randint(1, 3)
        return "".join(self.statement(scalars, depth, in_loop, indent + 1) for _ in range(count))

    def statement(self, scalars, depth, in_loop, indent):
        pick, r, pad = self.random, self.random.random(), "  " * indent
        if r < 0.20:
            target = pick.choice(["a", "b", "q.u"])
            return f"{pad}{target} = {self.tile(scalars)} {pick.choice('+-*^')} {self.tile(scalars)};\n"
        if r < 0.23:
            return f"{pad}add({self.tile(scalars)});\n"
        if r < 0.32:
            return f"{pad}{pick.choice('st')} = ({self.scalar(scalars)}) % 97;\n"
        if r < 0.37:
            return f"{pad}f = {self.condition(scalars)};\n"
        if r < 0.41:
            return f"{pad}p += {pick.randint(-3, 3)};\n"
        if r < 0.44:
            return f"{pad}p = {self.condition(scalars)} ? p : x + {pick.randint(0, 9)};\n"
        if r < 0.50 and in_loop:
            return f"{pad}if ({self.condition(scalars)}) {pick.choice(['break', 'continue', 'break', 'return'])};\n"
        if r < 0.53:
            return f"{pad}if ({self.condition(scalars)}) return;\n"
        if r < 0.56:
            return f"{pad}STORE(o + ({self.scalar(scalars)} & 1023), {pick.choice('ab')});\n"
        if depth == 0:
            return f"{pad}a = a + b;\n"
        if r < 0.72:
            text = f"{pad}if ({self.condition(scalars)}) {{\n{self.block(scalars, depth - 1, in_loop, indent)}{pad}}}"
            if pick.random() < 0.5:
                text += f" else {{\n{self.block(scalars, depth - 1, in_loop, indent)}{pad}}}"
            return text + "\n"
        if r < 0.76:
            return self.switch(scalars, depth, indent)
        return self.loop(scalars, depth, indent)

    def switch(self, scalars, depth, indent):
        pick, pad = self.random, "  " * indent
        text = f"{pad}switch (({self.scalar(scalars)}) & 7) {{\n"
        for case in pick.sample(range(8), pick.randint(1, 4)):
            end = pick.choice(["break;", "", "break;"])
            text += f"{pad}case {case}: {{\n{self.block(scalars, depth - 1, False, indent)}{pad}}} {end}\n"
        if pick.random() < 0.6:
            text += f"{pad}default: {{\n{self.block(scalars, depth - 1, False, indent)}{pad}}}\n"
        return text + f"{pad}}}\n"

    def loop(self, scalars, depth, indent):
        pick, pad = self.random, "  " * indent
        self.counter += 1
        i, end = f"i{self.counter}", f"e{self.counter}"
        bound = f"(({self.scalar(scalars)}) & 7)"
        body = lambda more: self.block(scalars + more, depth - 1, True, indent + 1)
        forms = [
            lambda: f"for (int {i} = 0; {i} < {bound}; ++{i}) {{\n{body([i])}{pad}}}",
            lambda: f"for (int {i} = {bound}; {i} {pick.choice(['>', '>='])} {pick.randint(0, 2)}; "
                    f"{i} -= {pick.randint(1, 3)}) {{\n{body([i])}{pad}}}",
            lambda: f"for (int {i} = {pick.randint(0, 2)}, {end} = {bound}; {i} <= {end}; "
                    f"{i} += {pick.randint(1, 3)}) {{\n{body([i])}{pad}}}",
            lambda: f"for (unsigned {i} = {pick.randint(0, 1)}; {i} {pick.choice(['<', '<='])} (unsigned){bound}; "
                    f"{i} += {pick.choice([1, 1, 2, 3])}) {{\n{body([f'(int){i}'])}{pad}}}",
            lambda: f"for (unsigned {i} = {bound}; {i} > 0; --{i}) {{\n{body([f'(int){i}'])}{pad}}}",
            lambda: f"for (short {i} = 0, {end} = {bound}; {i} < {end}; ++{i}) {{\n{body([i])}{pad}}}",
            lambda: f"for (unsigned char {i} = 0; {i} < {bound}; ++{i}) {{\n{body([i])}{pad}}}",
            lambda: f"for (int {i} = -2; {i} < (long){bound}; ++{i}) {{\n{body([i])}{pad}}}",
            lambda: f"for (long {i} = {bound}; {i} >= {pick.randint(0, 1)}; --{i}) {{\n{body([f'(int){i}'])}{pad}}}",
            lambda: f"for (int {i} = 0; {i} != {pick.randint(0, 6)}; ++{i}) {{\n{body([i])}{pad}}}",
            lambda: f"{{ int {i} = 0, {end} = {bound}, d{i} = {pick.randint(1, 3)}; for (; {i} < {end}; {i} += d{i}) "
                    f"{{\n{body([i])}{pad}}} s = (s + {i}) % 97; }}",
            lambda: f"{{ int {i} = {bound}; for (; {i} > 1; {i} -= 2) {{\n{body([i])}{pad}}} s = (s + {i}) % 97; }}",
            lambda: f"{{ int {i} = 0; while ({i}++ < 6 && {self.condition(scalars)}) {{\n{body([i])}{pad}}} t = {i}; }}",
            lambda: f"{{ int {i} = {bound}; while ({i}--) {{\n{body([i])}{pad}}} t = (t + {i}) % 97; }}",
            lambda: f"{{ int {i} = 0; do {{\n{body([i])}{pad}}} while (++{i} < {pick.randint(1, 6)}); "
                    f"t = (t + {i}) % 97; }}",
            lambda: f"{{ int {i} = 0; do {{\n{body([i])}{pad}}} while (({i} += 2) < {bound} && {i} < 9); }}",
            lambda: f"{{ int {i} = 0; for (;;) {{ if ({i}++ > 5) break;\n{body([i])}{pad}}} }}",
        ]
        return pad + pick.choice(forms)() + "\n"

    def text(self):
        body = "".join(self.statement([], 3, False, 1) for _ in range(self.random.randint(2, 5)))
        return (
            f"KERNEL {self.name}(const int *x, int *o, int n, int m) {{\n"
            "  T a = LOAD(x), b = LOAD(x + 7);\n  pair q{a, b};\n  int s = n, t = m;\n  bool f = n > 3;\n"
            "  const int *p = x;\n  auto add = [&](T v) { b = b + v; t = (t + 1) % 97; };\n"
            f"{body}"
            "  STORE(o + 2048, a + s);\n  STORE(o + 3000, b + t);\n  STORE(o + 3500, q.u);\n"
            "  STORE(o + 4000, LOAD(p));\n  if (f) STORE(o + 5000, b);\n}\n"
        )


seed, count, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
names = [f"k{i:03d}" for i in range(count)]
os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "kernels.h"), "w") as file:
    for i, name in enumerate(names):
        file.write(Kernel(random.Random(seed * 100003 + i), name).text())
with open(os.path.join(folder, "names.h"), "w") as file:
    file.writelines(f"NAME({name})\n" for name in names)
