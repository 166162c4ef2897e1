//===- TileVariables.h - finds the variables of tile code and their types ----------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_TILEVARIABLES_H
#define TILECC_FRONTEND_TILEVARIABLES_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace tilecc {

/// A parameter, local variable or structured binding whose type is a tile or the block of a tensor descriptor. A
/// variable of a template has one entry for each of its types.
struct TileVariable {
  std::string name;
  std::string type; ///< tile<float, 128, 64>
  std::string file;
  unsigned line = 0, column = 0; ///< of the first character after the name; columns count bytes, from 1
  bool isDeduced = false; ///< the source uses `auto`
  auto operator<=>(const TileVariable &) const = default;
};

/// Returns the variables of `functions` in the user's files, ordered by location. The functions are those that kernels
/// reach, instantiated. Names that macros produce are omitted.
std::vector<TileVariable> findTileVariables(clang::ASTContext &context,
                                            llvm::ArrayRef<const clang::FunctionDecl *> functions);

} // namespace tilecc

#endif // TILECC_FRONTEND_TILEVARIABLES_H
