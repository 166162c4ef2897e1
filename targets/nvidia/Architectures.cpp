//===- Architectures.cpp - the table of NVIDIA's GPU architectures ------------------------------------------------===//
//
// The driver (-arch), the lowering, and the back end that writes PTX read this table. To support a new GPU, add a row.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/Architectures.h"
#include "targets/Registry.h"
#include "lowering/dialects/ttg/TTG.h"
#include "runtime/include/tilecc/abi.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilecc {
const GpuBackend &nvidiaBackend();
}

namespace tilecc::nvidia {

namespace {
constexpr uint32_t bits(std::initializer_list<Feature> features) {
  uint32_t result = 0;
  for (Feature feature : features)
    result |= uint32_t(feature);
  return result;
}

constexpr uint32_t since89 = bits({Feature::Float8});
constexpr uint32_t since90 =
    since89 |
    bits({Feature::MatrixF64, Feature::AtomicAddBFloat16, Feature::Clusters, Feature::TensorCopies,
          Feature::GridDependencies, Feature::BFloat16Arithmetic, Feature::MatrixStores, Feature::VectorAdditions});
constexpr uint32_t hopper = since90 | bits({Feature::Wgmma, Feature::RegisterShares});
constexpr uint32_t blackwell = since90 | bits({Feature::RegisterShares});
constexpr uint32_t tensorMemory = blackwell | bits({Feature::TensorMemory});
constexpr uint32_t tensorMemoryBytes = tensorMemory | bits({Feature::TensorMemoryBytes});

constexpr unsigned KiB = 1024;

// The shared memory is that of CUDA's occupancy calculator, minus the KiB that the system reserves. The PTX version is
// the version that introduced the target, but at least 7.4 for eviction priorities of loads and stores, and 8.1 for
// vector additions in memory.
constexpr Facts table[] = {
    {{80}, 163 * KiB, 74, 0},
    {{86}, 99 * KiB, 74, 0},
    {{87}, 163 * KiB, 74, 0},
    {{88}, 99 * KiB, 90, 0},
    {{89}, 99 * KiB, 78, since89},
    {{90}, 227 * KiB, 81, since90},
    {{90, 'a'}, 227 * KiB, 81, hopper},
    {{100}, 227 * KiB, 86, since90},
    {{100, 'a'}, 227 * KiB, 86, tensorMemoryBytes},
    {{100, 'f'}, 227 * KiB, 88, tensorMemory},
    {{103}, 227 * KiB, 88, since90},
    {{103, 'a'}, 227 * KiB, 88, tensorMemory},
    {{103, 'f'}, 227 * KiB, 88, tensorMemory},
    {{110}, 227 * KiB, 90, since90},
    {{110, 'a'}, 227 * KiB, 90, tensorMemoryBytes},
    {{110, 'f'}, 227 * KiB, 90, tensorMemory},
    {{120}, 99 * KiB, 87, since90},
    {{120, 'a'}, 99 * KiB, 87, blackwell},
    {{120, 'f'}, 99 * KiB, 88, blackwell},
    {{121}, 99 * KiB, 88, since90},
    {{121, 'a'}, 99 * KiB, 88, blackwell},
    {{121, 'f'}, 99 * KiB, 88, blackwell},
};
} // namespace

//===--- answers --------------------------------------------------------------------------------------------------===//

static thread_local Answers *answers = nullptr;

Answers::Listener::Listener(Answers &listening) : outer(std::exchange(answers, &listening)) {}
Answers::Listener::~Listener() { answers = outer; }

bool Facts::has(Feature feature) const {
  uint32_t answer = features & uint32_t(feature);
  if (answers) {
    answers->asked |= uint32_t(feature);
    answers->given |= answer;
  }
  return answer;
}

bool Facts::fits(int64_t bytes) const {
  bool answer = bytes <= sharedBytes;
  if (answers && answer)
    answers->fitting = std::max(answers->fitting, bytes);
  else if (answers)
    answers->tooLarge = std::min(answers->tooLarge, bytes);
  return answer;
}

bool Answers::areThoseOf(const Facts &other) const {
  return (other.features & asked) == given && fitting <= other.sharedBytes && tooLarge > other.sharedBytes;
}

uint32_t Architecture::inDescriptor() const {
  return number | (suffix == 'a' ? TILECC_ARCH_SPECIFIC : suffix == 'f' ? TILECC_ARCH_FAMILY : 0);
}

std::optional<Architecture> Architecture::parse(StringRef text) {
  Architecture arch;
  if (text.consumeInteger(10, arch.number))
    return std::nullopt;
  if (text == "a" || text == "f")
    arch.suffix = text[0];
  else if (!text.empty())
    return std::nullopt;
  return arch;
}

ArrayRef<Facts> allArchitectures() { return table; }

const Facts *findFacts(const Architecture &arch) {
  const Facts *row = llvm::find_if(table, [&](const Facts &facts) { return facts.arch == arch; });
  return row == std::end(table) ? nullptr : row;
}

const Facts *findFacts(Operation *op) {
  auto module = isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  auto spelling = module->getAttrOfType<StringAttr>(ttg::targetAttr);
  std::string error;
  auto target = spelling ? parseTarget(spelling, error) : std::nullopt;
  return target ? findFacts(*target) : nullptr;
}

unsigned Facts::getMostAdded(Type element) const {
  unsigned bits = element.isF32() || element.isF16() || element.isBF16() ? element.getIntOrFloatBitWidth() : 0;
  return bits && has(Feature::VectorAdditions) ? 128 / bits : 1;
}

Architecture architectureOfCode(const Architecture &arch) {
  return arch == Architecture{90} ? Architecture{90, 'a'} : arch;
}

//===--- targets --------------------------------------------------------------------------------------------------===//

Target targetOf(const Architecture &arch) { return {&nvidiaBackend(), arch.sm()}; }

Architecture architectureOf(const Target &target) {
  StringRef name = target.name;
  name.consume_front("sm_");
  return Architecture::parse(name).value();
}

//===--- ttg.target -----------------------------------------------------------------------------------------------===//

std::string spellTarget(const Architecture &arch) {
  if (architectureOfCode(arch) != arch)
    return "cuda:" + arch.compute();
  bool isImplied = architectureOfCode({arch.number}) == arch;
  return "cuda:" + (isImplied ? std::to_string(arch.number) : arch.str());
}

std::optional<Architecture> parseTarget(StringRef spelling, std::string &error) {
  StringRef digits = spelling;
  bool isCuda = digits.consume_front("cuda:"), isPortable = digits.consume_front("compute_");
  auto arch = isCuda ? Architecture::parse(digits) : std::nullopt;
  if (!arch) {
    error = "there is no GPU target '" + spelling.str() + "'";
    return std::nullopt;
  }
  if (arch->number < table[0].arch.number) {
    error = arch->sm() + " is not supported: " + table[0].arch.sm() + " is the oldest";
    return std::nullopt;
  }
  if (!isPortable)
    arch = architectureOfCode(*arch);
  if (!findFacts(*arch)) {
    error = arch->sm() + " is not a GPU that kernels can be compiled for";
    return std::nullopt;
  }
  return arch;
}

bool hasFeature(Operation *op, Feature feature) {
  const Facts *facts = findFacts(op);
  return facts && facts->has(feature);
}

} // namespace tilecc::nvidia
