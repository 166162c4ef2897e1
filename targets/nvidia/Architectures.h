//===- Architectures.h - the table of NVIDIA's GPU architectures ----------------------------------------*- C++ -*-===//
//
// Everything that depends on the architecture is in Architectures.cpp and nowhere else. The driver uses it to validate
// -arch, the back end for the version of PTX, and the lowering for shared memory and for features. Passes look it up by
// the module's ttg.target.
//
// An architecture with the suffix `a` is one chip with all of its instructions: code for sm_90a runs only on 9.0. With
// the suffix `f`, it is the chip's family. Without a suffix, it has only the instructions that newer GPUs also have, so
// its PTX runs on them.
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
  /// Returns the encoding used in tilecc_image of tilecc/abi.h.
  uint32_t inDescriptor() const;
  bool operator==(const Architecture &) const = default;
  auto operator<=>(const Architecture &) const = default;

  /// Parses "90", "90a" or "100f": a number and a suffix. The architecture need not exist.
  static std::optional<Architecture> parse(llvm::StringRef text);
};

/// Features that only some architectures have.
enum class Feature : uint32_t {
  Float8 = 1, ///< conversions and dots of 8-bit floats
  MatrixF64 = 2, ///< mma of f64 with 16 rows
  AtomicAddBFloat16 = 4, ///< atom.add.bf16
  Clusters = 8, ///< thread block clusters and distributed shared memory
  TensorCopies = 16, ///< TMA, and mbarriers that count its bytes
  Wgmma = 32, ///< asynchronous warp-group dots
  RegisterShares = 64, ///< setmaxnreg
  GridDependencies = 128, ///< griddepcontrol
  MatrixStores = 512, ///< stmatrix
  VectorAdditions = 1024, ///< red.add of several floats
  TensorMemory = 2048, ///< tcgen05: tensor memory, and dots that accumulate there
  TensorMemoryBytes = 4096, ///< such dots with 8-bit integers
  BFloat16Arithmetic = 256, ///< add.bf16 and mul.bf16, which LLVM's back end selects by itself
};

/// A row of the table.
struct Facts final : GpuFacts {
  Architecture arch;
  unsigned sharedBytes; ///< maximum for one block
  unsigned ptxVersion; ///< the oldest version, times ten, that has the target and everything that the lowering emits
  uint32_t features;

  constexpr Facts(Architecture arch, unsigned sharedBytes, unsigned ptxVersion, uint32_t features)
      : arch(arch), sharedBytes(sharedBytes), ptxVersion(ptxVersion), features(features) {
    maxPartitions = numPartitionBarriers;
  }

  /// The lowering queries these functions, so that Answers can record the queries.
  bool has(Feature feature) const;
  bool fits(int64_t bytesOfSharedMemory) const override;
  unsigned getMostSharedBytes() const override { return sharedBytes; }
  bool hasClusters() const override { return has(Feature::Clusters); }
  bool hasTensorCopies() const override { return has(Feature::TensorCopies); }
  bool hasMatrixStores() const override { return has(Feature::MatrixStores); }
  unsigned getMostAdded(mlir::Type element) const override;
};

/// Records the queries about an architecture and their results. Code that was generated with these results is valid for
/// every architecture that gives the same results.
class Answers {
public:
  bool areThoseOf(const Facts &other) const;

  /// While it is alive, queries of this thread are recorded.
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
  uint32_t asked = 0, given = 0; ///< features
  int64_t fitting = 0, tooLarge = INT64_MAX; ///< bytes of shared memory
};

/// Returns all architectures for which kernels can be compiled. Older ones come first, and those without a suffix come
/// before those with one.
llvm::ArrayRef<Facts> allArchitectures();

/// Returns null for an architecture that is not in the table.
const Facts *findFacts(const Architecture &arch);
/// Returns the facts for the target of the module that contains `op`, or null if it names none.
const Facts *findFacts(mlir::Operation *op);

/// Returns the architecture for which code (a cubin) for this GPU is compiled. Machine code for 9.0 does not run on any
/// other GPU, so it is compiled for sm_90a, as in Triton and nvcc's tile compiler. PTX for compute_90 is not, because
/// it must run on newer GPUs.
Architecture architectureOfCode(const Architecture &arch);

/// Convert between an architecture and the target of this back end.
Target targetOf(const Architecture &arch);
Architecture architectureOf(const Target &target);

/// Returns the value of ttg.target. The spelling is Triton's, where "cuda:90" means code for sm_90 with that chip's own
/// instructions. Portable PTX is "cuda:compute_90". Other architectures have no such difference, and the attribute is
/// "cuda:80", "cuda:100" or "cuda:100a".
std::string spellTarget(const Architecture &arch);

/// Parses such a spelling. If it is invalid, returns nothing and sets `error` to the reason.
std::optional<Architecture> parseTarget(llvm::StringRef spelling, std::string &error);

/// Returns true if the GPU for which the module around `op` is compiled has `feature`. Returns false without a valid
/// ttg.target. Passes use this.
bool hasFeature(mlir::Operation *op, Feature feature);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_ARCHITECTURES_H
