//===- RewordingHabits.cpp - messages about habits from other languages -------------------------------------------===//
//
// Users write tl.arange, half, x.to(float) or threadIdx from habit. Clang's messages about these are correct but do not
// help. UserDiagnostics.cpp asks here first.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Rewording.h"
#include "frontend/Usages.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tilecc {

/// The text of a line before a location, without trailing spaces.
static llvm::StringRef textBefore(const SourceManager &sources, SourceLocation loc) {
  auto [file, offset] = sources.getDecomposedSpellingLoc(loc);
  bool invalid = false;
  llvm::StringRef buffer = sources.getBufferData(file, &invalid);
  llvm::StringRef before = invalid ? llvm::StringRef() : buffer.take_front(offset);
  return before.substr(before.rfind('\n') + 1).rtrim();
}
static llvm::StringRef textFrom(const SourceManager &sources, SourceLocation loc) {
  auto [file, offset] = sources.getDecomposedSpellingLoc(loc);
  bool invalid = false;
  llvm::StringRef buffer = sources.getBufferData(file, &invalid);
  return invalid ? llvm::StringRef() : buffer.drop_front(offset);
}

static bool isSimtName(llvm::StringRef name) {
  return name.starts_with("__shfl") || name.starts_with("__ballot") || name.starts_with("__sync") ||
         llvm::is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "__threadfence", "atomicAdd"},
                            name);
}

/// The equivalent in a tile kernel.
static llvm::StringRef insteadOfSimt(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases({"threadIdx", "blockDim", "warpSize"},
             "a tile kernel has no threads: tt::arange<N>() are the positions in a tile")
      .Case("blockIdx", "in a tile kernel tt::program_id(0) stands for it")
      .Case("gridDim", "in a tile kernel tt::num_programs(0) stands for it")
      .Case("atomicAdd", "in a tile kernel tt::atomic_add(pointers, value) stands for it")
      .Cases({"__syncthreads", "__threadfence", "__syncwarp"},
             "in a tile kernel tt::debug_barrier() stands for it, where one is needed")
      .Default("a tile kernel works on whole tiles");
}

static std::string explainUndeclared(llvm::StringRef name, bool isSimt) {
  if (isSimtName(name) && !isSimt)
    return ("'" + name + "' is SIMT code, which needs --simt; " + insteadOfSimt(name)).str();
  if (name == "tl" || name == "triton")
    return "there is no '" + name.str() + "': Triton's names are in namespace tt, as in tt::arange<16>()";
  if (name == "None")
    return "there is no 'None': a null pointer is nullptr, and an argument that is not given is left out";
  if (name == "True" || name == "False")
    return "there is no '" + name.str() + "': C++ has " + name.lower();
  return "";
}

static std::string explainType(llvm::StringRef name) {
  return llvm::StringSwitch<std::string>(name)
      .Cases({"half", "__half", "float16", "fp16"}, "there is no type '" + name.str() + "': it is tt::float16")
      .Cases({"bfloat16", "__nv_bfloat16", "nv_bfloat16", "bf16"},
             "there is no type '" + name.str() + "': it is tt::bfloat16")
      .Cases({"__nv_fp8_e4m3", "float8_e4m3fn"}, "there is no type '" + name.str() + "': it is tt::float8_e4m3fn")
      .Cases({"__nv_fp8_e5m2", "float8_e5m2"}, "there is no type '" + name.str() + "': it is tt::float8_e5m2")
      .Cases({"float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"},
             "there is no type '" + name.str() + "': it is tt::" + name.str())
      .Default("");
}

static bool isOfTheHeader(llvm::StringRef name) {
  return llvm::is_contained({"__tile_global__", "__tile__", "tt", "__llvmPushCallConfiguration", "llvmLaunchKernel"},
                            name);
}

static bool say(ClangMessage &error, std::vector<ClangMessage> &notes, std::string text) {
  if (text.empty())
    return false;
  error.text = std::move(text);
  error.fixIts.clear();
  notes.clear();
  return true;
}

/// Drops a suggestion from a namespace that users do not use.
static bool dropGuess(ClangMessage &error, std::vector<ClangMessage> &notes) {
  llvm::StringRef text = error.text;
  size_t guess = text.find("; did you mean '");
  if (guess == llvm::StringRef::npos)
    return false;
  llvm::StringRef guessed = getQuoted(text.drop_front(guess));
  if (!guessed.contains("detail::") && !guessed.starts_with("cuda::tiles::") && !guessed.contains("builtin::"))
    return false;
  error.guess = getQuoted(text).str();
  return say(error, notes, text.take_front(guess).str());
}

bool rewordHabits(ClangMessage &error, std::vector<ClangMessage> &notes, const SourceManager &sources, bool isSimt) {
  llvm::StringRef text = error.text, name = getQuoted(text);
  switch (error.id) {
  case diag::err_undeclared_var_use:
  case diag::err_undeclared_use:
  case diag::err_undeclared_var_use_suggest:
  case diag::err_unknown_typename:
  case diag::err_unknown_typename_suggest: {
    if (name.empty()) // "use of undeclared identifier __llvmPushCallConfiguration"
      name = text.substr(text.rfind(' ') + 1);
    if (isOfTheHeader(name) && !isSimt && !text.contains("; did you mean")) {
      error.explainsRest = true;
      return say(error, notes,
                 (name.starts_with("__llvm") || name.starts_with("llvm")
                      ? "the launch of a tile kernel needs #include <tilecc/tt.h>"
                      : "'" + name + "' comes with #include <tilecc/tt.h>, which is missing")
                     .str());
    }
    std::string why = explainUndeclared(name, isSimt);
    if (isSimtName(name) && !isSimt)
      error.onceKey = name.ends_with("Idx") || name.ends_with("Dim") ? "index" : name.str();
    return say(error, notes, why.empty() ? explainType(name) : why) || dropGuess(error, notes);
  }
  case diag::err_no_member_suggest:
  case diag::err_no_member_template_suggest:
  case diag::err_no_template_suggest:
  case diag::err_typename_nested_not_found:
    if (llvm::StringRef replacement = findReplacement(name); text.contains("namespace 'tt'") && !replacement.empty()) {
      error.guess = name.str();
      return say(error, notes, ("there is no tt::" + name + ": " + replacement).str());
    }
    return dropGuess(error, notes);
  case diag::err_expected_lparen_after_type: {
    // x.to(float), as in Triton.
    if (error.ranges.empty())
      return false;
    llvm::StringRef before = textBefore(sources, error.ranges.front().getBegin());
    llvm::StringRef call = before.rtrim("( ,{}0123456789");
    llvm::StringRef function = call.substr(call.find_last_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") + 1);
    llvm::StringRef from = textFrom(sources, error.ranges.front().getBegin());
    llvm::StringRef type = from.take_front(from.find_first_of(",)")).rtrim();
    bool takesType =
        llvm::is_contained({"to", "cast", "bitcast", "astype", "zeros", "full"}, function) && !type.empty();
    return takesType &&
           say(error, notes,
               ("a type is a template argument: x.to<" + type + ">(), tt::zeros<" + type + ", 64, 32>()").str());
  }
  case diag::err_expected_expression:
    if (textFrom(sources, error.loc).starts_with("{") && textBefore(sources, error.loc).ends_with("<<<")) {
      llvm::StringRef list = textFrom(sources, error.loc);
      return say(
          error, notes,
          ("a grid of several dimensions is a dim3: <<<dim3" + list.take_front(list.find('}') + 1) + ">>>").str());
    }
    return false;
  case diag::err_for_range_invalid:
    return name.starts_with("tile<") &&
           say(error, notes,
               "a tile is not gone through element by element: operators and functions of tt compute with all of its "
               "elements, and tt::map_elementwise(f, x) calls a function for each");
  case diag::err_ovl_no_viable_function_in_call:
    if (llvm::StringRef ofTiles = findForKernels(name);
        !ofTiles.empty() && llvm::any_of(notes, [](const ClangMessage &note) {
          return llvm::StringRef(note.text).contains("no known conversion from 'tile<");
        }))
      return say(error, notes, ("'" + name + "' takes single numbers, not tiles; kernels have " + ofTiles).str());
    for (const ClangMessage &note : notes)
      if (llvm::StringRef(note.text).contains("could not match") && llvm::StringRef(note.text).contains("buffer<"))
        return say(error, notes,
                   "no matching function for call to '" + name.str() +
                       "': from a tt::buffer C++ does not deduce the T of a parameter T *; pass x.data() or +x");
    return false;
  default: return false;
  }
}

} // namespace tilecc
