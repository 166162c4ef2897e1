//===- ReadTypes.cpp - reads types and attributes of CUDA Tile IR bytecode ----------------------------------------===//

#include "frontend/tileir/Reader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tilecc::tileir {

//===--- types ----------------------------------------------------------------------------------------------------===//

namespace {

/// Maximum nesting of types and of attributes.
constexpr unsigned maxDepth = 32;
/// Maximum number of elements of a tile.
constexpr int64_t maxElements = 1 << 24;

struct ElementRow {
  uint64_t tag;
  Type::Kind kind;
  StringLiteral name;
  unsigned bits;
};
constexpr ElementRow elementTypes[] = {
    {0, Type::I1, "i1", 1},
    {1, Type::I8, "i8", 8},
    {2, Type::I16, "i16", 16},
    {3, Type::I32, "i32", 32},
    {4, Type::I64, "i64", 64},
    {5, Type::F16, "f16", 16},
    {6, Type::BF16, "bf16", 16},
    {7, Type::F32, "f32", 32},
    {8, Type::TF32, "tf32", 32},
    {9, Type::F64, "f64", 64},
    {10, Type::F8E4M3FN, "f8E4M3FN", 8},
    {11, Type::F8E5M2, "f8E5M2", 8},
    {17, Type::Token, "token", 0},
    {18, Type::F8E8M0FNU, "f8E8M0FNU", 8},
    {19, Type::F4E2M1FN, "f4E2M1FN", 4},
    {22, Type::I4, "i4", 4},
    {130, Type::F8E5M3FNU, "f8E5M3FNU", 8},
};
enum Tag {
  PointerTag = 12,
  TileTag,
  TensorViewTag,
  PartitionViewTag,
  FunctionTag,
  GatherScatterViewTag = 20,
  StridedViewTag
};

} // namespace

unsigned Type::bits() const {
  const ElementRow *row = find_if(elementTypes, [&](const ElementRow &row) { return row.kind == kind; });
  return row != std::end(elementTypes) ? row->bits : kind == Pointer ? 64 : 0;
}

std::string Type::print() const {
  if (const ElementRow *row = find_if(elementTypes, [&](const ElementRow &row) { return row.kind == kind; });
      row != std::end(elementTypes))
    return row->name.str();
  std::string text;
  raw_string_ostream out(text);
  auto sizes = [&](ArrayRef<int64_t> sizes) {
    for (int64_t size : sizes)
      out << (size == dynamic ? "?" : std::to_string(size)) << "x";
  };
  switch (kind) {
  case Pointer: out << "ptr<" << element->print() << ">"; break;
  case Tile:
    out << "tile<";
    sizes(shape);
    out << element->print() << ">";
    break;
  case TensorView:
    out << "tensor_view<";
    sizes(shape);
    out << element->print() << ">";
    break;
  case PartitionView:
    out << "partition_view<";
    sizes(shape);
    out << element->print() << ">";
    break;
  case GatherScatterView:
    out << "gather_scatter_view<";
    sizes(shape);
    out << element->print() << ">";
    break;
  case StridedView:
    out << "strided_view<";
    sizes(shape);
    out << element->print() << ">";
    break;
  default: out << "function";
  }
  return text;
}

const Type *Reader::type(ByteReader &in) { return typeNumbered(in.varint(), in); }

const Type *Reader::typeNumbered(uint64_t index, ByteReader &in) {
  static const Type anything;
  if (!failure && index >= types.size())
    in.fail("there is no type " + Twine(index));
  if (!failure && typeDepth >= maxDepth)
    in.fail("type " + Twine(index) + " is nested too deeply, or in itself");
  if (failure)
    return &anything;
  if (!knownTypes[index]) {
    ByteReader entry = at(types[index]);
    Type read;
    ++typeDepth;
    readType(entry, read);
    --typeDepth;
    module.types.push_back(std::move(read));
    knownTypes[index] = &module.types.back();
  }
  return knownTypes[index];
}

void Reader::readType(ByteReader &in, Type &result) {
  uint64_t tag = in.varint();
  if (const ElementRow *row = find_if(elementTypes, [&](const ElementRow &row) { return row.tag == tag; });
      row != std::end(elementTypes)) {
    result.kind = row->kind;
    return;
  }
  auto element = [&] {
    result.element = type(in);
    bool mayPoint = result.kind == Type::Tile;
    if (!failure && !result.element->isInteger() && !result.element->isFloat() &&
        !(mayPoint && result.element->kind == Type::Pointer))
      in.fail("elements of type " + result.element->print());
  };
  switch (tag) {
  case PointerTag:
    result.kind = Type::Pointer;
    if (since(1304))
      in.varint();
    element();
    return;
  case TileTag:
    result.kind = Type::Tile;
    element();
    result.shape = in.integers(8);
    return checkShape(in, result);
  case TensorViewTag:
    result.kind = Type::TensorView;
    if (since(1304))
      in.varint();
    element();
    result.shape = in.integers(8);
    result.strides = in.integers(8);
    if (result.shape.size() != result.strides.size())
      in.fail("a tensor view has " + Twine(result.shape.size()) + " dimensions and " + Twine(result.strides.size()) +
              " strides");
    for (int64_t size : concat<int64_t>(result.shape, result.strides))
      if (size < 0 && size != dynamic)
        in.fail("a tensor view has the size or stride " + Twine(size));
    return;
  case PartitionViewTag: result.kind = Type::PartitionView; return readView(in, result);
  case GatherScatterViewTag: result.kind = Type::GatherScatterView; return readView(in, result);
  case StridedViewTag: result.kind = Type::StridedView; return readView(in, result);
  case FunctionTag:
    result.kind = Type::Function;
    for (auto *list : {&result.parameters, &result.results})
      for (uint64_t n = in.count(); n && !failure; --n)
        list->push_back(type(in));
    return;
  }
  in.fail("a type has the unknown tag " + Twine(tag));
}

void Reader::checkShape(ByteReader &in, const Type &type) {
  int64_t elements = 1;
  for (int64_t size : type.shape) {
    if (size <= 0 || !isPowerOf2_64(size) || size > maxElements || (elements *= size) > maxElements)
      return in.fail("a tile has a dimension of size " + Twine(size) + ": sizes are powers of two, and a tile has " +
                     Twine(maxElements) + " elements at most");
  }
}

/// Reads a view of the tiles of a tensor.
void Reader::readView(ByteReader &in, Type &view) {
  uint64_t flags = since(1303) ? in.varint() : 0;
  view.shape = in.integers(4);
  checkShape(in, view);
  if (view.kind == Type::StridedView)
    view.strides = in.integers(4);
  view.element = type(in);
  if (view.kind == Type::GatherScatterView)
    view.sparseDim = in.varint();
  else
    view.dimMap = in.integers(4);
  if (since(1303) ? flags & 1 : in.byte()) {
    unsigned padding = in.byte();
    if (padding > Type::NegativeInfinity)
      return in.fail("a view has the unknown padding " + Twine(padding));
    view.padding = Type::Padding(padding);
  }
  if (failure)
    return;
  size_t rank = view.shape.size();
  if (view.element->kind != Type::TensorView || view.element->shape.size() != rank)
    return in.fail("a view of tiles of " + Twine(rank) + " dimensions is one of " + view.element->print());
  if (view.dimMap.empty())
    view.dimMap.assign(seq<int64_t>(rank).begin(), seq<int64_t>(rank).end());
  if (!std::is_permutation(view.dimMap.begin(), view.dimMap.end(), seq<int64_t>(rank).begin(),
                           seq<int64_t>(rank).end()))
    return in.fail("a view's map of dimensions is not a permutation");
  if (view.kind == Type::StridedView &&
      (view.strides.size() != rank || any_of(view.strides, [](int64_t s) { return s <= 0; })))
    return in.fail("a strided view needs a positive stride for each dimension");
  if (view.sparseDim && *view.sparseDim >= rank)
    return in.fail("a view has no dimension " + Twine(*view.sparseDim));
}

//===--- attributes -----------------------------------------------------------------------------------------------===//

const Attribute *Attribute::get(StringRef key) const {
  for (auto [i, name] : enumerate(keys))
    if (name == key)
      return &elements[i];
  return nullptr;
}

Attribute Reader::array(ByteReader &in) {
  Attribute result;
  result.kind = Attribute::Array;
  for (uint64_t n = in.count(); n && !failure; --n)
    result.elements.push_back(tagged(in));
  return result;
}

Attribute Reader::dictionary(ByteReader &in) {
  Attribute result;
  result.kind = Attribute::Dictionary;
  for (uint64_t n = in.count(2); n && !failure; --n) {
    result.keys.push_back(string(in));
    result.elements.push_back(tagged(in));
  }
  return result;
}

Attribute Reader::tagged(ByteReader &in) {
  Attribute result;
  if (attributeDepth >= maxDepth)
    in.fail("an attribute is nested too deeply");
  if (failure)
    return result;
  ++attributeDepth;
  uint64_t tag = in.varint();
  switch (tag) {
  case 1:
    result.kind = Attribute::Integer;
    result.type = type(in);
    result.number = in.varint();
    break;
  case 2:
    result.kind = Attribute::Float;
    result.type = type(in);
    result.number = result.type->bits() <= 8 ? in.byte() : uint64_t(in.zigzag());
    break;
  case 3:
    result.kind = Attribute::Boolean;
    result.number = in.byte() != 0;
    break;
  case 4:
    result.kind = Attribute::TypeOf;
    result.type = type(in);
    break;
  case 5:
    result.kind = Attribute::String;
    result.text = string(in);
    break;
  case 6: result = array(in); break;
  case 7:
    result.kind = Attribute::Dense;
    result.type = type(in);
    result.text = constant(in);
    break;
  case 8:
  case 12: {
    result.kind = tag == 8 ? Attribute::DivisibleBy : Attribute::Bounded;
    if (tag == 8)
      result.number = in.varint();
    unsigned flags = in.byte();
    if (flags & 1)
      result.low = in.zigzag();
    if (flags & 2)
      result.high = in.zigzag();
    break;
  }
  case 9:
    result.kind = Attribute::SameElements;
    result.integers = in.integers(8);
    break;
  case 10:
  case 11: result = dictionary(in); break;
  default: in.fail("an attribute has the unknown tag " + Twine(tag));
  }
  --attributeDepth;
  return result;
}

Attribute Reader::attribute(ByteReader &in, const OperationSpec::AttributeSpec &spec) {
  Attribute result;
  switch (spec.kind) {
  case AttributeKind::Enum:
    result.kind = Attribute::Integer;
    result.number = in.byte();
    if (result.number >= spec.values)
      in.fail("the unknown " + spec.name + " " + Twine(result.number));
    return result;
  case AttributeKind::Integer:
    result.kind = Attribute::Integer;
    result.number = in.varint();
    return result;
  case AttributeKind::Boolean:
    result.kind = Attribute::Boolean;
    result.number = in.byte() != 0;
    return result;
  case AttributeKind::Bytes:
  case AttributeKind::Integers:
    result.kind = Attribute::Array;
    result.integers = in.integers(spec.kind == AttributeKind::Bytes ? 1 : 4);
    return result;
  case AttributeKind::String:
    result.kind = Attribute::String;
    result.text = string(in);
    return result;
  case AttributeKind::Constant:
    result.kind = Attribute::Dense;
    result.text = constant(in);
    return result;
  case AttributeKind::Tagged: return tagged(in);
  case AttributeKind::Array: return array(in);
  case AttributeKind::Hints: return dictionary(in);
  }
  llvm_unreachable("all kinds are listed");
}

} // namespace tilecc::tileir
