//===- NormalizeLocations.cpp - reduces locations to those that LLVM can express ----------------------------------===//
//
// This pass runs last before the translation to LLVM IR. Every instruction then has a line in a function, even after
// inlining and the merging of locations.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_NORMALIZELOCATIONS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

Location normalize(Location loc) {
  if (isa<FileLineColRange>(loc))
    return loc;
  if (auto name = dyn_cast<NameLoc>(loc))
    return normalize(name.getChildLoc());
  if (auto site = dyn_cast<CallSiteLoc>(loc)) {
    Location callee = normalize(site.getCallee()), caller = normalize(site.getCaller());
    if (isa<UnknownLoc>(callee))
      return caller;
    return isa<UnknownLoc>(caller) ? callee : Location(CallSiteLoc::get(callee, caller));
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (Location normal = normalize(part); !isa<UnknownLoc>(normal))
        return normal;
  return UnknownLoc::get(loc.getContext());
}

struct NormalizeLocations : tilecc::impl::NormalizeLocationsBase<NormalizeLocations> {
  void runOnOperation() override {
    DenseMap<Attribute, Location> known; // operations share locations
    getOperation().walk([&](Operation *op) {
      auto it = known.find(LocationAttr(op->getLoc()));
      if (it == known.end())
        it = known.insert({LocationAttr(op->getLoc()), normalize(op->getLoc())}).first;
      op->setLoc(it->second);
    });
  }
};

} // namespace
