//===- ProgramOptions.h - the options of a program ----------------------------------------------------*- C++ -*-===//
//
// The options that programs pass to libtilecc, with the spelling of tcc's command line.
//
//===-------------------------------------------------------------------------------------------------------------===//
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
  bool code; ///< machine code is requested, which may need an assembler
};

struct ProgramOptions {
  std::vector<AskedTarget> targets;
  std::vector<std::string> clang; ///< options for the front end
  FloatOptions floats;
  KernelOptions kernel; ///< defaults for the source
  AssemblerOptions assembler; ///< all options except the path
  std::string cudaPath;           ///< empty: search for one; "none": use none
  bool keepsTTIR = false;
  bool profile = false; ///< kernels record the times of their scopes
  bool usesCache = false;
  std::string cacheDir; ///< empty: the user's cache
};

/// Parses options. The error names the option that is wrong.
llvm::Expected<ProgramOptions> parseOptions(llvm::ArrayRef<std::string> words);

} // namespace tilecc

#endif // TILECC_LIBRARY_PROGRAMOPTIONS_H
