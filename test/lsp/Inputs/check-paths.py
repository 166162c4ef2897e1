"""Names, columns and options: check-paths.py TCC-LSP FOLDER."""
import json

from client import Document, client_of_arguments, expect, only

client, folder = client_of_arguments(arch="")
folder = folder / "Größe 寸法; [100%] #1"
(folder / "include dir").mkdir(parents=True)
(folder / "include dir" / "sizes.h").write_text("constexpr int size = DEFINED;\n")
source = folder / "ein Kern.tt.cpp"
text = """#include <tilecc/tt.h>
#include "sizes.h"
__tile_global__ void twice(float *x) {
  /* 𝔘𝔫𝔦 é */ auto größe = tt::arange<size>(); /* 𝕏 */ auto j = größe + 1;
  tt::store(x + j, 1.0f);
}
"""


def write_commands(path, **entry):
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps([{"directory": str(folder), "file": str(source), **entry}]))


# Options from the nearest compile_commands.json, in `build` of a parent folder. What it writes is left out. Its command
# runs in its directory.
output = folder / "never.o"
write_commands(folder / "build" / "compile_commands.json",
               command=f'ccache /usr/bin/tcc "-Iinclude dir" -DDEFINED=128 -arch=compute_80 -MD -MF x.d -c -o never.o "{source.name}"')
document = Document(client, source, text)
assert document.diagnostics() == [], document.diagnostics()
assert not output.exists() and not (folder / "x.d").exists()
# Columns count UTF-16 code units, of which 𝔘 has two.
assert document.hint("auto größe") == ": tile<int, 128>"
assert document.hint("auto j") == ": tile<int, 128>"
expect(document.hover("void twice"), "- twice, sm_80: ")
document.replace("größe + 1", "größe + nichts")
error = only(document.diagnostics())
start = document.at("nichts")
assert error["range"] == {"start": start, "end": {**start, "character": start["character"] + 6}}, error
# A change of a range behind such characters.
document.replace("nichts", "𝔘2")
expect(only(document.diagnostics())["message"], "𝔘2")
document.replace("𝔘2", "2")
assert document.diagnostics() == []

# The entry has changed. It has a list of words, and the file's name is relative.
write_commands(folder / "build" / "compile_commands.json", file=source.name,
               arguments=["nvcc-is-not-run", "-Iinclude dir", "-DDEFINED=256", "-gencode", "arch=compute_90,code=compute_90", "-c", source.name])
document.replace("1.0f", "2.0f")
assert document.hint("auto j") == ": tile<int, 256>"
expect(document.hover("void twice"), "- twice, sm_90: ")

# The setting `arch` replaces the project's GPUs, and `options` come last.
client.notify("workspace/didChangeConfiguration", settings={"tcc": {"arch": "compute_80", "options": ["-UDEFINED", "-DDEFINED=64"]}})
assert document.hint("auto j") == ": tile<int, 64>"
expect(document.hover("void twice"), "- twice, sm_80: ")

# A file that cannot be read is reported, and the document is compiled without options.
client.notify("workspace/didChangeConfiguration", settings={"tcc": {"options": ["-DDEFINED=32", "-I" + str(folder / "include dir")]}})
(folder / "build" / "compile_commands.json").write_text("[{")
document.replace("2.0f", "3.0f")
warning = only(document.diagnostics())
assert warning["severity"] == 2
expect(warning["message"], "build/compile_commands.json: ")
assert document.hint("auto j") == ": tile<int, 32>"

# A folder of the client's choice wins, and a missing file is reported.
client.notify("workspace/didChangeConfiguration", settings={"tcc": {"compileCommands": str(folder / "elsewhere")}})
document.replace("3.0f", "4.0f")
expect(only(document.diagnostics())["message"], "elsewhere: No such file")
write_commands(folder / "elsewhere" / "compile_commands.json", command=f"tcc -DDEFINED=512 -c '{source}'")
document.replace("4.0f", "5.0f")
assert document.diagnostics() == [], document.diagnostics()

# A file that was never saved.
fresh = Document(client, folder / "fresh.tt.cpp", text.replace("size>", "8>"))
assert fresh.hint("auto j") == ": tile<int, 8>"
client.shut_down()
