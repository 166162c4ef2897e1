//===- MovableHeaders.h - gives our headers a name independent of their location --------------------------*- C++ -*-//
//
// A precompiled header contains the absolute paths of the files from which it was made. But it must still work after
// the installation has been unpacked or moved elsewhere. So it is made with our headers in a folder that does not
// exist, and is read with that folder mapped to the real one. Messages and dependency files then show the real names.
// (In LLVM 22, Clang's relocatable precompiled headers no longer make names relative.)
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_MOVABLEHEADERS_H
#define TILECC_FRONTEND_MOVABLEHEADERS_H

#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

inline constexpr llvm::StringLiteral movableHeaderDir = "/tilecc-headers";

/// Which names are reported for files: the names by which they were opened, or the names of the real files.
enum class HeaderNames { Movable, True };

/// Makes `compiler`, which must not have a file manager yet, also find the files of `headerDir` in the folder
/// movableHeaderDir.
void mapMovableHeaders(clang::CompilerInstance &compiler, llvm::StringRef headerDir, HeaderNames names);

} // namespace tilecc

#endif // TILECC_FRONTEND_MOVABLEHEADERS_H
