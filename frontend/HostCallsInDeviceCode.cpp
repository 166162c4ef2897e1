//===- HostCallsInDeviceCode.cpp - __host__ __device__ functions that call the host's -------------------------------===//
//
// Templates that serve both sides often name functions of the host in branches that no device runs. nvcc warns of such a call in
// a __host__ __device__ function; Clang refuses it where the function is generated for a device. The check is a function of
// Sema's that has no option, so a tcc that is linked statically has the linker (--wrap, see CMakeLists.txt) put the function here
// in front of it. The call then traps in device code: SimtDevice.cpp gives the host's function a body for that.
//
// A destructor that the compiler makes is the host's alone where a base's or a member's is, `virtual ~Base() {}` for instance. An
// object in a kernel then runs the destructors' bodies as they are.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"

using namespace clang;
using tilecc::simtWarning;

#define CHECK_CALL "_ZN5clang8SemaCUDA9CheckCallENS_14SourceLocationEPNS_12FunctionDeclE"
bool checkOfClang(SemaCUDA *, SourceLocation, FunctionDecl *) asm("__real_" CHECK_CALL);
bool checkThatWarns(SemaCUDA *, SourceLocation, FunctionDecl *) asm("__wrap_" CHECK_CALL);

bool checkThatWarns(SemaCUDA *cuda, SourceLocation loc, FunctionDecl *callee) {
  Sema &sema = cuda->SemaRef;
  const Sema::ExpressionEvaluationContextRecord &context = sema.currentEvaluationContext();
  FunctionDecl *caller = sema.getCurFunctionDecl(/*AllowLambda=*/true);
  const bool isDestructor = isa<CXXDestructorDecl>(callee);
  if (!sema.getLangOpts().CUDAIsDevice || callee->hasAttr<CUDADeviceAttr>() || !caller || context.isUnevaluated() || context.isConstantEvaluated() ||
      cuda->IdentifyTarget(callee) != CUDAFunctionTarget::Host ||
      cuda->IdentifyTarget(caller) == CUDAFunctionTarget::Host ||
      (cuda->IdentifyTarget(caller) != CUDAFunctionTarget::HostDevice &&
       !(isDestructor && callee->isImplicit())))
    return checkOfClang(cuda, loc, callee);
  if (!cuda->LocsWithCUDACallDiags.insert({caller, loc}).second)
    return true;
  // Told once it is known that the caller is generated, as Clang's error would be.
  using Builder = Sema::SemaDiagnosticBuilder;
  bool isEmitted = sema.getEmissionStatus(caller) == Sema::FunctionEmissionStatus::Emitted;
  DiagnosticsEngine &diags = sema.getDiagnostics();
  unsigned id = isDestructor ? simtWarning(diags, "'%0' is device code that runs '%1' of the host, whose body is compiled "
                                                  "for the device, too")
                             : simtWarning(diags, "'%0' is a __host__ __device__ function that calls the __host__ function "
                                                  "'%1', which traps in device code");
  Builder(isEmitted ? Builder::K_ImmediateWithCallStack : Builder::K_Deferred, loc, id, caller, sema)
      << caller->getNameAsString() << callee->getNameAsString();
  return true;
}
