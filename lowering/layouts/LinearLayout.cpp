//===- LinearLayout.cpp - linear maps over F2 between locations and coordinates -----------------------------------===//
//
// Every encoding is represented by such a map. This file implements composition, inversion and products of maps, and
// the renaming and resizing of dimensions.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/layouts/LinearLayout.h"
#include "lowering/layouts/Span.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilecc {
namespace {

uint64_t maskOf(unsigned bits) { return maskTrailingOnes<uint64_t>(bits); }

} // namespace

std::string toString(Dim dim) {
  switch (dim) {
  case Dim::Register: return "register";
  case Dim::Lane: return "lane";
  case Dim::Warp: return "warp";
  case Dim::Block: return "block";
  case Dim::Offset: return "offset";
  case Dim::Row: return "row";
  case Dim::Column: return "column";
  default: return "dim" + std::to_string(unsigned(dim) - unsigned(Dim::Axis0));
  }
}

LinearLayout::LinearLayout(Extents ins, Extents outs, ArrayRef<uint64_t> columns)
    : ins(std::move(ins)), outs(std::move(outs)), columns(columns.begin(), columns.end()) {
  assert(getTotalOutBits() <= 64 && "a layout's output has to fit in 64 bits");
}

LinearLayout LinearLayout::identity(unsigned bits, Dim in, Dim out) {
  SmallVector<uint64_t> columns;
  for (unsigned i = 0; i < bits; ++i)
    columns.push_back(uint64_t(1) << i);
  return {{{in, bits}}, {{out, bits}}, columns};
}

LinearLayout LinearLayout::zeros(unsigned bits, Dim in, Dim out) {
  return {{{in, bits}}, {{out, 0}}, SmallVector<uint64_t>(bits, 0)};
}

SmallVector<Dim, 4> LinearLayout::getInDims() const {
  return map_to_vector<4>(ins, [](Extent e) { return e.dim; });
}

unsigned LinearLayout::bitsOf(ArrayRef<Extent> extents, Dim dim) {
  for (Extent e : extents)
    if (e.dim == dim)
      return e.bits;
  return 0;
}

unsigned LinearLayout::shiftOf(ArrayRef<Extent> extents, Dim dim) {
  unsigned shift = 0;
  for (Extent e : extents) {
    if (e.dim == dim)
      break;
    shift += e.bits;
  }
  return shift;
}

unsigned LinearLayout::getTotalOutBits() const {
  unsigned bits = 0;
  for (Extent e : outs)
    bits += e.bits;
  return bits;
}

uint32_t LinearLayout::getBasis(Dim in, unsigned bit, Dim out) const {
  assert(bit < getInBits(in));
  return columns[shiftOf(ins, in) + bit] >> shiftOf(outs, out) & maskOf(getOutBits(out));
}

ArrayRef<uint64_t> LinearLayout::getColumns(Dim in) const {
  return ArrayRef(columns).slice(getInBits(in) ? shiftOf(ins, in) : 0, getInBits(in));
}

uint64_t LinearLayout::apply(uint64_t packed) const {
  uint64_t result = 0;
  for (auto [i, column] : enumerate(columns))
    if (packed >> i & 1)
      result ^= column;
  return result;
}

LinearLayout::Index LinearLayout::apply(const Index &index) const {
  uint64_t packed = 0;
  for (auto [dim, value] : index) {
    assert(value >> getInBits(dim) == 0 && "index out of range");
    packed |= uint64_t(value) << shiftOf(ins, dim);
  }
  uint64_t result = apply(packed);
  Index unpacked;
  for (Extent e : outs) {
    unpacked.push_back({e.dim, uint32_t(result & maskOf(e.bits))});
    result >>= e.bits;
  }
  return unpacked;
}

LinearLayout LinearLayout::operator*(const LinearLayout &outer) const {
  auto concatenate = [](ArrayRef<Extent> low, ArrayRef<Extent> high) {
    Extents all(low.begin(), low.end());
    for (Extent e : high) {
      auto *it = find_if(all, [&](Extent known) { return known.dim == e.dim; });
      it == all.end() ? (void)all.push_back(e) : (void)(it->bits += e.bits);
    }
    return all;
  };
  Extents newIns = concatenate(ins, outer.ins), newOuts = concatenate(outs, outer.outs);
  SmallVector<uint64_t> newColumns;
  auto append = [&](const LinearLayout &factor, Dim in, bool high) {
    for (uint64_t column : factor.getColumns(in)) {
      uint64_t moved = 0;
      for (Extent e : factor.outs) {
        uint64_t part = column >> shiftOf(factor.outs, e.dim) & maskOf(e.bits);
        moved |= part << (shiftOf(newOuts, e.dim) + (high ? getOutBits(e.dim) : 0));
      }
      newColumns.push_back(moved);
    }
  };
  for (Extent e : newIns) {
    append(*this, e.dim, false);
    append(outer, e.dim, true);
  }
  return {newIns, newOuts, newColumns};
}

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  SmallVector<Dim> order;
  for (Extent e : outer.ins)
    order.push_back(e.dim);
  LinearLayout inner = transposeOuts(order);
  assert(inner.outs == outer.ins && "composing layouts that do not meet");
  SmallVector<uint64_t> newColumns;
  for (uint64_t column : inner.columns)
    newColumns.push_back(outer.apply(column));
  return {ins, outer.outs, newColumns};
}

LinearLayout LinearLayout::sublayout(ArrayRef<Dim> inDims, ArrayRef<Dim> outDims) const {
  Extents newIns, newOuts;
  for (Dim dim : inDims)
    newIns.push_back({dim, getInBits(dim)});
  for (Dim dim : outDims)
    newOuts.push_back({dim, getOutBits(dim)});
  SmallVector<uint64_t> newColumns;
  for (Dim in : inDims)
    for (unsigned bit = 0; bit < getInBits(in); ++bit) {
      uint64_t column = 0;
      for (Dim out : outDims)
        column |= uint64_t(getBasis(in, bit, out)) << shiftOf(newOuts, out);
      newColumns.push_back(column);
    }
  return {newIns, newOuts, newColumns};
}

LinearLayout LinearLayout::transposeOuts(ArrayRef<Dim> order) const {
  assert(order.size() == outs.size() && "a transposition names every dimension");
  return sublayout(order);
}

LinearLayout LinearLayout::extendOuts(ArrayRef<Extent> newOuts) const {
  SmallVector<uint64_t> newColumns;
  for (Extent in : ins)
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      uint64_t column = 0;
      for (Extent out : newOuts) {
        assert(out.bits >= getOutBits(out.dim) && "outputs grow");
        column |= uint64_t(getBasis(in.dim, bit, out.dim)) << shiftOf(newOuts, out.dim);
      }
      newColumns.push_back(column);
    }
  return {ins, Extents(newOuts), newColumns};
}

LinearLayout LinearLayout::reshapeOuts(Extents newOuts) const {
  LinearLayout result(ins, std::move(newOuts), columns);
  assert(result.getTotalOutBits() == getTotalOutBits() && "a reshape keeps the number of elements");
  return result;
}

LinearLayout LinearLayout::removeZeroBases(Dim in) const {
  Extents newIns;
  SmallVector<uint64_t> newColumns;
  for (Extent e : ins) {
    unsigned before = newColumns.size();
    for (uint64_t column : getColumns(e.dim))
      if (e.dim != in || column)
        newColumns.push_back(column);
    newIns.push_back({e.dim, unsigned(newColumns.size() - before)});
  }
  return {newIns, outs, newColumns};
}

unsigned LinearLayout::rank() const {
  Span span;
  for (auto [i, column] : enumerate(columns))
    span.insert(column, i);
  return span.size();
}

bool LinearLayout::isZero(Dim in) const {
  return all_of(getColumns(in), [](uint64_t column) { return column == 0; });
}

LinearLayout LinearLayout::invert() const {
  assert(isInvertible());
  return pseudoInvert();
}

LinearLayout LinearLayout::pseudoInvert() const {
  Span span;
  for (auto [i, column] : enumerate(columns))
    span.insert(column, i);
  SmallVector<uint64_t> newColumns;
  for (unsigned bit = 0; bit < getTotalOutBits(); ++bit) {
    std::optional<uint64_t> solution = span.solve(uint64_t(1) << bit);
    assert(solution && "only a surjective layout has a right inverse");
    newColumns.push_back(*solution);
  }
  return {outs, ins, newColumns};
}

std::optional<LinearLayout> LinearLayout::fetchFrom(const LinearLayout &source) const {
  assert(outs == source.outs && "layouts of different tiles");
  // spans[n] is the span of the first n input dimensions of the source: of registers, of registers and lanes, and so
  // on.
  SmallVector<Span, 0> spans(1);
  unsigned id = 0;
  for (Extent e : source.ins) {
    spans.push_back(spans.back());
    for (uint64_t column : source.getColumns(e.dim))
      spans.back().insert(column, id++);
  }
  SmallVector<uint64_t> newColumns;
  for (auto [level, e] : enumerate(ins))
    for (auto [bit, column] : enumerate(getColumns(e.dim))) {
      // Prefer the location's own lane and warp. First try the same bit of the same dimension, corrected by as few
      // further dimensions as possible. Only then try other combinations.
      std::optional<uint64_t> solution;
      for (bool keep : {true, false}) {
        uint64_t own = 0, ownColumn = 0;
        if (keep) {
          if (e.dim == Dim::Register || bit >= source.getInBits(e.dim))
            continue;
          own = uint64_t(1) << (shiftOf(source.ins, e.dim) + bit);
          ownColumn = source.getColumns(e.dim)[bit];
        }
        for (unsigned n = 0; n < spans.size() && !solution; ++n)
          if ((solution = spans[n].solve(column ^ ownColumn)))
            *solution ^= own;
        if (solution)
          break;
      }
      if (!solution)
        return std::nullopt;
      newColumns.push_back(*solution);
    }
  return LinearLayout(ins, source.ins, newColumns);
}

uint32_t LinearLayout::getFreeBits(Dim in) const {
  Span span;
  uint32_t free = 0;
  unsigned id = 0;
  for (Extent e : ins)
    for (auto [bit, column] : enumerate(getColumns(e.dim)))
      if (!span.insert(column, id++) && e.dim == in)
        free |= uint32_t(1) << bit;
  return free;
}

unsigned LinearLayout::getNumConsecutive() const {
  if (ins.empty() || outs.empty())
    return 1;
  unsigned run = 0;
  while (run < ins[0].bits && run < outs[0].bits && columns[run] == uint64_t(1) << run)
    ++run;
  // If a higher bit changed the offset within the run of consecutive elements, the start of the run would not be
  // aligned, and the run would not be consecutive.
  for (unsigned i = run; i < columns.size(); ++i)
    while (columns[i] & maskOf(run))
      --run;
  return 1u << run;
}

void LinearLayout::print(raw_ostream &os) const {
  os << "{";
  interleaveComma(ins, os, [&](Extent e) {
    os << toString(e.dim) << " = [";
    for (unsigned bit = 0; bit < e.bits; ++bit) {
      os << (bit ? ", [" : "[");
      interleaveComma(outs, os, [&](Extent out) { os << getBasis(e.dim, bit, out.dim); });
      os << "]";
    }
    os << "]";
  });
  os << "} -> [";
  interleaveComma(outs, os, [&](Extent e) { os << toString(e.dim) << ": " << (uint64_t(1) << e.bits); });
  os << "]";
}

raw_ostream &operator<<(raw_ostream &os, const LinearLayout &layout) {
  layout.print(os);
  return os;
}

} // namespace tilecc
