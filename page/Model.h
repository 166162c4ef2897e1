//===- Model.h - the data that a page shows about a compilation --------------------------------------------*- C++ -*-//
//
// The data of --emit=html: each stage of each kernel as lines of text, and the source lines that each of them comes
// from. Stages represent locations differently (MLIR locations, LLVM debug metadata, line tables), but a page compares
// all of them. So every stage refers to one table of call chains without duplicates.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_PAGE_MODEL_H
#define TILECC_PAGE_MODEL_H

#include "frontend/TileVariables.h"
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

/// The origin of code: a place and, if it is in an inlined function, the places of the calls, the outermost one last.
using Chain = std::vector<Place>;

/// The table of all chains. Thread-safe.
class Chains {
public:
  unsigned getFile(llvm::StringRef path);
  /// Returns the number of a nonempty chain.
  unsigned getNumber(const Chain &chain);

  // After compilation:
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
  llvm::SmallVector<unsigned, 1> chains; ///< several if a pass has merged operations
};
using Text = std::vector<Line>;

/// A stage of a kernel, for example its PTX.
struct StageText {
  std::string name; ///< its name for --emit=
  Text text;
  std::string missing; ///< the reason why there is no text; otherwise empty
};

/// The IR after a pass.
struct PassText {
  std::string name; ///< empty: see ObservedState::pass
  double milliseconds = 0;
  bool isChanged = true; ///< if not, `text` is empty and the IR is as before
  Text text;
};

/// A tile type in TTGIR and the location of each element: the bases of its linear layout.
struct TileLayout {
  struct Input {
    std::string name; ///< register, lane, warp, block or offset
    std::vector<std::vector<uint32_t>> bases; ///< the coordinates contributed by each bit of the input
  };
  std::string type; ///< as in the text
  std::vector<int64_t> shape;
  unsigned elementBits = 0;
  bool isShared = false;
  std::vector<Input> inputs;
};

/// An operation of TTGIR that moves a tile between two layouts, or reads a matrix unit's operand.
struct Movement {
  /// The accesses of a warp to shared memory (SharedAccess). Addresses are in elements, without padding.
  struct Access {
    std::string kind; ///< vectors, matrices (ldmatrix, stmatrix) or operand: the matrix unit reads it
    unsigned width = 0; ///< number of elements that a lane's address covers
    unsigned lanes = 0; ///< number of lanes that provide an address
    unsigned inner = 0; ///< mask of the register bits that one access covers
    std::vector<TileLayout::Input> addresses; ///< by register, lane and warp
    std::vector<std::pair<unsigned, unsigned>> padding; ///< pairs: after `first` elements, `second` elements are unused
  };
  unsigned line; ///< of the text, starting at 0
  std::string name;
  std::optional<unsigned> from, to; ///< numbers of layouts; none: the matrix unit
  std::optional<Access> access; ///< none: a conversion between registers
};

/// An access to global memory in TTIR.
struct Access {
  unsigned line; ///< of the text, starting at 0
  bool isRead, isWrite;
  uint64_t bytes; ///< bytes per execution in a program, if no element is masked off
};

/// The work of a program in one iteration of a loop, without inner loops, or outside all loops.
struct Work {
  std::optional<unsigned> line; ///< of the loop in the text of TTIR, starting at 0; none: outside all loops
  uint64_t matrixFlops, otherFlops, bytes;
};

/// A decision of the compiler, as -Rtile=<kind> reports it.
struct Remark {
  struct Position {
    std::string file;
    unsigned line, column; ///< columns count bytes, from 1; 0: unknown
  };
  std::string kind, text;
  /// Origins of the code as in Chain, with columns. Several if a pass has merged operations.
  std::vector<std::vector<Position>> chains;
};

/// The resources that a kernel uses on a GPU.
struct Costs {
  unsigned registers, spillStoreBytes, spillLoadBytes, stackBytes, sharedBytes, threads;
  unsigned blocks = 0, warps = 0, maxWarps = 0; ///< per multiprocessor at the same time; 0: unknown
  std::string limit; ///< the resource that limits them
  std::vector<std::string> remarks; ///< from the assembler
};

/// The executions of a variant that one profile records.
struct Run {
  /// The counts of a row, which is a line of `stage`, starting at 0, or of a source file, starting at 1.
  struct Row {
    unsigned row;
    std::vector<uint64_t> counts; ///< by metric
  };
  struct Finding {
    unsigned row;
    std::string text;
  };
  struct Wait {
    uint64_t begin, end;
    unsigned row;
  };
  struct Warp {
    uint64_t end; ///< in steps
    std::vector<Wait> waits;
  };
  std::string maker; ///< emulator or ncu
  std::string stage; ///< ptx, sass or source
  unsigned file = 0; ///< source: an index into Chains::getFiles()
  std::string launch; ///< a description
  std::vector<std::string> metrics; ///< see page/view/runs.js
  std::vector<Row> rows;
  std::vector<Finding> findings;
  struct Timeline {
    std::string block; ///< a description: of which launch
    std::vector<Warp> warps;
  };
  struct WarpSum {
    uint64_t blocks, steps, waited; ///< the number of blocks with such a warp; sums over these warps
  };
  std::vector<Timeline> timelines; ///< of a few blocks
  std::vector<WarpSum> warpSums; ///< of all blocks, by the warp's number
};

/// The times of scopes inside one launch of a kernel (TILECC_PROFILE).
struct TimedLaunch {
  struct Scope {
    std::string name;
    double begin, end; ///< microseconds from the beginning of the first one
    std::optional<unsigned> file; ///< an index into Chains::getFiles(); none if the page does not have the file
    unsigned line;
  };
  /// A warp, or a program on the CPU.
  struct Track {
    std::string name;
    std::vector<Scope> scopes; ///< in the order of their beginnings
  };
  std::string launch; ///< a description
  std::vector<Track> tracks; ///< the first tracks
  size_t trackCount = 0; ///< the number of all tracks
};

/// One variant of a kernel for one GPU.
struct VariantPage {
  std::string target, name, symbol;
  std::string assumption; ///< a description of its assumptions about arguments
  bool isUsual = false; ///< most launches use it (getUsualVariant)
  std::vector<StageText> stages;
  std::vector<PassText> passes;
  std::vector<TileLayout> layouts;
  std::vector<Movement> movements;
  std::vector<Access> accesses;
  std::vector<Work> work;
  std::vector<Remark> remarks;
  std::vector<Run> runs;
  std::optional<Costs> costs;
  std::string noCosts; ///< the reason why there are no costs
};

/// The function of a kernel for one CPU level.
struct CpuPage {
  std::string level, symbol;
  std::vector<StageText> stages;
};

struct KernelPage {
  std::string name, symbol;
  std::string file;
  unsigned line = 0;
  std::vector<VariantPage> variants; ///< ordered by target
  std::vector<CpuPage> cpu;
  std::string noCpuCode;
  std::vector<TimedLaunch> times;
};

struct Page {
  std::string source, version;
  Chains chains;
  std::vector<KernelPage> kernels;
  std::vector<TileVariable> variables; ///< ordered by place
  std::vector<std::string> notes; ///< for the reader, such as that a profile is of other code
};

} // namespace tilecc::page

#endif // TILECC_PAGE_MODEL_H
