"""Hints and explanations for kernels: check-kernels.py TCC-LSP FOLDER."""
from client import Document, client_of_arguments, expect

client, folder = client_of_arguments({"workspace": {"inlayHint": {"refreshSupport": True}}}, arch="sm_90a")
for capability in ("hoverProvider", "inlayHintProvider"):
    assert client.capabilities[capability] is True
assert client.capabilities["positionEncoding"] == "utf-16"

document = Document(client, folder / "matmul.tt.cpp", """#include <tilecc/tt.h>

template <int N> __tile_global__ void copy(const float *x, float *out, int stride) {
  auto i = tt::arange<N>();
  tt::tile<float, N> value = tt::load(x + i * stride);
  tt::store(out + i, value);
}

__tile__ auto twice(auto tile) {
  const auto &both = tile + tile;
  return both;
}

__tile_global__ void product(const tt::float16 *a, const tt::float16 *b, float *c, int k) {
  auto i = tt::arange<64>();
  auto sum = tt::zeros<float, 64, 64>();
  for (int step = 0; step < k; step += 64) {
    auto left = tt::load(a + i(tt::all, tt::newaxis) * k + i(tt::newaxis, tt::all) + step);
    auto right = tt::load(b + i(tt::all, tt::newaxis) * 64 + i(tt::newaxis, tt::all) + step * 64);
    sum = tt::dot(left, right, sum);
  }
  auto [first, second] = tt::split(tt::reshape<64, 32, 2>(sum));
  tt::store(c + i(tt::all, tt::newaxis) * 64 + i(tt::newaxis, tt::all), twice(sum) + tt::sum<1>(first + second)(tt::all, tt::newaxis));
}

__tile_global__ void total(const float *x, float *out, int n) {
  float sum = 0;
  for (int step = 0; step < n; ++step)
    sum += tt::sum(tt::load(x + step * 128 + tt::arange<128>()));
  tt::store(out, sum);
}

void launch(float *x, tt::float16 *a) {
  copy<512><<<1>>>(x, x, 1);
  copy<1024><<<1>>>(x, x, 1);
  product<<<1>>>(a, a, x, 64);
  total<<<1>>>(x, x, 64);
}
""")
assert document.diagnostics() == [], document.diagnostics()

# Types of variables that the source leaves to the compiler. In a template there are several.
for text, label in [("auto i", ": tile<int, 1024> or tile<int, 512>"), ("auto left", ": tile<float16, 64, 64>"),
                    ("auto sum", ": tile<float, 64, 64>"), ("auto &both", ": tile<float, 64, 64>"),
                    ("auto tile", ": tile<float, 64, 64>"), ("auto [first", ": tile<float, 64, 32>"),
                    ("first, second", ": tile<float, 64, 32>")]:
    assert document.hint(text) == label, (text, document.hint(text))
# This type is in the source, and only explained.
end = document.at("value = ", len("value"))
assert end not in [hint["position"] for hint in document.hints()]
expect(document.hover("value = "), "`value`: `tile<float, 1024>` or `tile<float, 512>`")

# Only hints in the requested lines.
line = document.at("auto left")["line"]
assert [hint["label"] for hint in document.hints(line, line + 1)] == [": tile<float16, 64, 64>"]

# What kernels cost, at the ends of the lines with their names.
costs = document.hint("float *c, int k) {")
expect(costs, "sm_90a: ", "registers, no spills, ", "bytes of shared memory, occupancy ")
expect(document.hover("void product"), "- product, sm_90a: ", " (if pointers are multiples of 16 bytes")
expect(document.hint("float *out, int stride) {"), "sm_90a: ")

# How memory is accessed, and why. The reason is the variant's.
load = document.hover("tt::load(x + i * stride)")
expect(load, "each thread reads 4 bytes per instruction, because neighbouring elements are not known to be adjacent in memory",
       "copy<512>", "copy<1024>", "if ")
expect(document.hover("tt::store(out + i, value)", 4), "each thread writes 16 bytes per instruction (4 elements), "
       "the most that one instruction can access")
expect(document.hover("tt::load(b", 5), "the tensor memory accelerator loads 8192 bytes at once; one thread starts it")

# How the dot is computed, and in what pipeline.
expect(document.hover("tt::dot(left", 4), "wgmma.m64n64k16 computes the dot (f16 times f16, added in f32)")
expect(document.hover("for (int step = 0; step < k"), "this loop is pipelined in 3 stages: loads start up to 2 iterations ahead")
expect(document.hover("for (int step = 0; step < n"), "this loop is not pipelined: it has no dot")
# The number of warps, as -Rtile=warps reports it.
expect(document.hover("product(const"), "4 warps run a program of product: ", "- product, sm_90a: ")

# A name without facts, in a line without any.
assert document.hover("float sum = 0") is None
# Other architectures.
client.notify("workspace/didChangeConfiguration", settings={"tcc": {"arch": "sm_80"}})
expect(document.hover("tt::dot(left", 4), "mma.sync.m16n8k16 computes the dot")
expect(document.hint("float *c, int k) {"), "sm_80: ")
# The client is told to ask again, because the text has not changed.
while not client.requests:
    client.step()
assert client.requests == ["workspace/inlayHint/refresh"]
client.shut_down()
