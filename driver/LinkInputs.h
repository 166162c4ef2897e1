//===- LinkInputs.h - the objects that a link takes --------------------------------------------------------*- C++ -*-//
//
// The device link and the tile link must know which objects the linker will take before the linker runs.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_LINKINPUTS_H
#define TILECC_DRIVER_LINKINPUTS_H

#include "driver/Context.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Object/ObjectFile.h"

namespace tilecc {

struct LinkInput {
  std::string name; ///< the name of the file; for a member, the archive's name, and the member's in parentheses
  bool isMember = false; ///< true for a member of an archive
  bool isLibrary = false; ///< named by -l and found in a folder given by -L
};

/// Calls `visit`, in order, with the objects of ctx.linkLine and the members of its archives and static libraries.
/// Skips files that are not objects or cannot be read; the linker reports those.
void forEachObject(const Context &ctx,
                   llvm::function_ref<void(const LinkInput &, const llvm::object::ObjectFile &)> visit);

} // namespace tilecc

#endif // TILECC_DRIVER_LINKINPUTS_H
