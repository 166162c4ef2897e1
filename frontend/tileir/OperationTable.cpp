//===- OperationTable.cpp - the table of CUDA Tile IR operations --------------------------------------------------===//
//
// This file converts Operations.def to structs, for the reader and for the accessors of operations.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/OperationTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace tilecc::tileir {
namespace {

struct KindRow {
  StringLiteral name;
  AttributeKind kind;
  unsigned values = 0;
};
constexpr KindRow kinds[] = {
    {"rounding", AttributeKind::Enum, 8},  {"overflow", AttributeKind::Enum, 4}, {"sign", AttributeKind::Enum, 2},
    {"order", AttributeKind::Enum, 5},     {"scope", AttributeKind::Enum, 3},    {"rmw", AttributeKind::Enum, 10},
    {"predicate", AttributeKind::Enum, 6}, {"ordering", AttributeKind::Enum, 2}, {"multimem", AttributeKind::Enum, 8},
    {"integer", AttributeKind::Integer},   {"boolean", AttributeKind::Boolean},  {"bytes", AttributeKind::Bytes},
    {"integers", AttributeKind::Integers}, {"string", AttributeKind::String},    {"constant", AttributeKind::Constant},
    {"tagged", AttributeKind::Tagged},     {"array", AttributeKind::Array},      {"hints", AttributeKind::Hints},
};

/// Removes a suffix "@13.n" and returns n.
unsigned takeVersion(StringRef &text) {
  auto [before, minor] = text.split("@13.");
  unsigned number = 1;
  if (before.size() != text.size() && minor.getAsInteger(10, number))
    llvm_unreachable("a version is 13.n");
  text = before;
  return 1300 + number;
}

SmallVector<StringRef> words(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ' ', -1, /*KeepEmpty=*/false);
  return parts;
}

OperationSpec makeSpec(Op op, StringRef name, StringRef results, StringRef flags, StringRef attributes,
                       StringRef operands, unsigned regions) {
  OperationSpec spec{op, name, variadic, {}, {}, {}, regions};
  if (results != "v" && results.getAsInteger(10, spec.results))
    llvm_unreachable("the results are a number, or v");
  for (StringRef flag : words(flags)) {
    unsigned since = takeVersion(flag);
    spec.flags.push_back({flag, since});
  }
  for (StringRef attribute : words(attributes)) {
    unsigned since = takeVersion(attribute);
    auto [text, flag] = attribute.split('?');
    auto [attributeName, kindName] = text.split(':');
    const KindRow *row = find_if(kinds, [&, kind = kindName](const KindRow &row) { return row.name == kind; });
    if (row == std::end(kinds))
      llvm_unreachable("an attribute's kind is in the table");
    spec.attributes.push_back({attributeName, row->kind, row->values, since, flag});
  }
  for (StringRef operand : words(operands)) {
    auto [text, flag] = operand.split('?');
    bool isVariadic = text.ends_with("*");
    spec.operands.push_back({isVariadic && text.size() > 1 ? text.drop_back() : text, isVariadic, flag});
  }
  return spec;
}

} // namespace

const OperationSpec *findOperation(uint64_t opcode) {
  static const DenseMap<uint64_t, OperationSpec> table = [] {
    DenseMap<uint64_t, OperationSpec> table;
#define OP(NAME, TEXT, OPCODE, ...) table.try_emplace(OPCODE, makeSpec(Op::NAME, TEXT, __VA_ARGS__));
#include "frontend/tileir/Operations.def"
    return table;
  }();
  // DenseMap reserves two keys.
  auto found = opcode < (1u << 20) ? table.find(opcode) : table.end();
  return found == table.end() ? nullptr : &found->second;
}

} // namespace tilecc::tileir
