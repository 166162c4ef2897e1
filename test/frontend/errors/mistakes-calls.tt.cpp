// Mistakes in calls, conversions and types: one message each, at its line, that says what to write.
//
// Nothing else is printed.
// RUN: not %raise -ferror-limit=0 -fno-caret-diagnostics %s 2>&1 | FileCheck %s --implicit-check-not="{{[^[:space:]]}}"
#include <tilecc/tt.h>

__tile_global__ void k0(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'arange' does not take these arguments: it is called as tt::arange<16>() or tt::arange<Start, End>(): its sizes are template arguments, constants{{$}}
  auto x = tt::arange(16); tt::store(p, 1.f);
}
__tile_global__ void k1(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'arange' does not take the arguments in <>: it is called as tt::arange<16>() or tt::arange<Start, End>(): its sizes are template arguments, constants{{$}}
  auto x = tt::arange<n>();
}
__tile_global__ void k2(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: the dimensions of a tile are powers of two: dimension 0 is 12{{$}}
  auto x = tt::arange<12>();
}
__tile_global__ void k3(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'zeros' does not take these arguments: it is called as tt::zeros<float, 64, 32>(): type and sizes are template arguments, constants{{$}}
  auto x = tt::zeros<float>(64, 32);
}
__tile_global__ void k4(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'zeros' does not take these arguments: it is called as tt::zeros<float, 64, 32>(): type and sizes are template arguments, constants{{$}}
  auto x = tt::zeros(64);
}
__tile_global__ void k5(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'full' does not take these arguments: it is called as tt::full<float, 64, 32>(value): type and sizes are template arguments, constants{{$}}
  auto x = tt::full<float, 64>();
}
__tile_global__ void k6(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'full' does not take these arguments: it is called as tt::full<float, 64, 32>(value): type and sizes are template arguments, constants{{$}}
  auto x = tt::full(64, 1.f);
}
__tile_global__ void k7(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: this names no single function: template arguments are missing or of the wrong kind, or the name has several overloads{{$}}
  auto x = tt::zeros<float, 64>; tt::store(p + tt::arange<64>(), x);
}
__tile_global__ void k8(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'load' does not take these arguments: it is called as tt::load(pointers), tt::load(pointers, mask) or tt::load(pointers, mask, other), with options such as tt::cache::cg behind{{$}}
  auto x = tt::load(p + tt::arange<64>(), tt::arange<64>() < n, 0.f, 1.f);
}
__tile_global__ void k9(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: memory is accessed through pointers, not through int{{$}}
  auto x = tt::load(n);
}
__tile_global__ void k10(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: a mask is bool, not const char *: it comes before the other value, which needs one{{$}}
  auto x = tt::load(p + tt::arange<64>(), "mask");
}
__tile_global__ void k11(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: 'store' does not take these arguments: it is called as tt::store(pointers, value) or tt::store(pointers, value, mask), with options such as tt::cache::cg behind{{$}}
  tt::store(p + tt::arange<64>());
}
__tile_global__ void k12(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: 'store' does not take these arguments: it is called as tt::store(pointers, value) or tt::store(pointers, value, mask), with options such as tt::cache::cg behind{{$}}
  tt::store(p + tt::arange<64>(), 1.f, true, false);
}
__tile_global__ void k13(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: cannot use float * with tile<float *, 64>: it is not a value of the pointee type, and tt::load(p) reads one{{$}}
  auto x = tt::load(p + tt::arange<64>(), tt::arange<64>() < n, p);
}
__tile_global__ void k14(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: cannot broadcast tile<float, 32> with tile<float, 64>: dimension 0 is 32 and 64{{$}}
  auto x = tt::load(p + tt::arange<64>(), tt::arange<64>() < n, tt::zeros<float,32>());
}
__tile_global__ void k15(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: a mask is bool, not float: it comes before the other value, which needs one{{$}}
  auto x = tt::load(p + tt::arange<64>(), 0.f);
}
__tile_global__ void k16(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'sum' does not take these arguments: it is called as tt::sum<axis>(x), or tt::sum(x) of all elements of a tile: the axis is a template argument{{$}}
  auto s = tt::sum(tt::arange<64>(), 0);
}
__tile_global__ void k17(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: the axis is out of range for tile<int, 64>{{$}}
  auto s = tt::sum<2>(tt::arange<64>());
}
__tile_global__ void k18(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'sum' does not take these arguments: it is called as tt::sum<axis>(x), or tt::sum(x) of all elements of a tile: the axis is a template argument{{$}}
  auto s = tt::sum(n);
}
__tile_global__ void k19(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'max' does not take these arguments: it is called as tt::max<axis>(x), or tt::max(x) of all elements of a tile; tt::maximum(a, b) is the larger of two{{$}}
  auto s = tt::max(n, 3);
}
__tile_global__ void k20(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'maximum' does not take these arguments: it is called as tt::maximum(a, b); tt::max(x) is the largest element of a tile{{$}}
  auto s = tt::maximum(tt::arange<64>());
}
__tile_global__ void k21(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'dot' does not take these arguments: it is called as tt::dot(a, b) or tt::dot(a, b, accumulator), of tiles{{$}}
  auto x = tt::dot(tt::zeros<float,16,16>(), tt::zeros<float,16,16>(), 1.f);
}
__tile_global__ void k22(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: cannot multiply tile<float, 16, 16> by tile<float, 32, 16>: the columns of one are not the rows of the other{{$}}
  auto x = tt::dot(tt::zeros<float,16,16>(), tt::zeros<float,32,16>());
}
__tile_global__ void k23(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: cannot multiply tile<float, 16> by tile<float, 16>: the columns of one are not the rows of the other{{$}}
  auto x = tt::dot(tt::zeros<float,16>(), tt::zeros<float,16>());
}
__tile_global__ void k24(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'dot' does not take these arguments: it is called as tt::dot(a, b) or tt::dot(a, b, accumulator), of tiles{{$}}
  auto x = tt::dot(p, p);
}
__tile_global__ void k25(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:34: error: cannot broadcast tile<float, 16> with tile<float, 32>: dimension 0 is 16 and 32{{$}}
  auto x = tt::zeros<float,16>() + tt::zeros<float,32>();
}
__tile_global__ void k26(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:34: error: cannot offset const char * by tile<float, 16>: offsets are integers{{$}}
  auto x = tt::zeros<float,16>() + "a";
}
__tile_global__ void k27(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:34: error: invalid operands to binary expression ('tile<float, 16>' and 'std::nullptr_t'){{$}}
  auto x = tt::zeros<float,16>() + nullptr;
}
__tile_global__ void k28(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:34: error: no arithmetic between tile<float, 16> and float *{{$}}
  auto x = tt::zeros<float,16>() * p;
}
__tile_global__ void k29(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:33: error: a tile has no elements to be named one by one: tt::gather<axis>(x, indices) picks some, and x(tt::all, tt::newaxis) adds dimensions{{$}}
  auto x = tt::zeros<float,16>()[3]; p[0] = x;
}
__tile_global__ void k30(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:33: error: a tile has no elements to be named one by one: tt::gather<axis>(x, indices) picks some, and x(tt::all, tt::newaxis) adds dimensions{{$}}
  auto x = tt::zeros<float,16>()[tt::all];
}
__tile_global__ void k31(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:33: error: a tile is indexed with tt::all and tt::newaxis{{$}}
  auto x = tt::zeros<float,16>()(3);
}
__tile_global__ void k32(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:33: error: a tile is indexed with tt::all and tt::newaxis{{$}}
  auto x = tt::zeros<float,16>()(tt::all, 0);
}
__tile_global__ void k33(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:33: error: tile<float, 16> is indexed with one tt::all for each of its dimensions{{$}}
  auto x = tt::zeros<float,16>()(tt::newaxis);
}
__tile_global__ void k34(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:7: error: a tile<bool, 16> is not one condition but many: tt::where(condition, a, b) selects by each, and tt::reduce_or(condition) says whether any holds{{$}}
  if (tt::arange<16>() < n) p[0] = 1;
}
__tile_global__ void k35(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:10: error: a tile<bool, 16> is not one condition but many: tt::where(condition, a, b) selects by each, and tt::reduce_or(condition) says whether any holds{{$}}
  while (tt::arange<16>() < n) p[0] = 1;
}
__tile_global__ void k36(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: a tile<bool, 16> is not one condition but many: tt::where(condition, a, b) selects by each, and tt::reduce_or(condition) says whether any holds{{$}}
  auto x = tt::arange<16>() < n ? 1 : 2;
}
__tile_global__ void k37(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:8: error: a tile<bool, 16> is not one condition but many: tt::where(condition, a, b) selects by each, and tt::reduce_or(condition) says whether any holds{{$}}
  bool b = tt::arange<16>() < n; p[0] = b;
}
__tile_global__ void k38(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:9: error: a tile<int, 16> is not one float: a reduction such as tt::sum(x) or tt::max(x) makes one of all its elements{{$}}
  float f = tt::arange<16>();
}
__tile_global__ void k39(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:7: error: a tile<float, 16> is not one int: a reduction such as tt::sum(x) or tt::max(x) makes one of all its elements{{$}}
  int i = tt::sum<0>(tt::zeros<float,16,16>());
}
__tile_global__ void k40(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:23: error: cannot make a tile<float, 16> of a tile<int, 16>: .to<float>() converts the elements{{$}}
  tt::tile<float, 16> x = tt::arange<16>();
}
__tile_global__ void k41(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:23: error: cannot make a tile<float, 16> of a tile<float, 32>: a variable keeps its type, and tiles of other sizes have other types{{$}}
  tt::tile<float, 16> x = tt::zeros<float,32>();
}
__tile_global__ void k42(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:21: error: cannot make a tile<int, 16> of one float: tt::full<int, 16>(value) has it in all elements{{$}}
  tt::tile<int, 16> x = 1.f;
}
__tile_global__ void k43(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:37: error: cannot make a tile<float, 16> of a tile<int, 16>: .to<float>() converts the elements{{$}}
  auto x = tt::zeros<float,16>(); x = tt::zeros<int,16>();
}
__tile_global__ void k44(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:37: error: cannot make a tile<int, 16> of one float: tt::full<int, 16>(value) has it in all elements{{$}}
  auto x = tt::zeros<int,16>();   x = 0.f;
}
__tile_global__ void k45(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:35: error: cannot assign to tile<int, 16> the result, a tile<float, 16>: a variable keeps its type; convert one with .to<T>(){{$}}
  auto x = tt::zeros<int,16>(); x += 1.5f;
}
__tile_global__ void k46(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:37: error: cannot assign to tile<float, 16> the result, a tile<float, 16, 16>{{$}}
  auto x = tt::zeros<float,16>(); x += tt::zeros<float,16,16>();
}
__tile_global__ void k47(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'where' does not take these arguments: it is called as tt::where(condition, a, b){{$}}
  auto x = tt::where(tt::arange<16>() < n, 1.f);
}
__tile_global__ void k48(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: tt::exp takes floating-point numbers, not int{{$}}
  auto x = tt::exp(n); p[0] = x;
}
__tile_global__ void k49(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: tt::exp takes floating-point numbers, not tile<int, 16>{{$}}
  auto x = tt::exp(tt::arange<16>());
}
__tile_global__ void k50(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: tt::exp takes floating-point numbers, not const char *{{$}}
  auto x = tt::exp("a");
}
__tile_global__ void k51(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'exp' does not take these arguments: it is called as tt::exp(x){{$}}
  auto x = tt::exp();
}
__tile_global__ void k52(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'reshape' does not take these arguments: it is called as tt::reshape<8, 4>(x): the sizes are template arguments{{$}}
  auto x = tt::reshape(tt::zeros<float,16>(), 4, 4);
}
__tile_global__ void k53(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: cannot reshape tile<float, 16> to tile<float, 4, 8>: 16 and 32 elements{{$}}
  auto x = tt::reshape<4,8>(tt::zeros<float,16>());
}
__tile_global__ void k54(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: permute names each dimension of tile<float, 16, 16> once{{$}}
  auto x = tt::permute<0,0>(tt::zeros<float,16,16>());
}
__tile_global__ void k55(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: cannot transpose tile<float, 16>: it has no two dimensions{{$}}
  auto x = tt::trans(tt::zeros<float,16>());
}
__tile_global__ void k56(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'trans' does not take these arguments: it is called as tt::trans(x), where x is a tile{{$}}
  auto x = tt::trans(n);
}
__tile_global__ void k57(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'expand_dims' does not take these arguments: it is called as tt::expand_dims<axis>(x): the axis is a template argument{{$}}
  auto x = tt::expand_dims(tt::arange<16>(), 0);
}
__tile_global__ void k58(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'broadcast_to' does not take these arguments: it is called as tt::broadcast_to<64, 32>(x): the sizes are template arguments{{$}}
  auto x = tt::broadcast_to(tt::arange<16>(), 16, 16);
}
__tile_global__ void k59(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: cannot split tile<float, 16>: its last dimension is not 2{{$}}
  auto x = tt::split(tt::zeros<float,16>());
}
__tile_global__ void k60(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'gather' does not take these arguments: it is called as tt::gather<axis>(x, indices): the axis is a template argument{{$}}
  auto x = tt::gather(tt::zeros<float,16>(), tt::arange<16>());
}
__tile_global__ void k61(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: gather takes integers as indices, not tile<float, 16>{{$}}
  auto x = tt::gather<0>(tt::zeros<float,16>(), tt::zeros<float,16>());
}
__tile_global__ void k62(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'sort' does not take these arguments: it is called as tt::sort<axis>(x), or tt::sort<axis, true>(x) descending: the axis is a template argument{{$}}
  auto x = tt::sort(tt::zeros<float,16>(), 0);
}
__tile_global__ void k63(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'topk' does not take these arguments: it is called as tt::topk<K, axis>(x): the number and the axis are template arguments{{$}}
  auto x = tt::topk(tt::zeros<float,16>(), 4);
}
__tile_global__ void k64(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: topk of tile<float, 16> along axis 0 takes a power of two, at most 16, not 32{{$}}
  auto x = tt::topk<32>(tt::zeros<float,16>());
}
__tile_global__ void k65(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'histogram' does not take these arguments: it is called as tt::histogram<N>(x) or tt::histogram<N>(x, mask): the number of bins is a template argument{{$}}
  auto x = tt::histogram(tt::arange<16>(), 4);
}
__tile_global__ void k66(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: histogram counts integers, not tile<float, 16>{{$}}
  auto x = tt::histogram<4>(tt::zeros<float,16>());
}
__tile_global__ void k67(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: a combine function takes one element of each tile, and another one of each{{$}}
  auto x = tt::reduce<0>(tt::zeros<float,16>(), [](float a) { return a; });
}
__tile_global__ void k68(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: a combine function cannot capture{{$}}
  auto x = tt::reduce<0>(tt::zeros<float,16>(), 3);
}
__tile_global__ void k69(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'reduce' does not take these arguments: it is called as tt::reduce<axis>(x, [](float a, float b) { return a + b; }), or tt::reduce(x, combine) of all elements{{$}}
  auto x = tt::reduce<0>(tt::zeros<float,16>());
}
__tile_global__ void k70(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'cumsum' does not take these arguments: it is called as tt::cumsum<axis>(x), where x is a tile: the axis is a template argument{{$}}
  auto x = tt::cumsum(tt::zeros<float,16>(), 0);
}
__tile_global__ void k71(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: the axis is out of range for tile<float, 16>{{$}}
  auto x = tt::cumsum<1>(tt::zeros<float,16>());
}
__tile_global__ void k72(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'cumsum' does not take these arguments: it is called as tt::cumsum<axis>(x), where x is a tile: the axis is a template argument{{$}}
  auto x = tt::cumsum(p[0]);
}
__tile_global__ void k73(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: 'atomic_add' does not take these arguments: it is called as tt::atomic_add(pointers, value) or tt::atomic_add(pointers, value, mask){{$}}
  tt::atomic_add(p, 1.f, 2.f, 3.f);
}
__tile_global__ void k74(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:7: error: cannot broadcast tile<float, 32> with tile<float, 16>: dimension 0 is 32 and 16{{$}}
  tt::atomic_add(p + tt::arange<16>(), tt::zeros<float,32>());
}
__tile_global__ void k75(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: 'atomic_cas' does not take these arguments: it is called as tt::atomic_cas(pointers, compare, value){{$}}
  tt::atomic_cas(p, 1.f);
}
__tile_global__ void k76(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:7: error: there is no such atomic operation on what float * points to{{$}}
  tt::atomic_and(p, 1);
}
__tile_global__ void k77(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'program_id' does not take these arguments: it is called as tt::program_id(axis), with axis 0, 1 or 2{{$}}
  auto x = tt::program_id();
}
__tile_global__ void k78(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:28: error: a grid has the axes 0, 1 and 2{{$}}
  auto x = tt::program_id(3); p[0] = x;
}
__tile_global__ void k79(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'num_programs' does not take these arguments: it is called as tt::num_programs(axis), with axis 0, 1 or 2{{$}}
  auto x = tt::num_programs();
}
__tile_global__ void k80(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:20: error: tt::range counts integers, not float{{$}}
  for (int i : tt::range(0.5f)) p[i] = 1;
}
__tile_global__ void k81(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: 'range' does not take these arguments: it is called as tt::range(hi), tt::range(lo, hi) or tt::range(lo, hi, step){{$}}
  for (int i : tt::range()) p[i] = 1;
}
__tile_global__ void k82(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: 'static_range' does not take these arguments: it is called as tt::static_range<4>([&](auto i) { ... }): the bounds are template arguments, the body a lambda{{$}}
  for (int i : tt::static_range<4>()) p[i] = 1;
}
__tile_global__ void k83(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:27: error: the offsets of random numbers are a tile of integers, not int{{$}}
  auto [a, b, c, d] = tt::randint4x(1, n); p[0] = a;
}
__tile_global__ void k84(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'rand' does not take these arguments: it is called as tt::rand(seed, offsets){{$}}
  auto x = tt::rand(tt::arange<16>());
}
__tile_global__ void k85(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: the seed of random numbers is an integer, not const char *{{$}}
  auto x = tt::randn("a", tt::arange<16>());
}
__tile_global__ void k86(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'cdiv' does not take these arguments: it is called as tt::cdiv(a, b){{$}}
  auto x = tt::cdiv(n);
}
__tile_global__ void k87(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'cast' does not take these arguments: it is called as tt::cast<float>(x): the type is a template argument{{$}}
  auto x = tt::cast(tt::arange<16>());
}
__tile_global__ void k88(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:29: error: 'to' does not take these arguments: it is called as x.to<float>(): the type is a template argument{{$}}
  auto x = tt::arange<16>().to(0.f);
}
__tile_global__ void k89(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: cannot take the bits of tile<int, 16> as short: they are no numbers of one width{{$}}
  auto x = tt::bitcast<short>(tt::arange<16>());
}
__tile_global__ void k90(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: 'device_print' does not take these arguments: it is called as tt::device_print("text", x, y){{$}}
  tt::device_print(n);
}
__tile_global__ void k91(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: 'device_assert' does not take these arguments: it is called as tt::device_assert(condition, "text"){{$}}
  tt::device_assert();
}
__tile_global__ void k92(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: throw is not available in a tile kernel; kernels have tt::device_assert(condition, "text"){{$}}
  throw 1;
}
__tile_global__ void k93(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: try is not available in a tile kernel; kernels have tt::device_assert(condition, "text"){{$}}
  try { p[0] = 1; } catch (...) {}
}
__tile_global__ void k94(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'threadIdx' is SIMT code, which needs --simt; a tile kernel has no threads: tt::arange<N>() are the positions in a tile{{$}}
  auto x = threadIdx.x; p[0] = x;
}
__tile_global__ void k95(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:7: error: the numbers of a hint are powers of two{{$}}
  tt::multiple_of<3>(n);
}
__tile_global__ void k96(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:7: error: a hint for tile<int, 16, 16> needs one number per dimension{{$}}
  tt::multiple_of<16>(tt::zeros<int,16,16>());
}
__tile_global__ void k97(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: 'multiple_of' does not take these arguments: it is called as tt::multiple_of<16>(x): the numbers are template arguments, one for each dimension{{$}}
  tt::multiple_of(n, 16);
}
__tile_global__ void k98(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: 'max_contiguous' does not take these arguments: it is called as tt::max_contiguous<16>(x): the numbers are template arguments, one for each dimension of a tile{{$}}
  tt::max_contiguous(tt::arange<16>(), 16);
}
__tile_global__ void k99(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:14: error: a tile<bool, 16> is not one condition but many: tt::where(condition, a, b) selects by each, and tt::reduce_or(condition) says whether any holds{{$}}
  tt::assume(tt::arange<16>() < n);
}
__tile_global__ void k100(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'clamp' does not take these arguments: it is called as tt::clamp(x, low, high){{$}}
  auto x = tt::clamp(tt::zeros<float,16>(), 0.f);
}
__tile_global__ void k101(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'fma' does not take these arguments: it is called as tt::fma(x, y, z){{$}}
  auto x = tt::fma(tt::zeros<float,16>(), 1.f);
}
__tile_global__ void k102(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'softmax' does not take these arguments: it is called as tt::softmax<axis>(x), where x is a tile of floating-point numbers{{$}}
  auto x = tt::softmax(n);
}
__tile_global__ void k103(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'dot_scaled' does not take these arguments: it is called as tt::dot_scaled<tt::mx::e4m3, tt::mx::e2m1>(a, a_scale, b, b_scale) or the same with an accumulator{{$}}
  auto x = tt::dot_scaled(p, n);
}
__tile_global__ void k104(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: no member named 'foo' in namespace 'tt'{{$}}
  auto x = tt::foo(n);
}
__tile_global__ void k105(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: no member named 'program_ids' in namespace 'tt'; did you mean 'program_id'?{{$}}
  auto x = tt::program_ids(0);
}
__tile_global__ void k106(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: no member named 'float32x' in namespace 'tt'; did you mean 'float32'?{{$}}
  auto x = tt::float32x(0);
}
__tile_global__ void k107(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:21: error: 'debug_barrier' does not take these arguments: it is called as tt::debug_barrier(){{$}}
  tt::debug_barrier(1);
}
__tile_global__ void k108(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: 'swizzle2d' does not take these arguments: it is called as tt::swizzle2d(i, j, rows, columns, group){{$}}
  tt::swizzle2d(1,2);
}
__tile_global__ void k109(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'flip' does not take these arguments: it is called as tt::flip<axis>(x): the axis is a template argument{{$}}
  auto x = tt::flip(tt::zeros<float,16>(), 0);
}
__tile_global__ void k110(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: 'inline_asm_elementwise' does not take these arguments: it is called as tt::inline_asm_elementwise<"shl.b32 $0, $1, 3;", "=r,r", int>(x): instructions, constraints and result are template arguments{{$}}
  auto x = tt::inline_asm_elementwise("add", tt::arange<16>());
}
__tile_global__ void k111(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:16: error: the function of map_elementwise cannot capture{{$}}
  auto x = tt::map_elementwise(tt::arange<16>(), [](int a) { return a; });
}
__tile_global__ void k112(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: taking the address of a temporary object of type 'tile<float, 16>' [-Werror,-Waddress-of-temporary]{{$}}
  auto x = &tt::zeros<float,16>();
}
__tile_global__ void k113(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:31: error: an array is indexed by one number: tt::load(p + i) and tt::store(p + i, value) take a tile of them{{$}}
  auto x = tt::arange<16>(); p[x] = 1.f;
}
__tile_global__ void k114(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:5: error: cannot offset float * by tile<float, 16>: offsets are integers{{$}}
  p + tt::zeros<float,16>();
}
__tile_global__ void k115(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: a tile of pointers is read by tt::load(p) and written by tt::store(p, value){{$}}
  auto x = *(p + tt::arange<16>());
}
__tile_global__ void k116(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:3: error: a tile of pointers is read by tt::load(p) and written by tt::store(p, value){{$}}
  *(p + tt::arange<16>()) = 1.f;
}
__tile_global__ void k117(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: a tile has at most 2^20 elements{{$}}
  auto x = tt::zeros<float, 2048, 2048>();
}
__tile_global__ void k118(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: the elements of a tile are numbers or pointers to numbers{{$}}
  auto x = tt::zeros<long double, 16>();
}
__tile_global__ void k119(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: the dimensions of a tile are powers of two: dimension 0 is -16{{$}}
  auto x = tt::zeros<int, -16>();
}
__tile_global__ void k120(float *p, int n) {
  // CHECK-DAG: {{^[^ ]*/}}mistakes-calls.tt.cpp:[[#@LINE+1]]:12: error: the dimensions of a tile are powers of two: dimension 0 is 0{{$}}
  auto x = tt::zeros<int, 0>();
}
