//===- LinkInputs.h - the objects that a link takes --------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_LINKINPUTS_H
#define TILECC_DRIVER_LINKINPUTS_H

#include "driver/Context.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Object/ObjectFile.h"

namespace tilecc {

struct LinkInput {
  std::string name; ///< the file's name; a member's name follows its archive's, in parentheses
  bool isMember = false; ///< of an archive
  bool isLibrary = false; ///< named by -l and found in a folder given by -L
};

/// Visits, in order, the objects of ctx.linkLine and the members of its archives and static libraries. Leaves files
/// that are not objects or cannot be read to the linker.
void forEachObject(const Context &ctx,
                   llvm::function_ref<void(const LinkInput &, const llvm::object::ObjectFile &)> visit);

} // namespace tilecc

#endif // TILECC_DRIVER_LINKINPUTS_H
