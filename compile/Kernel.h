//===- Kernel.h - one kernel, from the AST to the descriptor --------------------------------------------*- C++ -*-===//
//
// Everything that is known about one kernel. The front end sets the TTIR and what the source specifies; for IR inputs,
// a parser does. compile() adds its results. The driver then writes the kernel to the descriptor of an object
// (tilecc/abi.h).
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

/// A parameter in the C++ declaration of a kernel. A struct that is passed by value is one parameter.
struct KernelParam {
  enum Kind { Pointer, Integer, Other };
  std::string name;
  Kind kind = Other;
  uint32_t size = 0;
  uint32_t align = 1;
  /// The offset in the packed arguments at which the host stub stores the value (see tilecc/abi.h).
  uint32_t offset = 0;
  bool isFloat = false; ///< a floating-point number, whose kind is Other
  /// [[tt::no_specialize]]: variants make no assumptions about this parameter.
  bool noSpecialize = false;
  bool assumedPositive = false; ///< variants assume that it, a floating-point number, is positive and finite
};

/// What a launch on a GPU needs to know about the code of a kernel.
struct Launch {
  uint32_t threads = 0; ///< per program
  uint32_t sharedBytes = 0; ///< dynamic shared memory; above 48 KiB, the function's limit must be raised first
  uint32_t cluster = 1; ///< thread blocks per cluster
  /// A launch may run each program on a cluster of up to this many blocks. If the kernel is persistent, a launch may
  /// instead use clusters of this many blocks in which each block runs programs of its own.
  uint32_t maxBlocks = 1;
  std::vector<TensorMap> maps; ///< passed after the kernel's own arguments
  /// If not 0, the kernel is persistent: its programs can run on any number of blocks along x. This is the number of
  /// axes of the grid, starting with x, along which the kernel numbers its programs. The numbers of programs along
  /// these axes are passed after the tensor maps.
  uint32_t persistentAxes = 0;
  /// If not 0, a launch may run only some consecutive programs, numbered along this many axes of the grid. The numbers
  /// of programs along these axes, and the number of the first program of the launch, are passed after the tensor maps.
  /// If the kernel is persistent as well, the last of these arguments is instead the number of programs that the launch
  /// runs.
  uint32_t numberedAxes = 0;
  /// If not 0, a launch may run each program on several clusters, each of which needs this many bytes of memory. The
  /// number of clusters, and a pointer to the memory, are passed after the numbers of programs.
  uint32_t clusterBytes = 0;
  /// If a launch may run each program on several blocks or clusters: a block executes at least this many iterations of
  /// the loop that they share.
  uint32_t leastIterations = 0;
  /// The code waits for the previous launch in its stream before it accesses global memory, so a launch may begin
  /// before the previous one has ended.
  bool waits = false;
  /// The number of programs, adjacent along `axis`, that a thread block runs. If there are several, the launch passes
  /// the extent of the grid along this axis after the tensor maps.
  uint32_t programs = 1, axis = 0;
  bool operator==(const Launch &) const = default;
};

/// Returns the number by which the integer arguments are divisible according to the demands of a variant
/// (tilecc/abi.h).
inline unsigned getIntegersDivisor(uint32_t demands) {
  return demands & TILECC_INTEGERS_DIVISIBLE_BY_16 ? 16 : demands & TILECC_INTEGERS_DIVISIBLE_BY_8 ? 8 : 1;
}

/// The demands of a variant: what its code assumes about the arguments and the grid of a launch (see tilecc/abi.h).
struct LaunchDemands {
  uint32_t demands = 0; ///< TILECC_POINTERS_DIVISIBLE_BY_16 and the like
  uint32_t units = 0; ///< bit i: parameter i is assumed to be 1, and not to be a multiple
  uint32_t free = 0; ///< bit i: nothing is assumed about parameter i, an integer
  /// If not 1, a launch runs `parts` programs, adjacent along x, in place of each program. Each computes a part of the
  /// tile.
  uint32_t parts = 1;
  /// With TILECC_FEW_ROWS: the number of an integer parameter, and the largest value that it may have.
  uint32_t rows = 0, maxRows = 0;
  /// With TILECC_SHORTER_ROUNDS: the duration of a round of blocks, in percent of a round of the next variant. With
  /// TILECC_EVEN_SHARES: the duration of all parts of a program, in percent of that of the whole program.
  uint32_t roundPercent = 0;
  /// With TILECC_SHORT_LOOPS: the largest number of iterations for each block that runs a program.
  uint32_t maxIterations = 0;
  /// The words of the LaunchCode that computes the number of iterations of a program's loop; empty if it is not known.
  std::vector<int64_t> iterations = {};
  uint32_t strides = 0; ///< bit i: parameter i is assumed to be from 0 to TILECC_MAX_STRIDE

  bool isUnit(size_t parameter) const { return parameter < TILECC_UNIT_PARAMETERS && units >> parameter & 1; }
  bool isFree(size_t parameter) const { return parameter < TILECC_UNIT_PARAMETERS && free >> parameter & 1; }
  bool isSmallStride(size_t parameter) const { return parameter < TILECC_UNIT_PARAMETERS && strides >> parameter & 1; }
};

/// The code of a kernel on GPUs, for launches that satisfy certain demands.
struct KernelVariant : LaunchDemands {
  std::string name; ///< one of variantNames, with a suffix for a twin
  std::string symbol;
  std::vector<Launch> launches; ///< for each GPU among the targets of compile()
};

/// The code of a kernel for CPUs of one level.
struct CpuFunction {
  std::string symbol;
  uint32_t level = 0;
  uint32_t programs = 1; ///< number of programs, adjacent along x, that one call runs
  uint64_t scratchBytes = 0;
  bool checksAccesses = false;
};

struct Kernel : KernelOptions {
  std::string symbol; ///< mangled; also the name of the host stub
  std::string stub = {}; ///< the name of the host stub, if it is different
  std::string displayName; ///< the name in the source: add<1024>
  std::string file; ///< the file that contains the definition
  unsigned line = 0;
  std::vector<KernelParam> params; ///< in the order of the tt.func's arguments
  /// The bytes of global memory that each program needs as scratch space. If not 0, the kernel has an additional last
  /// argument, which points to the memory for all programs.
  uint64_t globalScratchBytes = 0;
  /// A module with one public tt.func. An argument has tt.divisibility only if the source asserts it; no other
  /// assumptions have been made.
  mlir::OwningOpRef<mlir::ModuleOp> ttir;

  /// The TTIR as text, for objects compiled with -ffusion (tilecc/fusion.h); otherwise empty.
  std::string keptTTIR;

  // Results of the compilation.
  std::vector<KernelVariant> variants; ///< most demanding first
  std::vector<CpuFunction> cpuFunctions; ///< best level first
  std::string noCpuCode; ///< the reason why there is no CPU code; empty if there is
  /// The hash of everything, except the targets, that determines the code (CodeHash.h).
  uint64_t codeHash = 0;
};

/// Returns the variant that typical launches run, by which the register usage of a kernel is judged. It is the most
/// demanding variant that is not restricted to few rows, to parts of tiles or to many programs.
const KernelVariant &getUsualVariant(const Kernel &kernel);

/// An attribute of a kernel's function, which the driver reads and removes. It lists the accesses to tiles that extend
/// beyond their tensors; each is a location, whose name describes the access.
inline constexpr llvm::StringLiteral narrowViewsAttr = "tilecc.narrow_views";

/// Returns the parameters of a function in IR, packed like the members of a C struct.
std::vector<KernelParam> packedParams(mlir::TypeRange types);

/// Returns the location of the kernel's definition, for messages.
mlir::Location locationOf(const Kernel &kernel);

/// Returns a module as text, including locations.
std::string printModule(mlir::ModuleOp module);

} // namespace tilecc

#endif // TILECC_COMPILE_KERNEL_H
