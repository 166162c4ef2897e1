//===- AsNvcc.cpp - tcc under the name tcc-nvcc ---------------------------------------------------------------------===//
//
// What CMake's CMakeDetermineCUDACompiler asks of nvcc, and how its CUDA language calls it.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/AsNvcc.h"
#include "driver/Context.h"
#include "driver/HostCompiler.h"
#include "driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace tilecc {

bool isNameOfNvcc(StringRef program) { return sys::path::filename(program) == "tcc-nvcc"; }

namespace {
struct ToolkitVersion {
  unsigned major, minor;
};
} // namespace

static ToolkitVersion toolkitVersion(Context &ctx) {
  unsigned major = 0, minor = 0;
  auto [before, after] = StringRef(ctx.cuda.version()).split('.');
  before.getAsInteger(10, major);
  after.getAsInteger(10, minor);
  return {major, minor};
}

static std::string libraryFolder(const Context &ctx) { return "\"-L" + ctx.cuda.libraries + "\""; }

static void printFolders(const Context &ctx) {
  errs() << "#$ TOP=" << ctx.cuda.path << "\n#$ NVVMIR_LIBRARY_DIR=" << sys::path::parent_path(ctx.cuda.libdevice)
         << "\n#$ PATH=" << sys::Process::GetEnv("PATH").value_or("") << "\n#$ INCLUDES=\"-I" << ctx.cuda.path
         << "/include\"\n#$ LIBRARIES=  " << libraryFolder(ctx) << "\n";
}

bool answerAsNvcc(Context &ctx) {
  bool asksForToolkit = is_contained(ctx.args.getAllArgValues(options::OPT_INPUT), "__cmake_determine_cuda");
  if (!asksForToolkit && !ctx.args.hasArg(options::OPT_version))
    return false;
  if (!ctx.cuda.hasPtxas()) {
    CudaToolkit::reportMissing(ctx, "ptxas", "tcc-nvcc");
    return true;
  }
  if (asksForToolkit) {
    printFolders(ctx);
    return true;
  }
  auto [major, minor] = toolkitVersion(ctx);
  outs() << "nvcc: NVIDIA (R) Cuda compiler driver (tcc " TILECC_VERSION ", which answers as it does)\n"
         << formatv("Cuda compilation tools, release {0}.{1}, V{0}.{1}.0\n", major, minor);
  return true;
}

void introduceAsNvcc(Context &ctx) {
  if (!ctx.verbose)
    return;
  printFolders(ctx);
  bool identifies = any_of(ctx.inputs, [](const Input &input) {
    return sys::path::filename(input.path) == "CMakeCUDACompilerId.cu";
  });
  if (!identifies)
    return;
  auto [major, minor] = toolkitVersion(ctx);
  for (const std::string &macro :
       {std::string("__NVCC__"), formatv("__CUDACC_VER_MAJOR__={0}", major).str(),
        formatv("__CUDACC_VER_MINOR__={0}", minor).str(), std::string("__CUDACC_VER_BUILD__=0")})
    ctx.hostArgs.push_back("-D" + macro);
  for (const TargetArch &target : ctx.simtTargets)
    errs() << "#$ cicc -arch compute_" << target.arch.number << "\n";
  // CMake has programs linked by the host's compiler, as nvcc does it, with the libraries that it finds here.
  errs() << "#$ g++ -m64 -Wl,--start-group id.o   " << libraryFolder(ctx) << " -lcudart_static -lrt -lpthread -ldl "
         << installed(ctx, "lib/libtilecc_rt.a") << " -Wl,--end-group -o a.out\n";
}

} // namespace tilecc
