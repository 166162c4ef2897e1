//===- ReadFunctions.cpp - reads functions and operations of CUDA Tile IR bytecode --------------------------------===//
//
// The values of a function share one numbering, which starts with the parameters. A region continues the numbering. At
// the end of a region, its numbers become free again, and the results of the operation get the next numbers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Reader.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilecc::tileir {

/// Maximum nesting of regions. Translating regions recursively takes stack space, too.
static constexpr unsigned maxRegions = 64;

//===--- access to operations -------------------------------------------------------------------------------------===//

bool Operation::has(StringRef flag) const {
  for (auto [i, known] : enumerate(spec->flags))
    if (known.name == flag)
      return flags >> i & 1;
  return false;
}

const Attribute &Operation::attribute(StringRef name) const {
  static const Attribute none;
  for (auto [i, known] : enumerate(spec->attributes))
    if (known.name == name)
      return attributes[i];
  return none;
}

ArrayRef<ValueId> Operation::all(StringRef name) const {
  for (auto [i, known] : enumerate(spec->operands))
    if (known.name == name)
      return operands[i];
  return {};
}

std::optional<ValueId> Operation::optional(StringRef name) const {
  ArrayRef<ValueId> values = all(name);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

//===--- reading --------------------------------------------------------------------------------------------------===//

void Reader::readFunctions() {
  for (auto &[section, span] : sections) {
    if (section != 2)
      continue;
    ByteReader in = at(span);
    for (uint64_t n = in.count(4); n && !failure; --n)
      readFunction(in);
  }
}

void Reader::readFunction(ByteReader &in) {
  constexpr unsigned isKernel = 2, hasHints = 4;
  Function read;
  read.name = symbol(in);
  read.type = type(in);
  if (!failure && read.type->kind != Type::Function)
    return in.fail("'" + read.name + "' has the type " + read.type->print() + ", which is not a function type");
  unsigned flags = in.byte();
  uint64_t debug = in.varint();
  read.isKernel = flags & isKernel;
  if (read.isKernel && ((flags & hasHints) || since(1305)))
    read.hints = tagged(in);
  if (since(1305))
    tagged(in); // attributes of the parameters
  ByteReader body = in.part(in.varint());
  if (failure)
    return;

  next = debug && debug <= firstLocations.size() ? firstLocations[debug - 1] : locations.size();
  read.location = nextLocation();
  function = &read;
  numbering.clear();
  for (const Type *parameter : read.type->parameters)
    read.body.arguments.push_back(addValue(parameter));
  readBlock(body, read.body, std::nullopt);
  module.functions.push_back(std::move(read));
}

/// Reads `count` operations, or as many as there are bytes.
void Reader::readBlock(ByteReader &in, Block &block, std::optional<uint64_t> count) {
  while (!failure && (count ? *count > block.operations.size() : !in.atEnd()))
    readOperation(in, block.operations.emplace_back());
}

uint64_t Reader::nextLocation() { return next < locations.size() ? locations[next++] : 0; }

ValueId Reader::addValue(const Type *type) {
  numbering.push_back(function->values.size());
  function->values.push_back(type);
  return numbering.back();
}

ValueId Reader::value(ByteReader &in) {
  uint64_t number = in.varint();
  if (number < numbering.size())
    return numbering[number];
  in.fail("there is no value " + Twine(number));
  return 0;
}

void Reader::readOperation(ByteReader &in, Operation &operation) {
  uint64_t opcode = in.varint();
  const OperationSpec *spec = operation.spec = findOperation(opcode);
  if (!spec)
    return in.fail("there is no operation " + Twine(opcode));
  operation.location = nextLocation();

  uint64_t results = spec->results == variadic ? in.count() : spec->results;
  std::vector<const Type *> resultTypes;
  while (results-- && !failure)
    resultTypes.push_back(type(in));

  bool hasFlags = any_of(spec->flags, [&](auto &flag) { return since(flag.since); });
  operation.flags = hasFlags ? in.varint() : 0;
  unsigned known = count_if(spec->flags, [&](auto &flag) { return since(flag.since); });
  if (operation.flags >> known)
    in.fail(spec->name + " has unknown flags");
  auto isThere = [&](StringRef flag) { return flag.empty() || operation.has(flag); };

  for (const OperationSpec::AttributeSpec &attributeSpec : spec->attributes)
    operation.attributes.push_back(
        since(attributeSpec.since) && isThere(attributeSpec.flag) ? attribute(in, attributeSpec) : Attribute());
  for (const OperationSpec::Operand &operand : spec->operands) {
    std::vector<ValueId> &values = operation.operands.emplace_back();
    uint64_t count = operand.isVariadic ? in.count() : isThere(operand.flag);
    while (count-- && !failure)
      values.push_back(value(in));
  }
  if (spec->regions)
    readRegions(in, operation);
  for (const Type *type : resultTypes)
    operation.results.push_back(addValue(type));
}

void Reader::readRegions(ByteReader &in, Operation &operation) {
  if (in.varint() != operation.spec->regions)
    return in.fail(operation.spec->name + " must have this number of regions: " + Twine(operation.spec->regions));
  if (++regionDepth > maxRegions)
    return in.fail("regions are nested too deeply");
  size_t outside = numbering.size();
  for (unsigned i = 0; i < operation.spec->regions && !failure; ++i) {
    if (in.varint() != 1)
      return in.fail("a region of " + operation.spec->name + " does not have one block");
    Block &block = operation.regions.emplace_back();
    for (uint64_t n = in.count(); n && !failure; --n)
      block.arguments.push_back(addValue(type(in)));
    readBlock(in, block, in.count());
    numbering.resize(outside);
  }
  --regionDepth;
}

} // namespace tilecc::tileir
