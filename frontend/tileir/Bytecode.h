//===- Bytecode.h - the decoded bytecode of a CUDA Tile IR module ------------------------------------------*- C++ -*-//
//
// The records of the bytecode, after decoding. Their form has been checked: every index of a string, type, constant or
// value is in range, and every count, depth and shape is within its limits. The translator (Translator.h) checks
// whether operations match their operands. This header does not depend on MLIR. Strings and constants are views of the
// bytes of the file, which must outlive the module.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEIR_BYTECODE_H
#define TILECC_FRONTEND_TILEIR_BYTECODE_H

#include "frontend/tileir/OperationTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilecc::tileir {

struct Type {
  enum Kind {
    I1,
    I4,
    I8,
    I16,
    I32,
    I64,
    F16,
    BF16,
    F32,
    TF32,
    F64,
    F8E4M3FN,
    F8E5M2,
    F8E8M0FNU,
    F4E2M1FN,
    F8E5M3FNU,
    Token,
    Pointer,
    Tile,
    TensorView,
    PartitionView,
    GatherScatterView,
    StridedView,
    Function
  };
  enum Padding : uint8_t { Zero, NegativeZero, NaN, PositiveInfinity, NegativeInfinity };

  Kind kind = I1;
  const Type *element = nullptr; ///< element type of pointers, tiles and tensor views; of other views, the tensor view
  std::vector<int64_t> shape; ///< a size that is `dynamic` is known only to the kernel
  std::vector<int64_t> strides; ///< of tensor views, in elements; of strided views, the distances between tiles
  std::vector<int64_t> dimMap; ///< the tensor dimension of each tile dimension
  std::optional<Padding> padding; ///< none: elements outside the tensor are unspecified
  std::optional<uint64_t> sparseDim; ///< of gather-scatter views: the dimension that is gathered
  std::vector<const Type *> parameters, results; ///< of functions

  bool isInteger() const { return kind <= I64; }
  bool isFloat() const { return kind > I64 && kind < Token; }
  bool isView() const { return kind >= TensorView && kind <= StridedView; }
  /// Returns true for an element type that TTIR does not have (NarrowNumbers.cpp).
  bool isNarrow() const { return kind == I4 || (kind >= F8E8M0FNU && kind <= F8E5M3FNU); }
  unsigned bits() const; ///< the size of an element type; 0 for other types
  std::string print() const;
};
inline constexpr int64_t dynamic = INT64_MIN;

/// Identifies a value in its function. Unlike the numbers in the file, ids are never reused.
using ValueId = unsigned;

/// An attribute of an operation or of another attribute.
struct Attribute {
  enum Kind {
    None,
    Integer,
    Float,
    Boolean,
    TypeOf,
    String,
    Array,
    Dense,
    DivisibleBy,
    SameElements,
    Dictionary,
    Bounded
  };
  Kind kind = None;
  uint64_t number = 0; ///< an integer, the bits of a float, a boolean or a divisor
  const Type *type = nullptr;
  llvm::StringRef text; ///< a string, or the bytes of a constant
  std::vector<int64_t> integers;
  std::vector<Attribute> elements; ///< the elements of an array, or the values of a dictionary
  std::vector<llvm::StringRef> keys; ///< the keys of a dictionary
  std::optional<int64_t> low, high; ///< bounds; for divisors: every, along

  const Attribute *get(llvm::StringRef key) const;
};

struct Operation;

struct Block {
  std::vector<ValueId> arguments;
  std::vector<Operation> operations;
};

struct Operation {
  const OperationSpec *spec = nullptr;
  uint64_t location = 0; ///< index into Module::locations; 0: unknown
  uint64_t flags = 0; ///< one bit for each of spec->flags
  std::vector<ValueId> results;
  std::vector<Attribute> attributes; ///< in the order of spec->attributes
  std::vector<std::vector<ValueId>> operands; ///< in the order of spec->operands
  std::vector<Block> regions;

  Op op() const { return spec->op; }
  bool has(llvm::StringRef flag) const;
  const Attribute &attribute(llvm::StringRef name) const;
  uint64_t number(llvm::StringRef name) const { return attribute(name).number; }
  llvm::ArrayRef<ValueId> all(llvm::StringRef name = "*") const;
  /// Returns the operand of this name, if present.
  std::optional<ValueId> optional(llvm::StringRef name) const;
  ValueId operand(llvm::StringRef name) const { return *optional(name); }
};

struct Function {
  llvm::StringRef name;
  const Type *type = nullptr;
  bool isKernel = false;
  Attribute hints; ///< a dictionary of dictionaries, by architecture; may be empty
  uint64_t location = 0;
  Block body;
  std::vector<const Type *> values; ///< the type of each value
};

/// Data of a module, which its kernels share.
struct Global {
  llvm::StringRef name;
  const Type *type = nullptr; ///< a tile
  llvm::StringRef data; ///< the elements, or one that stands for all
  uint64_t alignment = 0; ///< 0: that of the elements
  bool isConstant = false;
};

struct DebugLocation {
  enum Kind { Unknown, Place, CallSite };
  Kind kind = Unknown;
  llvm::StringRef folder, file; ///< of a Place
  uint64_t line = 0, column = 0;
  uint64_t callee = 0, caller = 0; ///< of a CallSite, like Operation::location
};

struct Module {
  unsigned version = 0; ///< 1304 is 13.4
  llvm::StringRef producer;
  std::vector<Function> functions;
  std::vector<DebugLocation> locations; ///< entry 0 is the unknown location
  std::vector<Global> globals;
  std::deque<Type> types;
};

/// The range of supported versions, in the format of Module::version.
inline constexpr unsigned oldestVersion = 1301, newestVersion = 1305;

/// Returns true if a file begins like bytecode.
bool isBytecode(llvm::StringRef bytes);

/// Decodes a file. If the file is malformed or has an unknown version, returns null and sets `error`.
std::unique_ptr<Module> readBytecode(llvm::StringRef bytes, std::string &error);

} // namespace tilecc::tileir

#endif // TILECC_FRONTEND_TILEIR_BYTECODE_H
