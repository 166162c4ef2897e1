//===- MovableHeaders.h - our headers under a name that is the same everywhere ----------------------------*- C++ -*-//
//
// A precompiled header names the files that it was made of, by absolute paths. So that it serves an installation that
// was unpacked or moved somewhere else, it is made with our headers in a folder that does not exist, and read with
// that folder mapped to where they are: messages and dependency files then have their true names. (Clang's relocatable
// form of precompiled headers does not make names relative any more in LLVM 22.)
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_MOVABLEHEADERS_H
#define TILECC_FRONTEND_MOVABLEHEADERS_H

#include "clang/Frontend/CompilerInstance.h"

namespace tilecc {

inline constexpr llvm::StringLiteral movableHeaderDir = "/tilecc-headers";

/// Whose names files have: those that they were asked for by, or those of the files that are there.
enum class HeaderNames { Movable, True };

/// Has `compiler`, which has no file manager yet, find the files of `headerDir` in movableHeaderDir, too.
void mapMovableHeaders(clang::CompilerInstance &compiler, llvm::StringRef headerDir, HeaderNames names);

} // namespace tilecc

#endif // TILECC_FRONTEND_MOVABLEHEADERS_H
