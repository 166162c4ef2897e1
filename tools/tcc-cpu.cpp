// tcc-cpu: compiles one .ttir file for the CPU, for tests of this stage alone.
//
//   tcc-cpu in.ttir -o out.o          object with a function per instruction set level
//   tcc-cpu in.ttir -S -o out.ll      LLVM IR instead
//   --level N                         only that level
//   --header FILE                     C++ declarations of the functions, for a test program
//   --raw                             LLVM IR as emitted, without passes
#include "targets/cpu/CpuLowering.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace tilecc;
namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::desc("<ttir file>"), cl::init("-"));
static cl::opt<std::string> output("o", cl::desc("output"), cl::init("-"));
static cl::opt<bool> text("S", cl::desc("print LLVM IR"));
static cl::opt<bool> raw("raw", cl::desc("no LLVM passes"));
static cl::opt<std::string> header("header", cl::desc("declare the kernel's functions in this file"));
static cl::opt<unsigned> level("level", cl::desc("only this level"));

/// Writes the table that the runtime would find in an object's descriptor. The kernel's name is part of all names, so
/// that a program can include several tables, each in a namespace of its own.
static bool writeHeader(llvm::ArrayRef<cpu::CpuKernel> kernels) {
  auto name = [](const cpu::CpuKernel &kernel) {
    std::string name = "tcc_cpu_" + kernel.symbol;
    std::replace_if(name.begin(), name.end(), [](char c) { return !llvm::isAlnum(c); }, '_');
    return name;
  };
  std::error_code error;
  llvm::raw_fd_ostream out(header, error);
  if (error) {
    llvm::errs() << header << ": " << error.message() << '\n';
    return false;
  }
  for (const cpu::CpuKernel &kernel : kernels)
    out << "extern \"C\" void " << name(kernel) << "(void *const *, const uint32_t *, const uint32_t *, void *) asm(\""
        << kernel.symbol << "\");\n";
  out << "static const tilecc_cpu_entry entries[] = {";
  for (const cpu::CpuKernel &kernel : kernels)
    out << "{" << kernel.level << ", " << kernel.programs << ", " << kernel.scratchBytes << ", " << name(kernel)
        << "}, ";
  out << "};\n";
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "TTIR to CPU code\n");
  mlir::DialectRegistry registry;
  registry.insert<tt::TTDialect, mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::cf::ControlFlowDialect, mlir::gpu::GPUDialect, mlir::ub::UBDialect, mlir::LLVM::LLVMDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(input, sources, &context);
  if (!module)
    return 1;

  cpu::CpuOptions options;
  if (level.getNumOccurrences())
    options.onlyLevel = level;
  options.skipLLVMPasses = raw;
  llvm::LLVMContext llvmContext;
  llvm::Module code("kernels", llvmContext);
  auto kernels = cpu::lowerToCpu(*module, options, code);
  if (failed(kernels))
    return 1;
  if (!header.empty() && !writeHeader(*kernels))
    return 1;

  std::error_code error;
  llvm::ToolOutputFile file(output, error, llvm::sys::fs::OF_None);
  if (error) {
    llvm::errs() << output << ": " << error.message() << '\n';
    return 1;
  }
  if (text) {
    code.print(file.os(), nullptr);
  } else {
    llvm::SmallVector<char, 0> object;
    llvm::raw_svector_ostream stream(object);
    if (llvm::Error failure = cpu::emitObject(code, options, stream)) {
      llvm::errs() << input << ": " << toString(std::move(failure)) << '\n';
      return 1;
    }
    file.os() << stream.str();
  }
  file.keep();
  return 0;
}
