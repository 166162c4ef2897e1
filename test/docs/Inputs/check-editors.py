"""Checks docs/editors.md: check-editors.py ROOT TCC-LSP TCC FOLDER."""
import json
import pathlib
import re
import subprocess
import sys

root, server, tcc, folder = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
folder.mkdir(parents=True, exist_ok=True)
sys.path.insert(0, str(root / "test" / "lsp" / "Inputs"))
from client import Client, Document  # noqa: E402

page = (root / "docs" / "editors.md").read_text()
blocks = {language: re.findall(rf"^```{language}\n(.*?)^```$", page, re.M | re.S) for language in ("json", "lua", "toml", "lisp")}


def rows_of(title):
    """The first column of the table below a text."""
    table = page[page.index(title):]
    return re.findall(r"^\| `(\w+)` \|", table[:table.index("\n\n", table.index("|---"))], re.M)


# The snippets start a program of this name with settings that exist.
settings = set(rows_of("A client can set the following"))
configuration = json.loads(blocks["json"][0])
assert configuration["glspc.server.command"] == "tcc-lsp"
used = set(configuration["glspc.server.initializationOptions"])
used |= set(re.findall(r"(?:init_options|config) = \{(\w+) =", "".join(blocks["lua"] + blocks["toml"])))
used |= set(re.findall(r":tcc \(:(\w+)", blocks["lisp"][0]))
assert used and used <= settings, f"the snippets set {used}, and there are {settings}"
for language in ("lua", "toml", "lisp"):
    assert '"tcc-lsp"' in blocks[language][0], language
try:
    import tomllib
except ImportError:  # before Python 3.11
    tomllib = None
for text in blocks["toml"] if tomllib else []:
    tomllib.loads(text)

# The server knows each setting.
text = "#include <tilecc/tt.h>\n__tile_global__ void k(float *x) {\n  auto i = tt::arange<SIZE>();\n  tt::store(x + i, 1.0f);\n}\n"
(folder / "compile_commands.json").write_text("[]")
client = Client(server, initializationOptions={"arch": "compute_80", "options": ["-DSIZE=64"], "delay": 0,
                                               "compileCommands": str(folder)})
document = Document(client, folder / "a.tt.cpp", text)
assert document.diagnostics() == [], document.diagnostics()
assert document.hint("auto i") == ": tile<int, 64>"
assert settings == {"arch", "options", "delay", "compileCommands"}, settings
client.shut_down()

# The members of the annotations.
source = folder / "b.tt.cpp"
source.write_text(text)
data = json.loads(subprocess.run([tcc, "--emit=annotations", "-arch=compute_80", "-DSIZE=64", source], check=True,
                                 stdout=subprocess.PIPE).stdout)
table = {name: row for name, row in re.findall(r"^\| `(\w+)` \| (.*) \|$", page[page.index("## The data"):], re.M)}
kernel, variable = data["kernels"][0], data["variables"][0]
variant = kernel["variants"][0]
for name, object in [("variables", variable), ("kernels", kernel), ("variants", variant), ("remarks", variant["remarks"][0])] + \
        ([("costs", variant["costs"])] if "costs" in variant else []):
    for member in object:
        assert f"`{member}`" in table[name] or member in table, f"docs/editors.md does not list {member} of {name}"
