//===- Launcher.h - kernels for programs that other compilers build ----------------------------------------*- C++ -*-//
//
// --emit=c-launcher writes a header and a source file in plain C for programs that other compilers build. They contain
// the images of all kernels, and functions that load, unload and launch the kernels through the CUDA driver API alone.
// --emit=json writes the metadata from which a launcher can be written by hand.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_LAUNCHER_H
#define TILECC_DRIVER_LAUNCHER_H

#include "compile/Kernel.h"
#include "driver/Context.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

/// The input of the functions below: kernels that have been compiled for the targets.
struct LauncherInput {
  llvm::StringRef source; ///< the main file's name
  llvm::ArrayRef<Kernel> kernels;
  llvm::ArrayRef<TargetArch> targets;
  llvm::ArrayRef<Target> portableTargets; ///< the remaining targets, after `targets`
};

/// Returns the text of --emit=json.
std::string writeMetadata(const LauncherInput &input);

struct Launcher {
  std::string header, code;
};

/// Generates both files. `name` is the base name of the files and the prefix of the functions' names. `fatbin` contains
/// all images.
Launcher writeLauncher(const LauncherInput &input, llvm::StringRef name, llvm::StringRef fatbin);

} // namespace tilecc

#endif // TILECC_DRIVER_LAUNCHER_H
