//===- HostCallsInDeviceCode.cpp - __host__ __device__ functions that call host functions -------------------------===//
//
// Templates for both sides often call host functions in branches that no device executes. nvcc warns about such a call
// in a __host__ __device__ function. Clang rejects the call if the function is generated for a device, and no option
// disables this check of Sema. In a statically linked tcc, the linker (--wrap, see CMakeLists.txt) replaces the check
// with the function here. In device code, the call then traps, because SimtDevice.cpp gives the host function a body
// that traps.
//
// An implicit destructor is a host function if the destructor of a base or member is, for instance `virtual ~Base()
// {}`. Device code then executes the bodies of such destructors.
//
//===--------------------------------------------------------------------------------------------------------------===//

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
  if (!sema.getLangOpts().CUDAIsDevice || callee->hasAttr<CUDADeviceAttr>() || !caller || context.isUnevaluated() ||
      context.isConstantEvaluated() || cuda->IdentifyTarget(callee) != CUDAFunctionTarget::Host ||
      cuda->IdentifyTarget(caller) == CUDAFunctionTarget::Host ||
      (cuda->IdentifyTarget(caller) != CUDAFunctionTarget::HostDevice && !(isDestructor && callee->isImplicit())))
    return checkOfClang(cuda, loc, callee);
  if (!cuda->LocsWithCUDACallDiags.insert({caller, loc}).second)
    return true;
  // Like Clang's error, the warning is reported only once it is known that the caller is generated.
  using Builder = Sema::SemaDiagnosticBuilder;
  bool isEmitted = sema.getEmissionStatus(caller) == Sema::FunctionEmissionStatus::Emitted;
  DiagnosticsEngine &diags = sema.getDiagnostics();
  unsigned id = isDestructor
                    ? simtWarning(diags, "'%0' is device code that runs '%1' of the host, whose body is compiled "
                                         "for the device, too")
                    : simtWarning(diags, "'%0' is a __host__ __device__ function that calls the __host__ function "
                                         "'%1', which traps in device code");
  Builder(isEmitted ? Builder::K_ImmediateWithCallStack : Builder::K_Deferred, loc, id, caller, sema)
      << caller->getNameAsString() << callee->getNameAsString();
  return true;
}
