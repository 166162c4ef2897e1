//===- Model.h - what a page shows of a compilation --------------------------------------------------------*- C++ -*-//
//
// The data of --emit=html: each stage of each kernel as lines of text, and which lines of the sources each of them comes
// from. Stages know different things of that (MLIR has locations, LLVM IR debug metadata, assembly line tables), and a
// page wants to compare them all. So every stage refers to one table of call chains, and a chain is written down once.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_PAGE_MODEL_H
#define TILECC_PAGE_MODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tilecc::page {

/// A line of a source file.
struct Place {
  unsigned file; ///< an index into Chains::getFiles()
  unsigned line;
  auto operator<=>(const Place &) const = default;
};

/// Where code comes from: a place and, if it is in an inlined function, the places of the calls, the outermost last.
using Chain = std::vector<Place>;

/// The table of all chains. Its functions may be called from several threads.
class Chains {
public:
  unsigned getFile(llvm::StringRef path);
  /// The number of a chain that is not empty.
  unsigned getNumber(const Chain &chain);

  // Once compilation has ended:
  const std::vector<std::string> &getFiles() const { return files; }
  const std::vector<Chain> &getChains() const { return chains; }

private:
  std::mutex mutex;
  llvm::StringMap<unsigned> fileNumbers;
  std::vector<std::string> files;
  std::map<Chain, unsigned> numbers;
  std::vector<Chain> chains;
};

struct Line {
  std::string text;
  llvm::SmallVector<unsigned, 1> chains; ///< that the line comes from; passes merge operations of several
};
using Text = std::vector<Line>;

/// A stage of a kernel, such as its PTX.
struct StageText {
  std::string name; ///< as --emit= takes it
  Text text;
  std::string missing; ///< why there is no text; empty if there is
};

/// The IR after a pass.
struct PassText {
  std::string name; ///< empty: see ObservedState::pass
  double milliseconds = 0;
  bool isChanged = true; ///< if not, `text` is empty, and the IR is that before the pass
  Text text;
};

/// A type of tiles in TTGIR, and where each element lives: the bases of its linear layout.
struct TileLayout {
  struct Input {
    std::string name;                         ///< register, lane, warp, block or offset
    std::vector<std::vector<uint32_t>> bases; ///< for each bit of the input the coordinates that it contributes
  };
  std::string type; ///< as the text has it
  std::vector<int64_t> shape;
  unsigned elementBits = 0;
  bool isShared = false;
  std::vector<Input> inputs;
};

/// An access of TTIR to global memory.
struct Access {
  unsigned line; ///< of the text, from 0
  bool isRead, isWrite;
  uint64_t bytes; ///< that a program accesses each time, if the mask is true everywhere
};

/// What a kernel takes of a GPU.
struct Costs {
  unsigned registers, spillStoreBytes, spillLoadBytes, stackBytes, sharedBytes, threads;
  unsigned blocks = 0, warps = 0, mostWarps = 0; ///< that a multiprocessor runs at once; 0: it is not known
  std::string limit;                             ///< what allows no more of them
  std::vector<std::string> remarks;              ///< the assembler's
};

/// One variant of a kernel for one GPU.
struct VariantPage {
  std::string target, name, symbol;
  std::string assumption; ///< what it assumes of its arguments, in words
  std::vector<StageText> stages;
  std::vector<PassText> passes;
  std::vector<TileLayout> layouts;
  std::vector<Access> accesses;
  std::optional<Costs> costs;
  std::string noCosts; ///< why there are none
};

/// The function of a kernel for one level of CPUs.
struct CpuPage {
  std::string level, symbol;
  std::vector<StageText> stages;
};

struct KernelPage {
  std::string name, symbol;
  std::string file;
  unsigned line = 0;
  std::vector<VariantPage> variants; ///< by target
  std::vector<CpuPage> cpu;
  std::string noCpuCode;
};

struct Page {
  std::string source, version;
  Chains chains;
  std::vector<KernelPage> kernels;
};

} // namespace tilecc::page

#endif // TILECC_PAGE_MODEL_H
