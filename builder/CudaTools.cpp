//===- CudaTools.cpp - finds the CUDA toolkit -------------------------------------------------------------------===//
//
// The driver and libtilecc call these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "builder/CudaTools.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace tilecc {

static std::string toolIn(StringRef toolkit, StringRef name) {
  SmallString<128> path(toolkit);
  sys::path::append(path, "bin", name);
  return sys::fs::can_execute(path) ? path.str().str() : std::string();
}

/// Finds a tool that only inspects code. It need not be in the toolkit, because NVIDIA also ships such tools in
/// separate packages.
static std::string toolToLook(StringRef toolkit, StringRef name) {
  std::string path = toolIn(toolkit, name);
  if (ErrorOr<std::string> found = sys::findProgramByName(name); path.empty() && found)
    return *found;
  return path;
}

static CudaTools describe(StringRef path) {
  CudaTools toolkit;
  toolkit.path = path.str();
  toolkit.ptxas = toolIn(path, "ptxas");
  toolkit.fatbinary = toolIn(path, "fatbinary");
  toolkit.nvlink = toolIn(path, "nvlink");
  toolkit.cuobjdump = toolToLook(path, "cuobjdump");
  toolkit.nvdisasm = toolToLook(path, "nvdisasm");
  SmallString<128> libdevice(path);
  sys::path::append(libdevice, "nvvm", "libdevice", "libdevice.10.bc");
  if (sys::fs::exists(libdevice))
    toolkit.libdevice = libdevice.str().str();
  for (const char *folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
    SmallString<128> libraries(path);
    sys::path::append(libraries, folder);
    if (!toolkit.libraries.empty() || !sys::fs::exists(libraries + "/libcudart_static.a"))
      continue;
    toolkit.libraries = libraries.str().str();
  }
  return toolkit;
}

/// Searches PATH, except in a set-uid program, which must not follow its user's choice of directories and programs.
static std::optional<std::string> findProgram(StringRef name) {
  if (!secure_getenv("PATH"))
    return std::nullopt;
  auto found = sys::findProgramByName(name);
  return found ? std::optional(*found) : std::nullopt;
}

CudaTools findCudaTools(StringRef asked, std::string &mistake) {
  // A location that the user names must contain a toolkit; default locations need not.
  auto named = [&](StringRef path, const Twine &by) -> CudaTools {
    if (path == "none")
      return {};
    CudaTools toolkit = describe(path);
    if (!toolkit.hasPtxas())
      mistake = (by + ": there is no CUDA toolkit in '" + path + "' (no bin/ptxas)").str();
    return toolkit;
  };
  if (!asked.empty())
    return named(asked, "--cuda-path");
  for (const char *variable : {"TILECC_CUDA_PATH", "CUDA_PATH"})
    if (auto value = secure_getenv(variable); value && *value)
      return named(value, variable);

  if (auto nvcc = findProgram("nvcc")) {
    SmallString<128> real;
    if (!sys::fs::real_path(*nvcc, real))
      if (auto toolkit = describe(sys::path::parent_path(sys::path::parent_path(real))); toolkit.hasPtxas())
        return toolkit;
  }
  if (auto toolkit = describe("/usr/local/cuda"); toolkit.hasPtxas())
    return toolkit;
  if (auto ptxas = findProgram("ptxas")) {
    CudaTools toolkit = describe(sys::path::parent_path(sys::path::parent_path(*ptxas)));
    toolkit.ptxas = *ptxas;
    return toolkit;
  }
  return {};
}

} // namespace tilecc
