"""Generates the reference pages: the language and the host library from the headers' documentation, the runtime from the comments of
<tilecc/runtime.h>, and the options from driver/Options.td.

    reference.py FOLDER      writes the pages into the folder, for the site's build and the tests
    reference.py --check     lists the public names that have no documentation, and exits with 1 if there are any
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

import headers

ROOT = pathlib.Path(__file__).resolve().parents[2]
FRONTEND, RUNTIME = ROOT / "frontend/include/tilecc", ROOT / "runtime/include/tilecc"

# page, title, introduction, headers
LANGUAGE = [
    ("tiles", "Tiles and element types",
     "A tile is a value: an array whose shape is part of its type. Host code uses the element types, too.",
     ["tt/tile.h", "detail/marks.h", "tt/float8.h", "tt/tuple.h"]),
    ("create", "Programs, creation and conversion",
     "The position of a program in its grid, new tiles, and tiles with another type or shape.", ["tt/create.h"]),
    ("operators", "Operators and selection",
     "Operators take tiles, or a tile and a scalar in either order. Shapes broadcast by NumPy's rules. Element types convert as in C, "
     "with two exceptions: a scalar of the same kind takes the type of the tile, and integers narrower than `int` do not promote.",
     ["tt/operators.h"]),
    ("math", "Mathematical functions",
     "Each function takes tiles or scalars. Unless an entry says otherwise, the operands are `float16`, `bfloat16`, `float` or "
     "`double`; other types are an error. 16-bit types are computed in `float` and rounded once.", ["tt/math.h"]),
    ("memory", "Loads and stores",
     "Memory is accessed through pointers, or through tiles of pointers.", ["tt/memory.h"]),
    ("descriptors", "Tensor descriptors and block pointers",
     "Two ways to access a block of a tensor. A tensor descriptor always checks bounds, and Hopper's tensor memory accelerator can "
     "execute its accesses. A block pointer allows any strides and checks the dimensions that it is told to check.",
     ["detail/descriptor.h", "tt/descriptor.h"]),
    ("atomics", "Atomic operations",
     "A read-modify-write operation that no other access interrupts. Through a tile of pointers, elements are changed one by one in any "
     "order. Through a single pointer, one thread acts for the program.", ["tt/atomic.h"]),
    ("dot", "Matrix products", "Products of matrices and of batches of matrices.", ["tt/dot.h", "tt/dot_scaled.h"]),
    ("reduce", "Reductions and scans",
     "A reduction combines the elements along an axis; a scan combines each element with those before it. A negative axis counts from "
     "the end.", ["tt/reduce.h"]),
    ("shape", "Shapes and slices",
     "Operations that move elements without computing. On a GPU, reshaping, transposing, joining and splitting rename registers; "
     "`gather`, `flip` and slices move elements between threads.", ["tt/shape.h", "tt/slice.h"]),
    ("sort", "Sorting and counting", "Sorts are bitonic, as in Triton, and compare numbers so that no element is lost.", ["tt/sort.h"]),
    ("random", "Random numbers",
     "Philox, a counter-based generator: a number depends on seed and offset only, on every device.", ["tt/random.h"]),
    ("loops", "Loops", "A plain `for` is enough for most loops. `tt::range` gives a loop options.", ["tt/range.h"]),
    ("hints", "Hints, messages and escapes",
     "What the compiler may assume, output of a running kernel, and ways out of the tile language.",
     ["tt/hints.h", "tt/debug.h", "tt/escape.h", "tt/call.h", "tt/threads.h", "tt/communication.h"]),
]
# The same for host code, whose examples are in the guides.
HOST = [
    ("host-library", "Host library", "`<tilecc/host.h>`: buffers, comparisons and timing for the code around kernels. Header only, C++20, for every "
     "compiler. [Host code](host.md) is the guide to it.", ["runtime/include/tilecc/host.h"]),
    ("cxx-api", "C++ API", "The C++ layers over the C interfaces: owners and launches (`<tilecc/runtime.h>` includes them; C++11), tuned kernels "
     "(`<tilecc/tune.h>`, C++20; [Tuning](tuning.md)), kernels that are compiled at run time (`<tilecc/jit.h>`, C++17; "
     "[Compiling at run time](jit.md)), and fused launches (`<tilecc/fusion.h>`, C++17; [Fusing launches](fusion.md)).",
     [f"runtime/include/tilecc/{name}.h" for name in ("runtime_cxx", "memory_cxx", "graph_cxx", "runtime_watch", "tune")] +
     [f"library/include/tilecc/{name}.h" for name in ("jit", "fusion")]),
]
# page, title, headers; all comments are C comments
RUNTIME_PAGES = [
    ("runtime-api", "Runtime API", "The C interface of the runtime library. [The runtime](runtime.md) is the guide to it.",
     ["runtime.h", "runtime_memory.h", "runtime_graph.h", "runtime_library.h", "runtime_tune.h", "runtime_watch.h"]),
    ("compiler-api", "Compiler API", "The C interface of libtilecc, the compiler as a library. [Compiling at run time](jit.md) is the guide to it.",
     ["../../../library/include/tilecc/compiler.h"]),
]
GENERATED = "<!-- Generated by docs/site/reference.py from {}. -->\n"


class Entry:
    """Declarations of one name that share documentation."""

    def __init__(self, first):
        self.declarations, self.doc = [first], first.doc

    def name(self):
        return self.declarations[0].qualified()


def collect(paths):
    """The documented entries of headers, in order, and the names without documentation."""
    entries, missing = [], []
    for path in paths:
        last = {}
        for one in headers.parse(path):
            name = one.qualified()
            if one.doc:
                last[name] = Entry(one)
                entries.append(last[name])
            elif name in last:
                last[name].declarations.append(one)
            elif one.kind != "namespace" and len(one.scope) == 1 and one.name != "operator,":
                missing.append(f"{path.relative_to(ROOT)}: {name}")
    documented = {entry.name() for entry in entries}
    return entries, [name for name in missing if name.split(": ")[1] not in documented and not is_listed(name, entries)]


def is_listed(name, entries):
    """int16 and the other integer types are documented with int8, and -= and the other assignments with +=."""
    names = {entry.name() for entry in entries}
    return (re.search(r"tt::(u?int\d+|float\d+)$", name) and "tt::int8" in names or
            re.search(r"tt::operator[^=<>]+=$|operator(<<|>>)=$", name) and "tt::operator+=" in names)


def write_fields(doc):
    text = doc.get("", "") + "\n"
    rows = [(label, doc[label]) for label in headers.LABELS if label in doc and label != "Example"]
    if rows:
        text += "\n" + "\n".join(f"- **{label}:** {value[0].upper() + value[1:] if value[0].islower() else value}" for label, value in
                                 ((label, " ".join(value.split())) for label, value in rows)) + "\n"
    if example := doc.get("Example"):
        text += "\n" + (example if "```" in example else "Example: " + " ".join(example.split())) + "\n"
    return text


def shorten(name):
    """The name under which users know a member of the classes behind tiles and descriptors."""
    for hidden, known in (("tensor", "tile"), ("padded_tensor_descriptor", "tensor_descriptor")):
        name = re.sub(rf"^tt::{hidden}::", f"{known}::", re.sub(rf"^tt::{hidden}::{hidden}$", f"{known}::{known}", name))
    return name


def write_entry(entry, level, continues):
    shown = shorten(entry.name())
    kind = entry.declarations[0].kind
    signatures = "" if kind == "namespace" or kind == "value" and len(entry.declarations[0].scope) > 1 else \
        "\n".join(headers.format_signature(one) for one in entry.declarations if one.kind != "class")
    signatures = re.sub(r"^constexpr .*\n?", "", signatures, flags=re.M)
    text = "" if continues else f"{'#' * level} `{shown}`\n\n"
    if signatures.strip():
        text += "``` { .cpp .signature }\n" + signatures.strip() + "\n```\n\n"
    return text + write_fields(entry.doc) + "\n"


def is_option(entry):
    """A constant that is only passed to operations: a row of a table instead of a section."""
    return entry.declarations[0].kind == "value" and "Example" not in entry.doc


def write_option(entry):
    doc = entry.doc
    fields = [" ".join(doc[""].split())] + [f"{key}: {' '.join(doc[key].split())}" for key in headers.LABELS if key in doc]
    return f"| `{entry.name()}` | {' '.join(fields)} |\n"


def write_entries(entries):
    """Sections of operations; options between them become tables."""
    text, before, is_in_table = "", None, False
    for entry in entries:
        scope = entry.declarations[0].scope
        if entry.doc.get("", "").endswith("Programs do not name it."):
            continue
        if is_option(entry):
            if not is_in_table:
                text += ("" if len(scope) > 1 else "## Options\n\n" if "## Options\n" not in text else "## Further options\n\n")
                text += "| option | meaning |\n|---|---|\n"
            text += write_option(entry)
        else:
            text += ("\n" if is_in_table else "") + write_entry(entry, 3 if len(scope) > 1 else 2, entry.name() == before)
        is_in_table, before = is_option(entry), entry.name()
    return text


def write_language():
    pages, index = {}, ""
    for slug, title, intro, names in LANGUAGE:
        entries, _ = collect([FRONTEND / name for name in names])
        source = ", ".join(f"`<tilecc/{name}>`" for name in names)
        pages[f"ref-{slug}.md"] = (GENERATED.format(", ".join(names)) + f"# {title}\n\n{intro}\n\nDeclared in {source}; "
                                   "`<tilecc/tt.h>` includes all of it. `tile<T, S>` stands for a tile of elements `T` and any shape, "
                                   "`auto` for a tile or scalar.\n\n" + write_entries(entries))
        names = []
        for entry in entries:
            short, anchor = shorten(entry.name()).removeprefix("tt::"), slugify(shorten(entry.name()))
            if entry.declarations[0].kind == "function" and "::" not in short and not short.startswith("operator"):
                names.append(f"[`{short}`](ref-{slug}.md#{anchor})")
        if slug == "operators":
            names.insert(0, f"[operators](ref-{slug}.md)")
        index += f"| [{title}](ref-{slug}.md) | {', '.join(dict.fromkeys(names))} |\n"
    pages["ref-index.md"] = (GENERATED.format("the headers") + "# Operations by group\n\nEvery operation of namespace `tt` has an entry "
                             "with its signature, shapes, types, errors, an example and the Triton operation that it follows. Tests "
                             "compile and run the examples. In them, `p` is a `float *` to 0, 1, 2, ... 63, `q` an `int *` to 64 zeros, and "
                             "`n` an `int` with the value 10; a comment shows the value of the variable.\n\n"
                             "| group | operations |\n|---|---|\n" + index)
    return pages


def write_host():
    pages = {}
    for slug, title, intro, names in HOST:
        entries, _ = collect([ROOT / name for name in names])
        text = write_entries(entries).replace("```cpp kernel", "``` { .cpp }")
        pages[f"{slug}.md"] = GENERATED.format(", ".join(pathlib.Path(name).name for name in names)) + f"# {title}\n\n{intro}\n\n" + text
    return pages


def slugify(text):
    """The anchor of a heading, computed like Python-Markdown's toc."""
    text = re.sub(r"[^\w\s-]", "", text.replace("`", "")).strip().lower()
    return re.sub(r"[-\s]+", "-", text)


def clean_comment(text):
    """The text of a C comment, as paragraphs."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in text.strip().splitlines()]
    lines[0] = lines[0].removeprefix("/*").strip()
    lines[-1] = lines[-1].removesuffix("*/").strip()
    return "\n".join(line for line in lines).strip()


def format_comment(text):
    """Converts the text of a comment to Markdown: names become code, and pages become links."""
    parts = re.split(r"(`[^`]*`)", text)
    for i in range(0, len(parts), 2):
        part = re.sub(r"\bdocs/([\w-]+)\.md", r"[\1](\1.md)", parts[i])
        part = re.sub(r"<tilecc/\w+\.h>|\btt(?:(?:::\w+)+|[A-Z]\w*)|\bTILECC_\w+(?:=[\w:]+)?|\btilecc_\w+|\bcuda[A-Z]\w+|\bnull\b", r"`\g<0>`", part)
        parts[i] = re.sub(r"<(?=[a-z])(?![^`]*>`)", "&lt;", part)
    return "".join(parts)


def write_c_header(path):
    """Sections of a C header: declarations, each after the comment that explains it."""
    text = path.read_text()
    head = re.match(r"/\*===-- \S+ - ([^*]*?) -+\*.*?\n(.*?)\*===-*===\*/\n", text, re.S)
    body = re.sub(r"(?m)^#define TT_ERRORS\(X\)(?:.*\\\n)*.*\n", "", text[head.end():]) # a table of its own
    body = re.sub(r"(?m)^#(?!define tt).*\n", "", body).replace('extern "C" {\n', "")
    result = f"## {head[1] if head[1].startswith('lib') else head[1][0].upper() + head[1][1:]}\n\n`<tilecc/{path.name}>`\n\n"
    result += write_prose(clean_comment(head[2])) + "\n\n"
    for part in re.split(r"/\*===-- (?=[A-Z])", body):
        title, _, rest = part.partition(" --")
        if "===*/" in part:
            result += f"### {title}\n\n"
            part = rest.partition("*/")[2]
        result += write_c_section(part)
    return result


def write_prose(text):
    """Paragraphs, whose titles become bold; numbered lists; and indented lines, which stay separate lines."""
    result = []
    for paragraph in re.split(r"\n\s*\n", text):
        paragraph = re.sub(r"^([A-Z][\w ]{2,20}\.) (?=[A-Z`])", r"**\1** ", paragraph)
        lines, code = [], []
        for line in [*paragraph.splitlines(), ""]:
            if line.startswith("  ") and not re.match(r" *\d\. ", line):
                code.append(line.strip())
                continue
            if code:
                lines += ["", "```text", *code, "```", ""]
                code = []
            numbered = re.match(r" *(\d\. .*)", line)
            if numbered and (not lines or not re.match(r"\d\. ", lines[-1])):
                lines.append("")
            lines.append(format_comment(numbered[1] if numbered else line))
            if not numbered and len(lines) > 1 and re.match(r"\d\. ", lines[-2]):
                lines.insert(-1, "")
        result.append("\n".join(lines).strip())
    return "\n\n".join(result)


def write_c_section(text):
    """Blocks separated by blank lines: a comment, then declarations. Comments between declarations stay there."""
    result = ""
    for block in re.split(r"\n\s*\n", text):
        block = block.strip("\n")
        if not block.strip() or re.fullmatch(r"[\s}/*extrn\"C{]*", block) or "TT_ERROR" in block or "X(name" in block:
            continue # the codes of errors have a table of their own
        if found := re.match(r"\s*/\*(?!===)(.*?)\*/\s*", block, re.S):
            result += format_comment(" ".join(clean_comment(found[0]).split("\n"))) + "\n\n"
            block = block[found.end():]
        if block.strip():
            result += "``` { .c }\n" + block.rstrip() + "\n```\n\n"
    return result


def write_errors():
    text = (RUNTIME / "runtime.h").read_text()
    rows = re.findall(r'X\((\w+), (\d+), "([^"]*)"\)', text)
    return "## Error codes\n\nA value is that of CUDA's error of the same meaning.\n\n| code | value | meaning |\n|---|---|---|\n" + \
        "".join(f"| `{name}` | {value} | {meaning} |\n" for name, value, meaning in rows)


def write_runtime():
    pages = {}
    for slug, title, intro, names in RUNTIME_PAGES:
        text = GENERATED.format(", ".join(pathlib.Path(name).name for name in names)) + f"# {title}\n\n{intro}\n\n"
        text += "".join(write_c_header(RUNTIME / name) for name in names) + (write_errors() if "runtime.h" in names else "")
        pages[f"{slug}.md"] = text
    return pages


def find_tblgen():
    for name in ("llvm-tblgen-22", "/usr/lib/llvm-22/bin/llvm-tblgen", "llvm-tblgen"):
        if path := shutil.which(name):
            return path
    sys.exit("error: the page of options is made by llvm-tblgen of LLVM 22, and there is none: install llvm-22-tools")


def write_options():
    tblgen = find_tblgen()
    include = pathlib.Path(tblgen).resolve().parent.parent / "include"
    records = json.loads(subprocess.run([tblgen, "--dump-json", f"-I{include}", f"-I{ROOT / 'driver'}", ROOT / "driver/Options.td"],
                                        check=True, capture_output=True, text=True).stdout)
    options = [records[name] for name in records["!instanceof"]["Option"]]
    groups = {record["!name"]: record for record in (records[name] for name in records["!instanceof"]["OptionGroup"])}

    def spell(option):
        shown = option["Prefixes"][0] + option["Name"] + (option["MetaVarName"] or "")
        return shown if option["Kind"]["def"] not in ("KIND_SEPARATE", "KIND_JOINED_OR_SEPARATE", "KIND_REMAINING_ARGS") else \
            option["Prefixes"][0] + option["Name"] + " " + (option["MetaVarName"] or "<value>")

    aliases = {}
    for option in options:
        if option["Alias"]:
            aliases.setdefault(option["Alias"]["def"], []).append(option["Prefixes"][0] + option["Name"])
    text = GENERATED.format("driver/Options.td") + (
        "# Options\n\nEvery option of `tcc`, from the table that the driver parses its command line with. Options that Clang has and that are "
        "not listed here go to the host compiler. [Using the driver](driver.md) says how nvcc's options are treated.\n\n")
    for name in ("OutputGroup", "GpuGroup", "HostGroup", "LinkGroup", "DependencyGroup", "InspectGroup", "ToolGroup"):
        title = groups[name]["HelpText"].partition(" (")[0].capitalize().replace("Gpu", "GPU")
        text += f"## {title}\n\n| option | meaning | other spellings |\n|---|---|---|\n"
        for option in sorted(options, key=lambda option: option["Name"].lower()):
            group = option["Group"] and option["Group"]["def"]
            group = {"TargetGroup": "GpuGroup"}.get(group, group)
            hidden = any(flag["def"] == "HelpHidden" for flag in option["Flags"])
            if group != name or hidden or option["Alias"] or not option["HelpText"]:
                continue
            own = (option["Prefixes"][0] + option["Name"]).rstrip("=")
            others = ", ".join(f"`{other}`" for other in dict.fromkeys(name.rstrip("=") for name in aliases.get(option["!name"], []))
                               if other != own)
            text += f"| `{spell(option)}` | {format_help(option['HelpText'])} | {others} |\n".replace("||", "| |")
        text += "\n"
    return {"options.md": text}


def format_help(text):
    text = text.replace("|", "\\|").replace("[[", "`[[").replace("]]", "]]`")
    text = re.sub(r"(?<![`\w])<([\w.,| -]+)>", r"`<\1>`", text)
    return re.sub(r"see docs/([\w-]+)\.md", r"see [\1](\1.md)", text)


def write_all():
    return {**write_language(), **write_host(), **write_runtime(), **write_options()}


def find_undocumented():
    names = [name for page in LANGUAGE for name in page[3]]
    listed = {f"tt/{path.name}" for path in (FRONTEND / "tt").glob("*.h")} - {"tt/libdevice.h"} - set(names)
    missing = [f"frontend/include/tilecc/{name}: not in LANGUAGE of docs/site/reference.py" for name in sorted(listed)]
    language, undocumented = collect([FRONTEND / name for name in names])
    host, undocumented_host = collect([ROOT / name for page in HOST for name in page[3]])
    for entry in language + host:
        one = entry.declarations[0]
        if not entry.doc.get("") and one.kind != "namespace":
            missing.append(f"{entry.name()}: its documentation says nothing of what it is")
        if entry in language and one.kind == "function" and len(one.scope) == 1 and "Example" not in entry.doc:
            missing.append(f"{entry.name()}: no example")
    return missing + [f"{name}: no documentation" for name in undocumented + undocumented_host]


def main():
    if sys.argv[1:] == ["--check"]:
        missing = find_undocumented()
        print(*missing, sep="\n")
        print(f"{len(missing)} public names lack documentation")
        return bool(missing)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in write_all().items():
        (folder / name).write_text(text)
    return False


if __name__ == "__main__":
    sys.exit(main())
