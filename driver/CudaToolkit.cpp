//===- CudaToolkit.cpp - finds the CUDA toolkit -------------------------------------------------------------------===//
//
// One of the first steps of main(). The available programs determine which kinds of images kernels can have.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/CudaToolkit.h"
#include "driver/Context.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "targets/Backend.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilecc {

void CudaToolkit::reportMissing(Context &ctx, StringRef tool, StringRef stage) {
  Error(ctx) << stage << " needs " << tool
             << ", which is part of the CUDA toolkit (12.8 or later); install it, or name "
             << "its folder with --cuda-path";
}

/// Returns "13.0, V13.0.88" for "Cuda compilation tools, release 13.0, V13.0.88".
static std::string release(const CudaToolkit &cuda) {
  std::string text = outputOf({cuda.ptxas, "--version"});
  return StringRef(text).split("release ").second.split('\n').first.str();
}

std::string CudaToolkit::version() const { return StringRef(release(*this)).split(',').first.str(); }

ToolkitVersion CudaToolkit::fullVersion() const {
  ToolkitVersion version;
  std::string text = release(*this);
  StringRef rest = StringRef(text).split(", V").second;
  for (unsigned *number : {&version.major, &version.minor, &version.build})
    if (rest.consumeInteger(10, *number) || !rest.consume_front("."))
      break;
  return version;
}

bool CudaToolkit::assembles(const Target &arch) {
  if (arch.backend->asGpu()->getAssembler()->isInAllVersions(arch))
    return true;
  // ptxas --help lists 'sm_90','sm_90a'. A program without such a list is assumed to support every architecture.
  if (ptxasHelp.empty())
    ptxasHelp = outputOf({ptxas, "--help"});
  return !StringRef(ptxasHelp).contains("'sm_") || StringRef(ptxasHelp).contains("'" + arch.name + "'");
}

CudaToolkit findCudaToolkit(Context &ctx) {
  StringRef named = ctx.args.getLastArgValue(options::OPT_cuda_path_EQ);
  std::string mistake;
  CudaToolkit toolkit{findCudaTools(named, mistake), {}};
  if (!mistake.empty())
    Error(ctx) << mistake;
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
