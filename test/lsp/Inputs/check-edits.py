"""Errors, edits and several documents: check-edits.py TCC-LSP FOLDER."""
from client import Document, client_of_arguments, expect, only

client, folder = client_of_arguments()
good = """#include <tilecc/tt.h>
__tile_global__ void twice(float *x) {
  auto i = tt::arange<128>();
  tt::store(x + i, tt::load(x + i) * 2.0f);
}
"""

# An error at its place, with its notes, and no hints.
first = Document(client, folder / "first.tt.cpp", good.replace("x + i)", "y + i)"))
error = only(first.diagnostics())
expect(error["message"], "use of undeclared identifier 'y'")
assert error["severity"] == 1 and error["source"] == "tcc"
place = first.at("y + i")
assert error["range"] == {"start": place, "end": {**place, "character": place["character"] + 1}}, error
assert first.hints() == []

# It is mended by a change of a range.
first.replace("y + i", "x + i")
assert first.diagnostics() == []
assert first.hint("auto i") == ": tile<int, 128>"

# Results move with their lines: hints of the new version come as soon as it has been compiled, and no others.
first.replace("__tile_global__", "// a line\n// another line\n__tile_global__")
assert first.hint("auto i") == ": tile<int, 128>"

# A request for a version that is replaced fails, and the client asks again.
first.replace("128", "32")
request = first.start_hints()
first.replace("32", "64")
while request not in client.answers:
    client.step()
answer = client.answers.pop(request)
assert answer["error"]["code"] == -32801, answer  # ContentModified
assert first.hint("auto i") == ": tile<int, 64>"

# Many changes in a row: only the last one counts.
for size in (16, 32, 128, 256):
    first.replace(first.text[first.text.index("arange<"):first.text.index(">();")], f"arange<{size}")
assert first.hint("auto i") == ": tile<int, 256>"

# Another document has results of its own, while the first one is compiled again.
first.replace("2.0f", "undefined")
second = Document(client, folder / "second.tt.cpp", good.replace("128", "512"))
assert second.hint("auto i") == ": tile<int, 512>"
assert second.diagnostics() == []
expect(only(first.diagnostics())["message"], "undeclared identifier 'undefined'")
first.close()
first.version = 0
while client.diagnostics[first.uri][1]:
    client.step()  # a closed document has none

# Warnings of tcc, with their names.
second.change(good.replace("auto i", "tt::tile<int, 64> u;\n  auto v = u + 1;\n  tt::store(x + v, 1.0f);\n  auto i"))
warning = only(second.diagnostics())
assert warning["severity"] == 2
expect(warning["message"], "a tile is used here that has no value yet", "[-Wtile-uninitialized]")
assert warning["range"]["start"] == second.at("x + v", 2), warning

# An error in a header is shown where the document includes it.
header = folder / "header.h"
header.write_text("#pragma once\n\nint f() { return nothing; }\n")
second.change('#include "header.h"\n' + good)
error = only(second.diagnostics())
expect(error["message"], "use of undeclared identifier 'nothing'", "header.h:3")
assert error["range"]["start"] == {"line": 0, "character": 0}
related = only(error["relatedInformation"])
assert related["location"]["uri"] == header.as_uri() and related["location"]["range"]["start"]["line"] == 2
# When the header is saved, the document is compiled again.
header.write_text("#pragma once\n")
client.notify("textDocument/didSave", textDocument={"uri": header.as_uri()})
while second.diagnostics():
    client.step()
assert second.hint("auto i") == ": tile<int, 128>"

# Sources without kernels are clangd's.
other = Document(client, folder / "other.cpp", "int main() { return nothing; }\n")
assert other.hints() == [] and other.hover("main") is None
assert other.uri not in client.diagnostics

# CUDA's sources with tile kernels.
cuda = Document(client, folder / "mixed.cu", good.replace("#include", "#include <cuda_runtime.h>\n#include")
                + "__global__ void thread(float *x) { x[threadIdx.x] = 1; }\n")
assert cuda.diagnostics() == [], cuda.diagnostics()
assert cuda.hint("auto i") == ": tile<int, 128>"
# There may be no tile kernels, or only templates that nothing instantiates.
for name, text in [("simt.cu", "__global__ void thread(float *x) { x[threadIdx.x] = 1; }\n"), ("empty.tt.cpp", ""),
                   ("template.tt.cpp", good.replace("__tile_global__", "template <int N> __tile_global__"))]:
    document = Document(client, folder / name, text)
    assert document.diagnostics() == [] and document.hints() == [], (name, document.diagnostics(), document.hints())
client.shut_down()
