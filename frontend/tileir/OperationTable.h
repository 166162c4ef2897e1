//===- OperationTable.h - the table of CUDA Tile IR operations ---------------------------------------------*- C++ -*-//
//
// The reader decodes every operation from this table, without code for specific operations.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEIR_OPERATIONTABLE_H
#define TILECC_FRONTEND_TILEIR_OPERATIONTABLE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace tilecc::tileir {

enum class Op : uint32_t {
#define OP(NAME, TEXT, OPCODE, ...) NAME = OPCODE,
#include "frontend/tileir/Operations.def"
};

enum class AttributeKind { Enum, Integer, Boolean, Bytes, Integers, String, Constant, Tagged, Array, Hints };

// The values of attributes of the kind Enum.
enum class Rounding { NearestEven, Zero, NegativeInf, PositiveInf, Approx, Full, NearestIntToZero, NearestAway };
enum class Overflow { None, NoSignedWrap, NoUnsignedWrap, NoWrap };
enum class Sign { Unsigned, Signed };
enum class Order { Weak, Relaxed, Acquire, Release, AcquireRelease };
enum class Scope { Block, Device, System };
enum class Rmw { And, Or, Xor, Add, AddF, Max, Min, UMax, UMin, Exchange };
enum class Predicate { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };
enum class Ordering { Unordered, Ordered };

/// The number of results of operations whose number of results is in the file.
inline constexpr unsigned variadic = ~0u;

struct OperationSpec {
  struct Flag {
    llvm::StringRef name;
    unsigned since; ///< the first version of bytecode that has it
  };
  struct AttributeSpec {
    llvm::StringRef name;
    AttributeKind kind;
    unsigned values; ///< the number of values of an Enum
    unsigned since;
    llvm::StringRef flag; ///< the flag that says whether the attribute is present; empty: it always is
  };
  struct Operand {
    llvm::StringRef name;
    bool isVariadic;
    llvm::StringRef flag;
  };
  Op op;
  llvm::StringRef name;
  unsigned results; ///< the number of results, or `variadic`
  std::vector<Flag> flags;
  std::vector<AttributeSpec> attributes;
  std::vector<Operand> operands;
  unsigned regions;
};

/// Returns the specification of an operation, or null if there is no such opcode.
const OperationSpec *findOperation(uint64_t opcode);

} // namespace tilecc::tileir

#endif // TILECC_FRONTEND_TILEIR_OPERATIONTABLE_H
