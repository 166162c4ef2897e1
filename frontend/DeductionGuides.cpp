//===- DeductionGuides.cpp - deduction guides with CUDA attributes ------------------------------------------------===//
//
// A deduction guide is not a function that could be called, so __host__ and __device__ have no meaning for it. nvcc
// ignores them, and CCCL writes them. Clang rejects a guide with only one of them and warns about one with both. The
// function here removes them. In a statically linked tcc, the linker (--wrap, see CMakeLists.txt) calls it before
// Sema's.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

#define CHECK_GUIDE "_ZN5clang4Sema29CheckDeductionGuideDeclaratorERNS_10DeclaratorERNS_8QualTypeERNS_12StorageClassE"
bool checkOfClang(Sema *, Declarator &, QualType &, StorageClass &) asm("__real_" CHECK_GUIDE);
bool checkWithoutTargets(Sema *, Declarator &, QualType &, StorageClass &) asm("__wrap_" CHECK_GUIDE);

static void removeTargets(ParsedAttributesView &attributes) {
  llvm::SmallVector<ParsedAttr *> targets;
  for (ParsedAttr &attribute : attributes)
    if (attribute.getKind() == ParsedAttr::AT_CUDAHost || attribute.getKind() == ParsedAttr::AT_CUDADevice)
      targets.push_back(&attribute);
  for (ParsedAttr *target : targets)
    attributes.remove(target);
}

bool checkWithoutTargets(Sema *sema, Declarator &guide, QualType &type, StorageClass &storage) {
  if (tilecc::isSimtMode(sema->getLangOpts())) {
    removeTargets(guide.getMutableDeclSpec().getAttributes());
    removeTargets(guide.getAttributes());
  }
  return checkOfClang(sema, guide, type, storage);
}
