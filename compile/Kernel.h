//===- Kernel.h - one kernel, from the AST to the descriptor --------------------------------------------*- C++ -*-===//
//
// The front end fills in the TTIR and what the source specifies (a reader of IR does the same from a file), compile()
// adds its results, and the driver writes it to an object's descriptor (tilecc/abi.h).
//
//===-------------------------------------------------------------------------------------------------------------===//

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

/// A parameter of the C++ declaration. A struct passed by value is one parameter.
struct KernelParam {
  enum Kind { Pointer, Integer, Other };
  std::string name;
  Kind kind = Other;
  uint32_t size = 0;
  uint32_t align = 1;
  /// Offset at which the host stub stores the value in the packed arguments (see tilecc/abi.h).
  uint32_t offset = 0;
  bool isFloat = false; ///< a floating-point number, whose kind is Other
  /// [[tt::no_specialize]]: variants assume nothing about this parameter.
  bool noSpecialize = false;
  bool assumedPositive = false; ///< variants assume that it is positive and finite (floating point)
};

/// The properties of a kernel's code that a launch on a GPU needs.
struct Launch {
  uint32_t threads = 0; ///< per program
  uint32_t sharedBytes = 0; ///< dynamic shared memory; above 48 KiB the function's limit must be raised first
  uint32_t cluster = 1; ///< thread blocks per cluster
  /// A launch may run each program as a cluster of up to this many blocks. If the kernel is persistent, a launch may
  /// use clusters of this many blocks, each of which runs its own programs.
  uint32_t maxBlocks = 1;
  std::vector<TensorMap> maps; ///< passed after the kernel's own arguments
  /// If not 0, the kernel is persistent: any number of blocks along x can run the programs of this many axes of the
  /// grid, starting with x. The numbers of programs along these axes are passed after the maps.
  uint32_t persistentAxes = 0;
  /// If not 0, a launch may run only some consecutive programs along `numberedAxes` axes of the grid. The numbers of
  /// programs along these axes, and the number of the first program of the launch, are passed after the maps. If the
  /// kernel is persistent as well, the number of programs of the launch is passed instead of the number of the first
  /// one.
  uint32_t numberedAxes = 0;
  /// If not 0, a launch may run each program on several clusters, each of which needs `clusterBytes` bytes of memory.
  /// The number of clusters and a pointer to the memory are passed after the numbers of programs.
  uint32_t clusterBytes = 0;
  /// The number of programs, adjacent along `axis`, that share a block. The number of programs along the axis is passed
  /// after the maps.
  uint32_t programs = 1, axis = 0;
  bool operator==(const Launch &) const = default;
};

/// Returns the divisor of the kernel's integers that variants with these demands (tilecc/abi.h) assume.
inline unsigned getIntegersDivisor(uint32_t demands) {
  return demands & TILECC_INTEGERS_DIVISIBLE_BY_16 ? 16 : demands & TILECC_INTEGERS_DIVISIBLE_BY_8 ? 8 : 1;
}

/// The assumptions (demands, see tilecc/abi.h) of a variant's code about a launch's arguments and grid.
struct LaunchDemands {
  uint32_t demands = 0; ///< TILECC_POINTERS_DIVISIBLE_BY_16 and the like
  uint32_t units = 0; ///< bit i: parameter i is 1 and not a multiple
  uint32_t free = 0; ///< bit i: parameter i, an integer, has any value
  /// A launch runs each program as `parts` programs, adjacent along x, each of which computes a part of the tile.
  uint32_t parts = 1;
  /// With TILECC_FEW_ROWS: the number of the integer parameter that is at most `maxRows`.
  uint32_t rows = 0, maxRows = 0;
  /// With TILECC_SHORTER_ROUNDS: the time of a round of blocks, in percent of a round of the next variant.
  uint32_t roundPercent = 0;

  bool isUnit(size_t parameter) const { return parameter < TILECC_UNIT_PARAMETERS && units >> parameter & 1; }
  bool isFree(size_t parameter) const { return parameter < TILECC_UNIT_PARAMETERS && free >> parameter & 1; }
};

/// A kernel's code on GPUs for launches that satisfy some demands.
struct KernelVariant : LaunchDemands {
  std::string name; ///< one of variantNames, with a suffix for a twin
  std::string symbol;
  std::vector<Launch> launches; ///< for each GPU among the targets of compile()
};

/// A kernel's code for CPUs of one level.
struct CpuFunction {
  std::string symbol;
  uint32_t level = 0;
  uint32_t programs = 1; ///< number of programs that it runs, adjacent along x
  uint64_t scratchBytes = 0;
  bool checksAccesses = false;
};

struct Kernel : KernelOptions {
  std::string symbol; ///< mangled; also the name of the host stub
  std::string stub = {}; ///< the host stub's name if it is different
  std::string displayName; ///< as in the source: add<1024>
  std::string file; ///< the file that contains the definition
  unsigned line = 0;
  std::vector<KernelParam> params; ///< the arguments of the tt.func, in order
  /// Bytes of global memory per program; the last argument points to the memory for all programs. 0: there is no such
  /// argument.
  uint64_t globalScratchBytes = 0;
  /// A module with one public tt.func. Arguments have tt.divisibility if the source asserts it, and no other
  /// assumptions.
  mlir::OwningOpRef<mlir::ModuleOp> ttir;

  /// TTIR as text, for objects of -ffusion (tilecc/fusion.h); empty if they contain none.
  std::string keptTTIR;

  // Results of the compilation.
  std::vector<KernelVariant> variants; ///< most demanding first
  std::vector<CpuFunction> cpuFunctions; ///< best level first
  std::string noCpuCode; ///< the reason if there is none; empty otherwise
  /// The hash of everything that determines the code, except the targets (CodeHash.h).
  uint64_t codeHash = 0;
};

/// Returns the variant that typical launches run. A kernel's register usage is judged by it. It is the most demanding
/// variant that is not restricted to few rows, to parts of tiles or to many programs.
const KernelVariant &getUsualVariant(const Kernel &kernel);

/// An attribute of a kernel's function that the driver reads and removes. It lists accesses to tiles that extend beyond
/// their tensors, each as a named location that describes the access.
inline constexpr llvm::StringLiteral narrowViewsAttr = "tilecc.narrow_views";

/// Returns the parameters of a function in IR, packed like a C struct.
std::vector<KernelParam> packedParams(mlir::TypeRange types);

/// Returns the location of the kernel's definition, for messages.
mlir::Location locationOf(const Kernel &kernel);

/// Returns a module as text, with locations.
std::string printModule(mlir::ModuleOp module);

} // namespace tilecc

#endif // TILECC_COMPILE_KERNEL_H
