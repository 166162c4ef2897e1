//===- Architectures.h - the one table of NVIDIA's GPU architectures ---------------------------------------*- C++ -*-//
//
// What an architecture has stands in Architectures.cpp and nowhere else. The driver asks it for what -arch may name, the
// back end for the version of PTX, the lowering for shared memory and for features; passes ask through the module's
// ttg.target.
//
// An architecture with the suffix `a` is one chip with all of its instructions: code for sm_90a runs on 9.0 alone. With
// `f` it is the chip's family. Without a suffix it is what newer GPUs have, too, so that its PTX runs on them.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_ARCHITECTURES_H
#define TILECC_TARGETS_NVIDIA_ARCHITECTURES_H

#include "targets/GpuFacts.h"
#include "targets/Target.h"
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
  /// As tilecc_image of tilecc/abi.h has it.
  uint32_t inDescriptor() const;
  bool operator==(const Architecture &) const = default;
  auto operator<=>(const Architecture &) const = default;

  /// "90", "90a", "100f": a number and a suffix, of an architecture that need not exist.
  static std::optional<Architecture> parse(llvm::StringRef text);
};

/// What some architectures have and others have not.
enum class Feature : uint32_t {
  Float8 = 1,            ///< conversions and products of 8-bit floats
  MatrixF64 = 2,         ///< mma of f64 with 16 rows
  AtomicAddBFloat16 = 4, ///< atom.add.bf16
  Clusters = 8,          ///< thread block clusters and distributed shared memory
  TensorCopies = 16,     ///< TMA, and mbarriers that count its bytes
  Wgmma = 32,            ///< asynchronous products of warpgroups
  RegisterShares = 64,   ///< setmaxnreg
  GridDependencies = 128, ///< griddepcontrol
  MatrixStores = 512,     ///< stmatrix
  VectorAdditions = 1024, ///< red.add of several floats
  TensorMemory = 2048,    ///< tcgen05: tensor memory, and products that accumulate there
  TensorMemoryBytes = 4096, ///< such products of bytes
  BFloat16Arithmetic = 256, ///< add.bf16 and mul.bf16, which LLVM's back end takes by itself
};

/// A row of the table.
struct Facts final : GpuFacts {
  Architecture arch;
  unsigned sharedBytes; ///< of one block at most
  unsigned ptxVersion;  ///< the oldest, times ten, that knows the target and has what the lowering writes
  uint32_t features;

  constexpr Facts(Architecture arch, unsigned sharedBytes, unsigned ptxVersion, uint32_t features)
      : arch(arch), sharedBytes(sharedBytes), ptxVersion(ptxVersion), features(features) {}

  /// The lowering asks by these functions, so that Answers knows.
  bool has(Feature feature) const;
  bool fits(int64_t bytesOfSharedMemory) const override;
  unsigned getMostSharedBytes() const override { return sharedBytes; }
  bool hasClusters() const override { return has(Feature::Clusters); }
  unsigned getMostAdded(mlir::Type element) const override;
};

/// What was asked of an architecture, and what it said. Code that was made by these answers is the code for every architecture
/// that gives the same.
class Answers {
public:
  bool areThoseOf(const Facts &other) const;

  /// While it lives, what this thread asks is noted.
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
  uint32_t asked = 0, given = 0;             ///< features
  int64_t fitting = 0, tooLarge = INT64_MAX; ///< bytes of shared memory
};

/// All architectures that kernels can be compiled for, oldest first, without a suffix before with one.
llvm::ArrayRef<Facts> allArchitectures();

/// Null for an architecture that is not in the table.
const Facts *findFacts(const Architecture &arch);
/// Of the target that the module around `op` names; null if it names none.
const Facts *findFacts(mlir::Operation *op);

/// What code (a cubin) for a GPU of this architecture is compiled for. Code for 9.0 runs on nothing else in any case, so it is
/// compiled for sm_90a, as Triton and nvcc's tile compiler do. PTX for compute_90 is not: it has to run on newer GPUs.
Architecture architectureOfCode(const Architecture &arch);

/// The target of this back end, and its architecture.
Target targetOf(const Architecture &arch);
Architecture architectureOf(const Target &target);

/// The module attribute ttg.target. It is spelled as in Triton, where "cuda:90" means code for sm_90 with that chip's own
/// instructions. PTX that stays portable is "cuda:compute_90"; for other architectures there is no difference, and the
/// attribute is "cuda:80", "cuda:100", "cuda:100a".
std::string spellTarget(const Architecture &arch);

/// The other way; nothing, with the reason in `error`, for what is no target.
std::optional<Architecture> parseTarget(llvm::StringRef spelling, std::string &error);

/// Whether the GPU that the module around `op` is compiled for has `feature`. This is how passes ask. False without a valid
/// ttg.target.
bool hasFeature(mlir::Operation *op, Feature feature);

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_ARCHITECTURES_H
