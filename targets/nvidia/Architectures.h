//===- Architectures.h - the table of NVIDIA's GPU architectures ----------------------------------------*- C++ -*-===//
//
// Everything that depends on the architecture is in Architectures.cpp and nowhere else. The driver uses the table to
// validate -arch, the back end for the version of PTX, and the lowering for the size of shared memory and for features.
// Passes find the row for the module's ttg.target.
//
// The suffix of an architecture tells which instructions code for it may use, and on which GPUs it runs. Code for
// sm_90a, with the suffix `a`, may use all instructions of one chip, and runs only on GPUs with compute capability 9.0.
// With the suffix `f`, code runs on the family of the chip. Without a suffix, code uses only instructions that newer
// GPUs also have, so its PTX runs on them.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_ARCHITECTURES_H
#define TILECC_TARGETS_NVIDIA_ARCHITECTURES_H

#include "targets/GpuFacts.h"
#include "targets/Target.h"
#include "targets/nvidia/NamedBarriers.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace tilecc::nvidia {

struct Architecture {
  unsigned number = 80;
  char suffix = 0; ///< 0, 'a' or 'f'

  std::string str() const { return std::to_string(number) + (suffix ? std::string(1, suffix) : std::string()); }
  std::string sm() const { return "sm_" + str(); }
  std::string compute() const { return "compute_" + str(); }
  /// Returns the number that stands for the architecture in tilecc_image of tilecc/abi.h.
  uint32_t inDescriptor() const;
  bool operator==(const Architecture &) const = default;
  auto operator<=>(const Architecture &) const = default;

  /// Parses "90", "90a" or "100f": a number and an optional suffix. The architecture need not exist.
  static std::optional<Architecture> parse(llvm::StringRef text);
};

/// Features that some architectures have and others lack.
enum class Feature : uint32_t {
  Float8 = 1, ///< conversions and dots of 8-bit floats
  MatrixF64 = 2, ///< mma of f64 with 16 rows
  AtomicAddBFloat16 = 4, ///< atom.add.bf16
  Clusters = 8, ///< thread block clusters and distributed shared memory
  TensorCopies = 16, ///< TMA, and mbarriers that count the bytes it copies
  Wgmma = 32, ///< asynchronous warp-group dots
  RegisterShares = 64, ///< setmaxnreg
  GridDependencies = 128, ///< griddepcontrol
  MatrixStores = 512, ///< stmatrix
  VectorAdditions = 1024, ///< red.add of several floats
  TensorMemory = 2048, ///< tcgen05: tensor memory, and dots that accumulate there
  TensorMemoryBytes = 4096, ///< dots of 8-bit integers that accumulate in tensor memory
  BFloat16Arithmetic = 256, ///< add.bf16 and mul.bf16, which LLVM's back end selects by itself
};

/// A row of the table: one architecture.
struct Facts final : GpuFacts {
  Architecture arch;
  unsigned sharedBytes; ///< the maximum for one thread block
  unsigned ptxVersion; ///< the oldest version, times ten, that has the target and everything that the lowering emits
  uint32_t features;

  constexpr Facts(Architecture arch, unsigned sharedBytes, unsigned ptxVersion, uint32_t features)
      : arch(arch), sharedBytes(sharedBytes), ptxVersion(ptxVersion), features(features) {
    maxPartitions = numPartitionBarriers;
  }

  /// The lowering asks for features and sizes only through these functions, so that Answers can record what it asked.
  bool has(Feature feature) const;
  bool fits(int64_t bytesOfSharedMemory) const override;
  unsigned getMostSharedBytes() const override { return sharedBytes; }
  bool hasClusters() const override { return has(Feature::Clusters); }
  bool hasTensorCopies() const override { return has(Feature::TensorCopies); }
  bool hasMatrixStores() const override { return has(Feature::MatrixStores); }
  unsigned getMostAdded(mlir::Type element) const override;
};

/// Records what the lowering asks about an architecture, and the answers. The generated code is also valid for every
/// other architecture that gives the same answers.
class Answers {
public:
  bool areThoseOf(const Facts &other) const;

  /// While it exists, the questions of this thread are recorded.
  class Listener {
  public:
    explicit Listener(Answers &answers);
    ~Listener();
    Listener(const Listener &) = delete;

  private:
    Answers *outer;
  };

private:
  friend struct Facts;
  uint32_t asked = 0, given = 0; ///< sets of features: those asked for, and those that exist
  int64_t fitting = 0, tooLarge = INT64_MAX; ///< bytes of shared memory
};

/// Returns all architectures for which kernels can be compiled. Older ones come first; architectures of the same number
/// come without suffix first.
llvm::ArrayRef<Facts> allArchitectures();

/// Returns the row for `arch`, or null if it is not in the table.
const Facts *findFacts(const Architecture &arch);
/// Returns the facts about the target of the module that contains `op`, or null if the module names no target.
const Facts *findFacts(mlir::Operation *op);

/// Returns the architecture for which machine code (a cubin) for the GPU `arch` is compiled. Machine code for 9.0 runs
/// on no other GPU, so it is compiled for sm_90a, as in Triton and nvcc's tile compiler. PTX for compute_90 is not,
/// because it must also run on newer GPUs.
Architecture architectureOfCode(const Architecture &arch);

/// Convert between an architecture and a target of this back end.
Target targetOf(const Architecture &arch);
Architecture architectureOf(const Target &target);

/// Returns the value of ttg.target for `arch`. The spelling is Triton's: "cuda:90" means code for sm_90 that uses
/// instructions of that chip alone, and portable PTX is "cuda:compute_90". For other architectures there is no such
/// difference; they are spelled "cuda:80", "cuda:100" or "cuda:100a".
std::string spellTarget(const Architecture &arch);

/// Parses a value of ttg.target. If it is invalid, returns nothing and sets `error` to the reason.
std::optional<Architecture> parseTarget(llvm::StringRef spelling, std::string &error);

/// Returns true if the GPU for which the module around `op` is compiled has `feature`. Returns false if the module has
/// no valid ttg.target. Passes call this function.
bool hasFeature(mlir::Operation *op, Feature feature);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_ARCHITECTURES_H
