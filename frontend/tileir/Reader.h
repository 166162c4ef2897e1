//===- Reader.h - decodes CUDA Tile IR bytecode ------------------------------------------------------------*- C++ -*-//
//
// The class is implemented in several files: Reader.cpp reads the container and its tables, ReadTypes.cpp types and
// attributes, ReadFunctions.cpp functions and operations, and ReadLocations.cpp debug information.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEIR_READER_H
#define TILECC_FRONTEND_TILEIR_READER_H

#include "frontend/tileir/Bytecode.h"
#include "frontend/tileir/ByteReader.h"

namespace tilecc::tileir {

class Reader {
public:
  Reader(llvm::StringRef file, Module &module) : file(file), module(module) {}
  std::string read();

private:
  using Span = std::pair<uint64_t, uint64_t>; ///< begin and end in the file

  ByteReader at(Span span) { return {file, span.first, span.second, failure}; }
  bool since(unsigned version) const { return module.version >= version; }

  void readContainer();
  void readGlobals();
  /// Reads the entries of a section that begins with a table of offsets, each of which has `width` bytes.
  std::vector<Span> readEntries(unsigned section, unsigned width);

  llvm::StringRef string(ByteReader &in);
  llvm::StringRef symbol(ByteReader &in);
  llvm::StringRef constant(ByteReader &in);
  const Type *type(ByteReader &in);
  const Type *typeNumbered(uint64_t index, ByteReader &in);
  void readType(ByteReader &in, Type &type);
  void readView(ByteReader &in, Type &type);
  void checkShape(ByteReader &in, const Type &type);

  Attribute tagged(ByteReader &in);
  Attribute array(ByteReader &in);
  Attribute dictionary(ByteReader &in);
  Attribute attribute(ByteReader &in, const OperationSpec::AttributeSpec &spec);

  void readLocations();
  DebugLocation readLocation(ByteReader in, const std::vector<Span> &entries);
  void readPlace(ByteReader &in, const std::vector<Span> &entries, DebugLocation &location);

  void readFunctions();
  void readFunction(ByteReader &in);
  void readBlock(ByteReader &in, Block &block, std::optional<uint64_t> count);
  void readOperation(ByteReader &in, Operation &operation);
  void readRegions(ByteReader &in, Operation &operation);
  ValueId value(ByteReader &in);
  ValueId addValue(const Type *type);
  uint64_t nextLocation();

  llvm::StringRef file;
  Module &module;
  Failure failure;
  std::vector<std::pair<unsigned, Span>> sections;
  std::vector<Span> strings, constants, types;
  std::vector<const Type *> knownTypes; ///< null: not read yet
  unsigned typeDepth = 0, attributeDepth = 0, regionDepth = 0;

  // The index of each function's first location, and the locations of all operations, in order.
  std::vector<uint64_t> firstLocations, locations;
  uint64_t next = 0; ///< the next index into `locations`

  Function *function = nullptr;
  std::vector<ValueId> numbering; ///< maps the file's numbers that are in scope to values
};

} // namespace tilecc::tileir

#endif // TILECC_FRONTEND_TILEIR_READER_H
