//===- CudaToolkit.cpp - finding the CUDA toolkit -----------------------------------------------------------------===//
//
// One of the first steps of main(): which programs there are decides what the images of kernels can be.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/CudaToolkit.h"
#include "driver/Context.h"
#include "driver/Options.h"
#include "driver/Programs.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace tilecc {

void CudaToolkit::reportMissing(Context &ctx, StringRef tool, StringRef stage) {
  Error(ctx) << stage << " needs " << tool << ", which is part of the CUDA toolkit (12.8 or later); install it, or name "
             << "its folder with --cuda-path";
}

static std::string toolIn(StringRef toolkit, StringRef name) {
  SmallString<128> path(toolkit);
  sys::path::append(path, "bin", name);
  return sys::fs::can_execute(path) ? path.str().str() : std::string();
}

static CudaToolkit describe(StringRef path) {
  CudaToolkit toolkit;
  toolkit.path = path.str();
  toolkit.ptxas = toolIn(path, "ptxas");
  toolkit.fatbinary = toolIn(path, "fatbinary");
  toolkit.nvlink = toolIn(path, "nvlink");
  toolkit.cuobjdump = toolIn(path, "cuobjdump");
  toolkit.nvdisasm = toolIn(path, "nvdisasm");
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

std::string CudaToolkit::version() const {
  std::string text = outputOf({ptxas, "--version"});
  auto [before, after] = StringRef(text).split("release "); // "Cuda compilation tools, release 13.0, V13.0.88"
  return after.split(',').first.str();
}

bool CudaToolkit::assembles(const nvidia::Architecture &arch) {
  constexpr unsigned oldestToolkit = 87; // the version of PTX that came with CUDA 12.8
  if (nvidia::findFacts(arch)->ptxVersion <= oldestToolkit)
    return true;
  // Its help lists them: 'sm_90','sm_90a'. Whatever else may answer for ptxas is taken to assemble what it is given.
  if (ptxasHelp.empty())
    ptxasHelp = outputOf({ptxas, "--help"});
  return !StringRef(ptxasHelp).contains("'sm_") || StringRef(ptxasHelp).contains("'" + arch.sm() + "'");
}

static CudaToolkit findToolkit(Context &ctx) {
  // A place somebody named must hold a toolkit; the others may.
  auto named = [&](StringRef path, const Twine &by) -> CudaToolkit {
    if (path == "none")
      return {};
    CudaToolkit toolkit = describe(path);
    if (!toolkit.hasPtxas())
      Error(ctx) << by << ": there is no CUDA toolkit in '" << path << "' (no bin/ptxas)";
    return toolkit;
  };
  if (auto *arg = ctx.args.getLastArg(options::OPT_cuda_path_EQ))
    return named(arg->getValue(), "--cuda-path");
  for (const char *variable : {"TILECC_CUDA_PATH", "CUDA_PATH"})
    if (auto value = sys::Process::GetEnv(variable); value && !value->empty())
      return named(*value, variable);

  if (auto nvcc = sys::findProgramByName("nvcc")) {
    SmallString<128> real;
    if (!sys::fs::real_path(*nvcc, real))
      if (auto toolkit = describe(sys::path::parent_path(sys::path::parent_path(real))); toolkit.hasPtxas())
        return toolkit;
  }
  if (auto toolkit = describe("/usr/local/cuda"); toolkit.hasPtxas())
    return toolkit;
  if (auto ptxas = sys::findProgramByName("ptxas")) {
    CudaToolkit toolkit = describe(sys::path::parent_path(sys::path::parent_path(*ptxas)));
    toolkit.ptxas = *ptxas;
    return toolkit;
  }
  return {};
}

CudaToolkit findCudaToolkit(Context &ctx) {
  CudaToolkit toolkit = findToolkit(ctx);
  if (const opt::Arg *arg = ctx.args.getLastArg(options::OPT_libdevice_directory_EQ)) {
    SmallString<128> file(arg->getValue());
    sys::path::append(file, "libdevice.10.bc");
    if (!sys::fs::exists(file))
      Error(ctx) << "-ldir: there is no libdevice.10.bc in '" << arg->getValue() << "'";
    toolkit.libdevice = file.str().str();
  }
  return toolkit;
}

} // namespace tilecc
