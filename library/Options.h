//===- Options.h - what a program is compiled for, and how ---------------------------------------------------*- C++
//-*-//

#ifndef TILECC_LIBRARY_OPTIONS_H
#define TILECC_LIBRARY_OPTIONS_H

#include "compile/Target.h"
#include "lowering/gpu/GpuTarget.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace tilecc {

/// A target as it was named.
struct AskedTarget {
  Target target;
  bool code; ///< machine code, where that takes an assembler
};

struct ProgramOptions {
  std::vector<AskedTarget> targets;
  std::vector<std::string> clang; ///< for the front end
  FloatOptions floats;
  std::optional<int> numWarps, numStages, numCtas;
  std::vector<std::string> ptxas; ///< for the assembler
  std::string cudaPath;           ///< empty: looked for; "none": none
  bool keepsTTIR = false;
  bool usesCache = false;
  std::string cacheDir; ///< empty: the user's
};

/// Reads options in tcc's spelling; an error names the one that is wrong.
llvm::Expected<ProgramOptions> parseOptions(llvm::ArrayRef<std::string> words);

} // namespace tilecc

#endif // TILECC_LIBRARY_OPTIONS_H
