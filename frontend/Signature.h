//===- Signature.h - C++ types of tile values, taken from the AST ------------------------------------------*- C++ -*-//
//
// LLVM IR loses information that tile operations need: signedness, element types behind opaque pointers, and shapes.
// The front end reads it from the FunctionDecl of each mangled name and passes it to the raise in this form.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_SIGNATURE_H
#define TILECC_FRONTEND_SIGNATURE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include <memory>
#include <string>
#include <vector>

namespace tilecc {

/// A numeric type.
struct ElementType {
  enum Kind { None, Bool, Signed, Unsigned, Float, BFloat, Float8E4M3FN, Float8E5M2 };
  Kind kind = None;
  unsigned bits = 0;
  bool isFloat() const { return kind >= Float; }
  /// Float8 types are classes that contain a byte in C++ and LLVM; only tiles treat them as numbers.
  bool isFloat8() const { return kind >= Float8E4M3FN; }
  bool isSigned() const { return kind == Signed; }
};

/// A scalar, a pointer, or a tile of either.
struct ValueType {
  ElementType element; ///< of a pointer: the pointee, where an address counts as a number; None if not a number
  bool isPointer = false;
  bool isTile = false;
  bool isDescriptor = false; ///< describes a tensor in memory; `shape` is that of one block
  llvm::SmallVector<int64_t, 4> shape;

  bool isVoid() const { return !isPointer && !isDescriptor && element.kind == ElementType::None; }
};

/// One specialization of a function in tt::builtin.
struct BuiltinSignature {
  std::string name;
  llvm::SmallVector<int64_t, 2> constants; ///< integral template arguments, packs expanded
  llvm::SmallVector<std::string, 0> strings; ///< string literal arguments
  ValueType result;
  llvm::SmallVector<ValueType, 4> params;
  llvm::SmallVector<ValueType, 0> types; ///< template arguments that are tiles or scalars, packs expanded
};

/// The location of a declaration.
struct Place {
  std::string file;
  unsigned line = 0, column = 0;
};

/// One kernel's body in TileModule::module.
struct KernelSignature {
  std::string symbol;
  Place place; ///< where it is defined
  struct Param {
    std::string name;
    ValueType type; ///< for a struct: void; its LLVM type describes the layout
    bool isEmpty = false; ///< a class without members
    int64_t divisible = 0; ///< [[tt::divisible(N)]]
    bool noSpecialize = false; ///< variants make no assumptions about it
    bool isRestrict = false; ///< __restrict__: no other parameter points to the same memory
    bool isTemporary = false; ///< [[tt::temporary]]
  };
  std::vector<Param> params;
};

/// A scalar, pointer or tile that makes up a value or is a member of it.
struct ValuePart {
  ValueType type;
  uint64_t offset = 0; ///< in bytes
};

/// A __tile__ function that is called in one source and defined in another.
struct TileFunctionSignature {
  std::string symbol;
  std::string name; ///< as in the source, with parameter types
  Place place;
  bool isMergeable = false; ///< several sources may define it: an explicit instantiation
  struct Param {
    std::string name;
    std::vector<ValuePart> parts; ///< for a reference, of the referenced object
    bool isReference = false; ///< or the `this` pointer of a member function
    bool isConst = false;
  };
  std::vector<Param> params; ///< the object comes first
  std::vector<ValuePart> results;
  std::string whyNot; ///< why other sources cannot call it; empty: they can
};

/// Maps names of source files as -ffile-prefix-map and -fdebug-prefix-map require, and back. Several folders may map to
/// one, so the original names are recorded.
class FileNames {
public:
  FileNames() = default;
  /// Pairs of real folders and their names in outputs.
  explicit FileNames(llvm::ArrayRef<std::pair<std::string, std::string>> folders)
      : folders(folders.begin(), folders.end()) {}

  std::string toOutput(llvm::StringRef file) {
    llvm::SmallString<128> result = file;
    for (const auto &[from, to] : llvm::reverse(folders)) // the last match wins
      if (llvm::sys::path::replace_path_prefix(result, from, to))
        break;
    sources.try_emplace(result, file.str());
    return result.str().str();
  }
  /// Returns an empty string if no file has been mapped to that name.
  llvm::StringRef toSource(llvm::StringRef output) const {
    auto known = sources.find(output);
    return known == sources.end() ? llvm::StringRef() : llvm::StringRef(known->second);
  }

private:
  llvm::SmallVector<std::pair<std::string, std::string>> folders;
  llvm::StringMap<std::string> sources;
};

/// The output of the second code generator: every function that kernels reach, unoptimized.
struct TileModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::vector<KernelSignature> kernels;
  llvm::StringMap<BuiltinSignature> builtins; ///< by mangled name
  llvm::StringMap<std::string> declarations; ///< source names of the other symbols
  llvm::StringMap<BuiltinSignature> threadFunctions; ///< SIMT functions that elements may be passed to, by mangled name
  llvm::StringSet<> simtFunctions; ///< the same in a source whose kernels cannot call SIMT code
  llvm::StringMap<Place> staticLocals; ///< static local variables
  llvm::StringSet<> hostFunctions; ///< functions that only host code may call
  bool isRelocatable = false; ///< functions may be defined in other sources
  std::vector<TileFunctionSignature> functions; ///< functions that other sources may call
  llvm::StringMap<TileFunctionSignature> calledFunctions; ///< functions of other sources, by mangled name
  FileNames fileNames; ///< names of the files in locations
};

} // namespace tilecc

#endif // TILECC_FRONTEND_SIGNATURE_H
