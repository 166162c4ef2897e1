//===- Kernel.h - one kernel, from the AST to the descriptor -------------------------------------------------*- C++ -*-//
//
// The front end fills in what the source says of a kernel and its TTIR (a reader of IR does the same from a file);
// compile() adds what became of it; the driver writes it into an object's descriptor (tilecc/abi.h).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_KERNEL_H
#define TILECC_COMPILE_KERNEL_H

#include "compile/KernelOptions.h"
#include "lowering/gpu/GpuTarget.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "runtime/include/tilecc/abi.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilecc {

/// One parameter as the C++ declaration has it; a struct passed by value is one parameter.
struct KernelParam {
  enum Kind { Pointer, Integer, Other };
  std::string name;
  Kind kind = Other;
  uint32_t size = 0;
  uint32_t align = 1;
  /// Where the host stub puts the value in the packed arguments (see tilecc/abi.h).
  uint32_t offset = 0;
  bool isFloat = false; ///< a floating-point number, which is of the kind Other
  /// [[tt::no_specialize]]: variants assume nothing of this parameter.
  bool noSpecialize = false;
  bool assumedPositive = false; ///< a floating-point number that variants take to be positive and finite
};

/// What a launch on a GPU must know.
struct Launch {
  uint32_t threads = 0;     ///< of one program
  uint32_t sharedBytes = 0; ///< dynamic shared memory; above 48 KiB the function's limit has to be raised first
  uint32_t cluster = 1;     ///< thread blocks of a cluster
  std::vector<TensorMap> maps; ///< passed behind the kernel's own arguments
  bool isPersistent = false;   ///< behind these, the number of programs along x is passed; any number of blocks runs them all
  /// So many programs, neighbours along `axis`, share a block; how many there are along it is passed as that of persistent ones.
  uint32_t programs = 1, axis = 0;
  bool operator==(const Launch &) const = default;
};

/// What variants of these demands (tilecc/abi.h) take the kernel's integers to be multiples of.
inline unsigned getIntegersDivisor(uint32_t demands) {
  return demands & TILECC_INTEGERS_DIVISIBLE_BY_16 ? 16 : demands & TILECC_INTEGERS_DIVISIBLE_BY_8 ? 8 : 1;
}

/// A kernel's code on GPUs under one set of assumptions about its arguments.
struct KernelVariant {
  std::string name;     ///< one of variantNames
  uint32_t demands = 0; ///< of tilecc/abi.h
  uint32_t units = 0;   ///< bit i: parameter i is 1, and need be no multiple
  std::string symbol;
  std::vector<Launch> launches; ///< for each of the GPUs that compile() was called for

  bool isUnit(size_t parameter) const { return parameter < TILECC_UNIT_PARAMETERS && units >> parameter & 1; }
};

/// A kernel's code for the CPUs of one level.
struct CpuFunction {
  std::string symbol;
  uint32_t level = 0;
  uint32_t programs = 1; ///< that it runs, neighbours along x
  uint64_t scratchBytes = 0;
  bool checksAccesses = false;
};

struct Kernel : KernelOptions {
  std::string symbol;      ///< mangled; also the name of the host stub
  std::string stub = {};   ///< the host stub's name where it is another
  std::string displayName; ///< as written: add<1024>
  std::string file;        ///< of the definition
  unsigned line = 0;
  std::vector<KernelParam> params; ///< the arguments of the tt.func, in order
  /// Bytes of global memory for each program, all of which the last argument points to; 0: it does not.
  uint64_t globalScratchBytes = 0;
  /// One public tt.func. Arguments carry tt.divisibility where the source asserts it, and nothing else.
  mlir::OwningOpRef<mlir::ModuleOp> ttir;

  /// TTIR as text, for objects of -ffusion (tilecc/fusion.h); empty: they carry none.
  std::string keptTTIR;

  // Compiled.
  std::vector<KernelVariant> variants;   ///< most demanding first
  std::vector<CpuFunction> cpuFunctions; ///< best level first
  std::string noCpuCode;                 ///< why there is none; empty otherwise
  uint64_t codeHash = 0;                 ///< of all that the code follows from, but the targets (CodeHash.h)
};

/// Of a kernel's function, until the driver has read it: accesses to tiles that stick out of their tensors, each a named
/// location that says how.
inline constexpr llvm::StringLiteral narrowViewsAttr = "tilecc.narrow_views";

/// The parameters of a function of IR, packed as a C struct is laid out.
std::vector<KernelParam> packedParams(mlir::TypeRange types);

/// Where the kernel is defined, for messages.
mlir::Location locationOf(const Kernel &kernel);

/// A module as text, with locations.
std::string printModule(mlir::ModuleOp module);

} // namespace tilecc

#endif // TILECC_COMPILE_KERNEL_H
