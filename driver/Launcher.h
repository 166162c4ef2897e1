//===- Launcher.h - kernels for programs that tcc does not compile ----------------------------------------------*- C++ -*-//
//
// --emit=c-launcher writes a pair of files in plain C: images of all kernels, and functions that load, unload and launch them
// by the CUDA driver API alone. --emit=json says what a launcher of one's own has to know.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_LAUNCHER_H
#define TILECC_DRIVER_LAUNCHER_H

#include "compile/Kernel.h"
#include "driver/TargetArchs.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tilecc {

/// What both are made of: kernels that have been compiled for the targets.
struct LauncherInput {
  llvm::StringRef source; ///< the main file's name
  llvm::ArrayRef<Kernel> kernels;
  llvm::ArrayRef<TargetArch> targets;
  llvm::ArrayRef<Target> portableTargets; ///< behind those
};

/// The text of --emit=json.
std::string writeMetadata(const LauncherInput &input);

struct Launcher {
  std::string header, code;
};

/// `name` is that of the files without the extension, of which the functions' names are made; `fatbin` has all images.
Launcher writeLauncher(const LauncherInput &input, llvm::StringRef name, llvm::StringRef fatbin);

} // namespace tilecc

#endif // TILECC_DRIVER_LAUNCHER_H
