//===- LinkInputs.h - the objects that a link takes --------------------------------------------------------*- C++ -*-//

#ifndef TILECC_DRIVER_LINKINPUTS_H
#define TILECC_DRIVER_LINKINPUTS_H

#include "driver/Context.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Object/ObjectFile.h"

namespace tilecc {

struct LinkInput {
  std::string name;       ///< of the file; a member's in parentheses behind its archive's
  bool isMember = false;  ///< of an archive
  bool isLibrary = false; ///< named by -l, and found in a folder that -L names
};

/// Visits the objects of ctx.linkLine, and those in its archives and static libraries, in order. What is no object or
/// cannot be read is left to the linker.
void forEachObject(const Context &ctx,
                   llvm::function_ref<void(const LinkInput &, const llvm::object::ObjectFile &)> visit);

} // namespace tilecc

#endif // TILECC_DRIVER_LINKINPUTS_H
