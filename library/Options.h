//===- Options.h - what a program is compiled for, and how ---------------------------------------------------*- C++
//-*-//

#ifndef TILECC_LIBRARY_OPTIONS_H
#define TILECC_LIBRARY_OPTIONS_H

#include "targets/Target.h"
#include "targets/nvidia/Ptxas.h"
#include "compile/KernelOptions.h"
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
  KernelOptions kernel; ///< where the source is silent
  PtxasOptions ptxas;             ///< but for its path
  std::string cudaPath;           ///< empty: looked for; "none": none
  bool keepsTTIR = false;
  bool usesCache = false;
  std::string cacheDir; ///< empty: the user's
};

/// Reads options in tcc's spelling; an error names the one that is wrong.
llvm::Expected<ProgramOptions> parseOptions(llvm::ArrayRef<std::string> words);

} // namespace tilecc

#endif // TILECC_LIBRARY_OPTIONS_H
