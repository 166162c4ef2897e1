"""How a kernel of the corpus is compiled and run. kernels/*.py specify it in a decorator of each kernel.

    @case(x="f32[8x1000]", out="f32[8x1000]=out", n="i32=1000", BLOCK=1024, grid=(8,), warps=4)

An argument is a buffer or a value; an argument that is not a string is a constexpr. The contents of a buffer follow its
size. Without any they are random: numbers in [-1, 1), or integers of any bits. `<64` are random integers below 64, `iota`
is 0, 1, 2, ..., a number fills every element, and a list `1,2,3` gives the elements. `out` is compared and not written
before the launch; `inout` is compared, and initially random; `inout:0` is compared, and initially zero.

Pointers and integers are specialized like in Triton's launches: a multiple of 16 is known to be one, and 1 is a constant.
"""
import math
import random
import re
import struct

# Our name: Triton's name, the emulator's, and struct's letter.
TYPES = {
    "f64": ("fp64", "f64", "d"), "f32": ("fp32", "f32", "f"), "f16": ("fp16", "f16", "e"), "bf16":
    ("bf16", "bf16", "H"), "f8": ("fp8e5", "e5m2", "B"), "i64": ("i64", "s64", "q"), "i32": ("i32", "s32", "i"), "i16":
    ("i16", "s16", "h"), "i8": ("i8", "s8", "b"), "u8": ("u8", "u8", "B"), "u32": ("u32", "u32", "I")
}
CASES = {}


class Argument:
    """An argument of a kernel, parsed from its text."""

    def __init__(self, name, text):
        self.name, self.text = name, text
        match = re.fullmatch(r"(\w+?)(?:\[([\dx]+)\])?(?:=(.+))?", text)
        if not match or match[1] not in TYPES or not (match[2] or match[3]):
            raise ValueError(f"{name}: '{text}' is no argument")
        self.triton, self.emulator, self.letter = TYPES[match[1]]
        self.is_buffer, contents = bool(match[2]), match[3] or "random"
        self.count = math.prod(map(int, match[2].split("x"))) if match[2] else 1
        self.is_output = contents.startswith(("out", "inout"))
        self.contents = {"out": "", "inout": "random"}.get(contents, contents.removeprefix("inout:"))
        self.is_float = self.triton.startswith(("fp", "bf"))

    def value(self):
        return float(self.contents) if self.is_float else int(self.contents)

    def command(self, seed, path):
        """The argument in tcc-run's syntax; contents that it cannot generate are written to the file `path`."""
        if not self.is_buffer:
            return f"{self.emulator}:{self.contents}"
        text, contents = f"{self.emulator}[{self.count}]", self.contents
        if not contents:
            return text
        if contents == "random":
            return f"{text}=random:{seed}"
        if contents == "iota" or contents.startswith("<"):
            generator = random.Random(seed)
            numbers = range(self.count) if contents == "iota" else \
                [generator.randrange(int(contents[1:])) for _ in range(self.count)]
            with open(path, "wb") as file:
                file.write(struct.pack(f"<{self.count}{self.letter}", *numbers))
            return f"{text}=@{path}"
        return f"{text}={contents}"

    def decode(self, data):
        numbers = struct.unpack(f"<{self.count}{self.letter}", data)
        if self.triton == "bf16":
            return struct.unpack(f"<{self.count}f", struct.pack(f"<{self.count}I", *(n << 16 for n in numbers)))
        return numbers


class Case:

    def __init__(self, name, kernel, grid, warps, stages, tolerance, given):
        self.name, self.kernel, self.grid, self.warps, self.stages = name, kernel, grid, warps, stages
        self.tolerance = tolerance
        self.group = kernel.fn.__module__
        self.given = dict(given)
        self.arguments, self.constants = [], {}
        for parameter in kernel.arg_names:
            value = given.pop(parameter)
            if isinstance(value, str):
                self.arguments.append(Argument(parameter, value))
            else:
                self.constants[parameter] = value
        if given:
            raise ValueError(f"{name} has no parameter {', '.join(given)}")

    def changed(self, grid=None, warps=None, **given):
        """The same kernel with other sizes."""
        return Case(self.name, self.kernel, grid or self.grid, warps or self.warps, self.stages, self.tolerance,
                    self.given | given)

    def source(self):
        """The source for Triton's compiler."""
        from triton.compiler import ASTSource
        names = self.kernel.arg_names
        signature, constants, attributes = {}, {(names.index(name), ): value
                                                for name, value in self.constants.items()}, {}
        for argument in self.arguments:
            at = (names.index(argument.name), )
            signature[argument.name] = ("*" if argument.is_buffer else "") + argument.triton
            if argument.is_buffer or not argument.is_float and argument.value() % 16 == 0:
                attributes[at] = [["tt.divisibility", 16]]
            elif not argument.is_float and argument.value() == 1:
                constants[at] = 1
        for (at, ) in constants:
            signature[names[at]] = "constexpr"
        return ASTSource(fn=self.kernel,
                         signature={name: signature[name]
                                    for name in names},
                         constexprs=constants,
                         attrs=attributes)

    def passed(self):
        """The arguments of the compiled kernel, without those that are the constant 1."""
        return [a for a in self.arguments if a.is_buffer or a.is_float or a.value() != 1]


def case(name=None, grid=(1, ), warps=4, stages=3, tolerance=None, **given):

    def add(kernel):
        full = name or kernel.fn.__name__
        if full in CASES:
            raise ValueError(f"two cases are called {full}")
        CASES[full] = Case(full, kernel, grid, warps, stages, tolerance, dict(given))
        return kernel

    return add
