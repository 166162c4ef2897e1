//===- main.cpp - tcc, a compiler driver for C++ with tile kernels --------------------------------------------------===//
//
// What tcc.cpp calls, which is all that the program tcc has of its own.
//
// One run of tcc, as a list. Each step reads and extends the Context; messages add up, and a checkpoint ends the run
// where what follows could not make sense of what went before.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/AsNvcc.h"
#include "driver/Context.h"
#include "driver/CompileInputs.h"
#include "driver/Kernels.h"
#include "driver/Options.h"
#include "driver/SimtActions.h"
#include "targets/Registry.h"

using namespace llvm;
using namespace tilecc;

extern "C" int tilecc_driver_main(int argc, char **argv) {
  finishStop(argc, argv);
  installCrashHandlers(argc, argv);
  initializeLLVMTargets();
  Context ctx(argc, argv);

  // What was asked for.
  parseCommandLine(ctx, argc, argv);
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
  if (ctx.asNvcc)
    introduceAsNvcc(ctx);
  ctx.checkpoint();

  startTimeTrace(ctx);

  // From here on the command line makes sense: inputs exist, and each output has one name.
  compileInputs(ctx);
  ctx.checkpoint();

  // From here on every source is an object, in ctx.linkLine at the place where it was named.
  std::string program;
  if (isJoint(ctx.stage))
    program = linkProgram(ctx);
  writeTimes(ctx);
  writeTimeTrace(ctx);
  ctx.checkpoint();
  return ctx.args.hasArg(options::OPT_run) ? runProgramOfUser(ctx, program) : 0;
}
