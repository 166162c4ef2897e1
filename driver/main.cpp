//===- main.cpp - tcc, a compiler driver for C++ with tile kernels ------------------------------------------------===//
//
// tcc.cpp calls tilecc_driver_main(); the program tcc contains nothing else.
//
// main() lists the steps of a run. Each step reads and extends the Context. Messages accumulate, and a checkpoint ends
// the run if the next step could not work with the results so far.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/AsNvcc.h"
#include "driver/CompileInputs.h"
#include "driver/Context.h"
#include "driver/CrashHandlers.h"
#include "driver/CudaToolkit.h"
#include "driver/Diagnostics.h"
#include "driver/HostTarget.h"
#include "driver/KernelActions.h"
#include "driver/Link.h"
#include "driver/OptionIds.h"
#include "driver/Options.h"
#include "driver/SimtActions.h"
#include "driver/TargetArchs.h"
#include "targets/Registry.h"

using namespace llvm;
using namespace tilecc;

extern "C" int tilecc_driver_main(int argc, char **argv) {
  finishStop(argc, argv);
  installCrashHandlers(argc, argv);
  initializeLLVMTargets();
  Context ctx(argc, argv);

  // Parse the request.
  parseCommandLine(ctx, argc, argv);
  setLLVMOptions(ctx);
  rememberCodeOptions(ctx);
  ctx.cuda = findCudaToolkit(ctx);
  ctx.checkpoint();
  if (answerQuestions(ctx))
    return 0;
  selectTargetArchs(ctx);
  if (ctx.args.hasArg(options::OPT_precompile_headers)) {
    precompileHeaders(ctx);
    ctx.checkpoint();
    return 0;
  }
  checkOutputs(ctx);
  checkSimtInputs(ctx);
  checkHostLibraries(ctx);
  if (ctx.asNvcc)
    introduceAsNvcc(ctx);
  ctx.checkpoint();

  startTimeTrace(ctx);

  // The command line is now valid: inputs exist, and each output has a unique name.
  compileInputs(ctx);
  ctx.checkpoint();

  // Every source is now an object, in ctx.linkLine at the position of the source.
  std::string program;
  if (isJoint(ctx.stage))
    program = linkProgram(ctx);
  writeTimes(ctx);
  writeTimeTrace(ctx);
  ctx.checkpoint();
  return ctx.args.hasArg(options::OPT_run) ? runProgramOfUser(ctx, program) : 0;
}
