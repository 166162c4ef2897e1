//===- Usages.cpp - describes how to call the language's functions ------------------------------------------------===//
//
// "No matching function for call to 'arange'" does not help a Triton user who writes tt::arange(16). If no overload of
// a function accepts the arguments, Rewording.cpp prints the text in this file instead. Functions without an entry keep
// Clang's message.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Usages.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tilecc {

StringRef findUsage(StringRef function) {
  static const StringMap<StringLiteral> usages = {
      // Creation.
      {"arange", "tt::arange<16>() or tt::arange<Start, End>(): its sizes are template arguments, constants"},
      {"full", "tt::full<float, 64, 32>(value): type and sizes are template arguments, constants"},
      {"zeros", "tt::zeros<float, 64, 32>(): type and sizes are template arguments, constants"},
      {"zeros_like", "tt::zeros_like(x), where x is a tile"},
      {"cast", "tt::cast<float>(x): the type is a template argument"},
      {"bitcast", "tt::bitcast<int>(x): the type is a template argument"},
      {"to", "x.to<float>(): the type is a template argument"},
      {"cdiv", "tt::cdiv(a, b)"},
      {"next_power_of_2", "tt::next_power_of_2(n)"},
      {"program_id", "tt::program_id(axis), with axis 0, 1 or 2"},
      {"num_programs", "tt::num_programs(axis), with axis 0, 1 or 2"},
      // Shapes.
      {"expand_dims", "tt::expand_dims<axis>(x): the axis is a template argument"},
      {"broadcast_to", "tt::broadcast_to<64, 32>(x): the sizes are template arguments"},
      {"reshape", "tt::reshape<8, 4>(x): the sizes are template arguments"},
      {"ravel", "tt::ravel(x), where x is a tile"},
      {"permute", "tt::permute<1, 0>(x): the order is template arguments"},
      {"trans", "tt::trans(x), where x is a tile"},
      {"flip", "tt::flip<axis>(x): the axis is a template argument"},
      {"join", "tt::join(a, b), of two tiles"},
      {"split", "auto [a, b] = tt::split(x), where the last dimension of x is 2"},
      {"interleave", "tt::interleave(a, b), of two tiles"},
      {"cat", "tt::cat<axis>(a, b), of two tiles: the axis is a template argument"},
      {"gather", "tt::gather<axis>(x, indices): the axis is a template argument"},
      {"swizzle2d", "tt::swizzle2d(i, j, rows, columns, group)"},
      {"extract",
       "tt::extract<axis>(x, i), or tt::extract<axis, N>(x, first) of N elements: the axis is a template argument"},
      {"insert", "tt::insert<axis>(x, i, part): the axis is a template argument"},
      {"row", "tt::row(x, i), where x is a matrix"},
      {"column", "tt::column(x, i), where x is a matrix"},
      {"last", "tt::last<axis>(x): the axis is a template argument"},
      // Memory.
      {"load", "tt::load(pointers), tt::load(pointers, mask) or tt::load(pointers, mask, other), with options such as "
               "tt::cache::cg behind"},
      {"store",
       "tt::store(pointers, value) or tt::store(pointers, value, mask), with options such as tt::cache::cg behind"},
      {"atomic_add", "tt::atomic_add(pointers, value) or tt::atomic_add(pointers, value, mask)"},
      {"atomic_max", "tt::atomic_max(pointers, value) or tt::atomic_max(pointers, value, mask)"},
      {"atomic_min", "tt::atomic_min(pointers, value) or tt::atomic_min(pointers, value, mask)"},
      {"atomic_and", "tt::atomic_and(pointers, value) or tt::atomic_and(pointers, value, mask)"},
      {"atomic_or", "tt::atomic_or(pointers, value) or tt::atomic_or(pointers, value, mask)"},
      {"atomic_xor", "tt::atomic_xor(pointers, value) or tt::atomic_xor(pointers, value, mask)"},
      {"atomic_xchg", "tt::atomic_xchg(pointers, value) or tt::atomic_xchg(pointers, value, mask)"},
      {"atomic_cas", "tt::atomic_cas(pointers, compare, value)"},
      {"atomic_load", "tt::atomic_load(pointers) or tt::atomic_load(pointers, mask)"},
      {"atomic_store", "tt::atomic_store(pointers, value) or tt::atomic_store(pointers, value, mask)"},
      {"atomic_poll", "tt::atomic_poll(pointer, value), of one integer"},
      {"grid_barrier", "tt::grid_barrier(counter), where counter is an unsigned * to a 0"},
      {"debug_barrier", "tt::debug_barrier()"},
      {"call", "tt::call<kernel>(arguments): the kernel is a template argument, with template arguments of its own: "
               "tt::call<scale<1024>>(x, n)"},
      {"grid_dependency_wait", "tt::grid_dependency_wait()"},
      {"grid_dependency_launch", "tt::grid_dependency_launch()"},
      {"make_tensor_descriptor",
       "tt::make_tensor_descriptor<64, 32>(pointer, {rows, columns}, {stride, 1}): the sizes of a "
       "block are template arguments, and there are as many sizes and strides"},
      {"make_block_ptr",
       "tt::make_block_ptr<64, 32>(pointer, {rows, columns}, {stride, 1}, {row, column}): the sizes of a "
       "block are template arguments, and there are as many sizes, strides and offsets"},
      {"advance", "tt::advance(block_pointer, {rows, columns})"},
      // Selection and functions.
      {"where", "tt::where(condition, a, b)"},
      {"maximum", "tt::maximum(a, b); tt::max(x) is the largest element of a tile"},
      {"minimum", "tt::minimum(a, b); tt::min(x) is the smallest element of a tile"},
      {"clamp", "tt::clamp(x, low, high)"},
      {"fma", "tt::fma(x, y, z)"},
      {"pow", "tt::pow(x, y)"},
      {"atan2", "tt::atan2(y, x)"},
      {"fdiv", "tt::fdiv(x, y)"},
      {"div_rn", "tt::div_rn(x, y)"},
      {"umulhi", "tt::umulhi(x, y)"},
      {"softmax", "tt::softmax<axis>(x), where x is a tile of floating-point numbers"},
      // Products.
      {"dot", "tt::dot(a, b) or tt::dot(a, b, accumulator), of tiles"},
      {"dot_scaled",
       "tt::dot_scaled<tt::mx::e4m3, tt::mx::e2m1>(a, a_scale, b, b_scale) or the same with an accumulator"},
      // Reductions and scans.
      {"reduce",
       "tt::reduce<axis>(x, [](float a, float b) { return a + b; }), or tt::reduce(x, combine) of all elements"},
      {"mean", "tt::mean<axis>(x), or tt::mean(x) of all elements of a tile, with a mask behind the tile"},
      {"var", "tt::var<axis>(x), or tt::var(x) of all elements of a tile, with a mask behind the tile"},
      {"reduce_and",
       "tt::reduce_and<axis>(x), or tt::reduce_and(x) of all elements of a tile: the axis is a template argument"},
      {"cummax", "tt::cummax<axis>(x), where x is a tile: the axis is a template argument"},
      {"cummin", "tt::cummin<axis>(x), where x is a tile: the axis is a template argument"},
      {"sum", "tt::sum<axis>(x), or tt::sum(x) of all elements of a tile: the axis is a template argument"},
      {"max", "tt::max<axis>(x), or tt::max(x) of all elements of a tile; tt::maximum(a, b) is the larger of two"},
      {"min", "tt::min<axis>(x), or tt::min(x) of all elements of a tile; tt::minimum(a, b) is the smaller of two"},
      {"argmax", "tt::argmax<axis>(x), or tt::argmax(x) of all elements of a tile: the axis is a template argument"},
      {"argmin", "tt::argmin<axis>(x), or tt::argmin(x) of all elements of a tile: the axis is a template argument"},
      {"xor_sum", "tt::xor_sum<axis>(x), or tt::xor_sum(x) of all elements of a tile: the axis is a template argument"},
      {"reduce_or",
       "tt::reduce_or<axis>(x), or tt::reduce_or(x) of all elements of a tile: the axis is a template argument"},
      {"associative_scan", "tt::associative_scan<axis>(x, [](float a, float b) { return a + b; })"},
      {"cumsum", "tt::cumsum<axis>(x), where x is a tile: the axis is a template argument"},
      {"cumprod", "tt::cumprod<axis>(x), where x is a tile: the axis is a template argument"},
      // Order.
      {"sort", "tt::sort<axis>(x), or tt::sort<axis, true>(x) descending: the axis is a template argument"},
      {"argsort", "tt::argsort<axis>(x), or tt::argsort<axis, true>(x) descending: the axis is a template argument"},
      {"sort_by_key",
       "auto [k, v] = tt::sort_by_key<axis>(keys, values), of two tiles: the axis is a template argument"},
      {"topk", "tt::topk<K, axis>(x): the number and the axis are template arguments"},
      {"histogram", "tt::histogram<N>(x) or tt::histogram<N>(x, mask): the number of bins is a template argument"},
      // Random numbers.
      {"philox", "tt::philox(seed, c0, c1, c2, c3)"},
      {"rand", "tt::rand(seed, offsets)"},
      {"randn", "tt::randn(seed, offsets)"},
      {"randint", "tt::randint(seed, offsets)"},
      {"rand4x", "tt::rand4x(seed, offsets)"},
      {"randn4x", "tt::randn4x(seed, offsets)"},
      {"randint4x", "tt::randint4x(seed, offsets)"},
      {"uint_to_uniform_float", "tt::uint_to_uniform_float(bits)"},
      {"pair_uniform_to_normal", "tt::pair_uniform_to_normal(u, v)"},
      // Loops, hints, messages and escapes from the language.
      {"range", "tt::range(hi), tt::range(lo, hi) or tt::range(lo, hi, step)"},
      {"static_range",
       "tt::static_range<4>([&](auto i) { ... }): the bounds are template arguments, the body a lambda"},
      {"multiple_of", "tt::multiple_of<16>(x): the numbers are template arguments, one for each dimension"},
      {"max_contiguous",
       "tt::max_contiguous<16>(x): the numbers are template arguments, one for each dimension of a tile"},
      {"max_constancy",
       "tt::max_constancy<16>(x): the numbers are template arguments, one for each dimension of a tile"},
      {"assume", "tt::assume(condition), where condition is one bool"},
      {"device_print", "tt::device_print(\"text\", x, y)"},
      {"print", "tt::device_print(\"text\", x) in a kernel, and tt::print(x, {rows, columns}) of a tt::buffer"},
      {"compare", "tt::compare(\"name\", values, expected), with tolerances such as {.absolute = 1e-3} behind"},
      {"device_assert", "tt::device_assert(condition, \"text\")"},
      {"static_print", "tt::static_print(\"text\", x, y)"},
      {"map_elementwise", "tt::map_elementwise([](float x) { return x; }, tile): the function comes first"},
      {"inline_asm_elementwise", "tt::inline_asm_elementwise<\"shl.b32 $0, $1, 3;\", \"=r,r\", int>(x): instructions, "
                                 "constraints and result are template arguments"},
  };
  if (auto known = usages.find(function); known != usages.end())
    return known->second;
  // Functions of one operand.
  static const StringMap<StringLiteral> ofOne = {
      {"abs", "tt::abs(x)"},         {"ceil", "tt::ceil(x)"},   {"floor", "tt::floor(x)"},
      {"exp", "tt::exp(x)"},         {"exp2", "tt::exp2(x)"},   {"log", "tt::log(x)"},
      {"log2", "tt::log2(x)"},       {"sin", "tt::sin(x)"},     {"cos", "tt::cos(x)"},
      {"tanh", "tt::tanh(x)"},       {"erf", "tt::erf(x)"},     {"sqrt", "tt::sqrt(x)"},
      {"sqrt_rn", "tt::sqrt_rn(x)"}, {"rsqrt", "tt::rsqrt(x)"}, {"sigmoid", "tt::sigmoid(x)"},
      {"trunc", "tt::trunc(x)"},     {"round", "tt::round(x)"}, {"rint", "tt::rint(x)"},
      {"tan", "tt::tan(x)"},         {"log1p", "tt::log1p(x)"}, {"isnan", "tt::isnan(x)"},
      {"isinf", "tt::isinf(x)"},     {"clz", "tt::clz(x)"},     {"popcount", "tt::popcount(x)"},
  };
  auto known = ofOne.find(function);
  return known == ofOne.end() ? StringRef() : StringRef(known->second);
}

StringRef findReplacement(StringRef name) {
  static const StringSet<> ofThreads = {"once", "all_threads", "with_items", "in_shared"};
  static const StringSet<> ofRanks = {"comm",           "symmetric",   "symmetric_buffer", "each_rank",  "signal",
                                      "signal_add",     "wait",        "put_signal",       "sync_ranks", "multimem_sum",
                                      "multimem_store", "multimem_add"};
  if (ofThreads.contains(name))
    return "calls of SIMT code come with #include <tilecc/threads.h>, in a .cu or with --simt";
  if (ofRanks.contains(name))
    return "memory and signals of several GPUs come with #include <tilecc/communication.h>";
  static const StringMap<StringLiteral> replacements = {
      {"libdevice", "its functions come with #include <tilecc/libdevice.h>"},
      {"constexpr", "constants are template arguments and constexpr variables of C++"},
      {"static_assert", "C++'s static_assert stands for it"},
      {"view", "tt::reshape<M, N>(x) stands for it"},
      {"int1", "the type is bool"},
      {"pointer_type", "the type is a pointer of C++"},
      {"logical_and", "the operator is &&"},
      {"logical_or", "the operator is ||"},
      {"load_tensor_descriptor", "it is a member of the descriptor: desc.load({row, column})"},
      {"store_tensor_descriptor", "it is a member of the descriptor: desc.store({row, column}, value)"},
      {"jit", "a kernel is marked __tile_global__, a function for kernels __tile__"},
      {"matmul", "tt::dot(a, b) stands for it"},
      {"mma", "tt::dot(a, b, accumulator) stands for it"},
      {"concat", "tt::cat<axis>(a, b) stands for it"},
      {"concatenate", "tt::cat<axis>(a, b) stands for it"},
      {"stack", "tt::join(a, b) stands for it"},
      {"transpose", "tt::trans(x) stands for it"},
      {"squeeze", "tt::reshape<N>(x) stands for it"},
      {"unsqueeze", "tt::expand_dims<axis>(x) stands for it"},
      {"slice", "tt::extract<axis, N>(x, first) stands for it"},
      {"any", "tt::reduce_or(condition) stands for it"},
      {"all", "tt::reduce_and(condition) stands for it"},
      {"relu", "tt::maximum(x, 0.0f) stands for it"},
      {"silu", "x * tt::sigmoid(x) stands for it"},
      {"gelu", "0.5f * x * (1 + tt::erf(0.70710678f * x)) stands for it"},
      {"norm", "tt::sqrt(tt::sum<axis>(x * x)) stands for it"},
      {"tril", "tt::where(rows.col() >= columns.row(), x, 0) stands for it"},
      {"triu", "tt::where(rows.col() <= columns.row(), x, 0) stands for it"},
      {"prod", "tt::reduce<axis>(x, [](float a, float b) { return a * b; }) stands for it"},
      {"std", "tt::sqrt(tt::var<axis>(x)) stands for it"},
      {"popc", "tt::popcount(x) stands for it"},
      {"barrier",
       "tt::debug_barrier() waits for the program's threads, tt::grid_barrier(counter) for a cooperative launch"},
      {"cos_", "tt::cos(x)"},
  };
  auto known = replacements.find(name);
  return known == replacements.end() ? StringRef() : StringRef(known->second);
}

StringRef findInsteadOfMember(StringRef member) {
  return StringSwitch<StringRef>(member)
      .Case("T", "tt::trans(x) transposes x")
      .Cases({"shape", "ndim"},
             "its sizes are a part of its type: x.size is the number of elements, x.rank that of dimensions, "
             "and X::shape_type::dims[i] a size of a tile type X")
      .Cases({"dtype", "type"}, "the element type is a part of its type: X::element of a tile type X")
      .Cases({"astype", "cast", "float", "half"}, "x.to<float>() converts its elements")
      .Cases({"expand_dims", "unsqueeze"}, "x.col(), x.row() and x[tt::all, tt::newaxis] add dimensions")
      .Case("view", "tt::reshape<M, N>(x) stands for it")
      .Case("any", "tt::reduce_or(condition) stands for it")
      .Case("all", "tt::reduce_and(condition) stands for it")
      .Default(findUsage(member));
}

StringRef findForKernels(StringRef hostFunction) {
  static const StringMap<StringLiteral> functions = {
      {"printf", "tt::device_print(\"text\", x)"},
      {"puts", "tt::device_print(\"text\")"},
      {"__assert_fail", "tt::device_assert(condition, \"text\")"},
      {"abort", "tt::device_assert(false, \"text\")"},
      {"memcpy", "tt::load and tt::store"},
      {"memset", "tt::store"},
      {"rand", "tt::rand(seed, offsets)"},
      {"malloc", "no heap: an array of a constant number of elements, as float x[4], is a local variable"},
      {"operator new", "no heap: an array of a constant number of elements, as float x[4], is a local variable"},
      {"operator new[]", "no heap: an array of a constant number of elements, as float x[4], is a local variable"},
      {"fabs", "tt::abs(x)"},
      {"fabsf", "tt::abs(x)"},
      {"fmax", "tt::maximum(a, b)"},
      {"fmaxf", "tt::maximum(a, b)"},
      {"fmin", "tt::minimum(a, b)"},
      {"fminf", "tt::minimum(a, b)"},
      {"fetch_add", "tt::atomic_add(pointers, value)"},
      {"exchange", "tt::atomic_xchg(pointers, value)"},
  };
  if (auto known = functions.find(hostFunction); known != functions.end())
    return known->second;
  if (hostFunction.consume_front("__")) // exp of CUDA's __expf
    hostFunction.consume_back("f");
  // The suffixed functions of <math.h>: expf is exp.
  hostFunction.consume_front("std::");
  StringRef usage =
      findUsage(hostFunction.ends_with("f") && !findUsage(hostFunction.drop_back()).empty() ? hostFunction.drop_back()
                                                                                            : hostFunction);
  return usage.contains(':') && !usage.starts_with("tt::") ? StringRef() : usage;
}

} // namespace tilecc
