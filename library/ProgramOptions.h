//===- ProgramOptions.h - the options of a program ----------------------------------------------------*- C++ -*-===//
//

#ifndef TILECC_LIBRARY_PROGRAMOPTIONS_H
#define TILECC_LIBRARY_PROGRAMOPTIONS_H

#include "compile/KernelOptions.h"
#include "lowering/gpu/GpuTarget.h"
#include "targets/Assembler.h"
#include "targets/Target.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace tilecc {

/// A target as the user named it.
struct AskedTarget {
  Target target;
  bool code; ///< machine code, which may need an assembler
};

struct ProgramOptions {
  std::vector<AskedTarget> targets;
  std::vector<std::string> clang; ///< options for the front end
  FloatOptions floats;
  KernelOptions kernel; ///< defaults for the source
  AssemblerOptions assembler; ///< except its path
  std::string cudaPath;           ///< empty: search; "none": no toolkit
  bool keepsTTIR = false;
  bool profile = false; ///< kernels record the times of their scopes
  bool usesCache = false;
  std::string cacheDir; ///< empty: the user's cache
};

/// Parses options with tcc's spelling. The error names the wrong option.
llvm::Expected<ProgramOptions> parseOptions(llvm::ArrayRef<std::string> words);

} // namespace tilecc

#endif // TILECC_LIBRARY_PROGRAMOPTIONS_H
