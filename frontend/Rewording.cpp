//===- Rewording.cpp - rewords Clang's CUDA messages in terms of tiles --------------------------------------------===//
//
// To Clang, a tile kernel is a __global__ function and a tile operation is a __device__ function. Messages in these
// terms describe a language that the user does not write. There are few such messages. This file identifies them by
// their numbers, and takes names from the quotes in their texts.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Rewording.h"
#include "frontend/Usages.h"
#include "clang/Basic/DiagnosticSema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tilecc {

static llvm::StringRef spellElement(llvm::StringRef type) {
  return llvm::StringSwitch<llvm::StringRef>(type)
      .Case("_Float16", "float16")
      .Case("__bf16", "bfloat16")
      .Case("tt::float8_e4m3fn", "float8_e4m3fn")
      .Case("tt::float8_e5m2", "float8_e5m2")
      .Case("signed char", "int8")
      .Case("unsigned char", "uint8")
      .Case("short", "int16")
      .Case("unsigned short", "uint16")
      .Case("unsigned int", "unsigned")
      .Cases({"long", "long long"}, "int64")
      .Cases({"unsigned long", "unsigned long long"}, "uint64")
      .Default(type);
}

/// A tile type as Clang spells it: "tt::tensor<float, tt::shape<64, 32>>", with or without namespaces.
struct Spelling {
  llvm::StringLiteral space, tile, shape;
};
static constexpr Spelling spellings[] = {{"tt::", "tensor<", "shape<"},
                                         {"cuda::tiles::", "tile<", "extents<unsigned int"}};

/// Consumes a tile type at the start of `text` and returns it as a user writes it.
static std::string takeTile(llvm::StringRef &text, const Spelling &spelling) {
  llvm::StringRef rest = text;
  rest.consume_front(spelling.space);
  if (!rest.consume_front(spelling.tile))
    return "";
  auto [element, dims] = rest.split(", ");
  dims.consume_front(spelling.space);
  if (!dims.consume_front(spelling.shape))
    return "";
  auto [sizes, after] = dims.split(">>");
  sizes.consume_front(", ");
  if (element.contains('<') || sizes.find_first_not_of("0123456789, -") != llvm::StringRef::npos)
    return ""; // dependent, so not a type yet
  llvm::StringRef qualifier = element.take_front(element.starts_with("const ") ? strlen("const ") : 0);
  llvm::StringRef pointer = element.drop_front(element.find_last_not_of(" *") + 1);
  llvm::StringRef name = element.drop_front(qualifier.size()).drop_back(pointer.size());
  text = after;
  return ("tile<" + qualifier + spellElement(name) + pointer + (sizes.empty() ? "" : ", ") + sizes + ">").str();
}
static std::string takeTile(llvm::StringRef &text) {
  for (const Spelling &spelling : spellings)
    if (std::string tile = takeTile(text, spelling); !tile.empty())
      return tile;
  return "";
}

std::string spellTiles(llvm::StringRef given) {
  // When Clang compares two lists of sizes, it fills up the shorter one.
  std::string shorter = given.str();
  for (llvm::StringRef filling = ", (no argument)"; llvm::StringRef(shorter).contains(filling);)
    shorter.erase(shorter.find(filling), filling.size());
  llvm::StringRef text = shorter;
  std::string result;
  while (!text.empty()) {
    // Clang appends the type that an alias stands for, in parentheses.
    llvm::StringRef alias = text;
    if (alias.consume_front("' (aka '"))
      if (std::string tile = takeTile(alias); !tile.empty() && alias.consume_front("')")) {
        text = alias;
        result = result.substr(0, result.rfind('\'') + 1) + tile + "'";
        continue;
      }
    bool inName = !result.empty() && (llvm::isAlnum(result.back()) || result.back() == '_');
    if (std::string tile = inName ? "" : takeTile(text); !tile.empty()) {
      result += tile;
    } else {
      result += text.front();
      text = text.drop_front();
    }
  }
  return result;
}

llvm::StringRef getQuoted(llvm::StringRef text, unsigned n) {
  for (;; --n) {
    auto [before, rest] = text.split('\'');
    auto [name, after] = rest.split('\'');
    if (n == 0 || rest.empty())
      return name;
    text = after;
  }
}

static std::string quoted(llvm::StringRef text) { return ("'" + getQuoted(text) + "'").str(); }

static void rewordWrongSide(ClangMessage &error, std::vector<ClangMessage> &notes, bool isSimt,
                            llvm::function_ref<bool(SourceLocation)> isOurs,
                            llvm::function_ref<bool(SourceLocation)> isSystem) {
  auto wrongSide = [](const ClangMessage &note) { return note.id == diag::note_ovl_candidate_bad_target; };
  auto found = llvm::find_if(notes, wrongSide);
  if (found == notes.end())
    return;
  llvm::StringRef why = found->text;
  bool isConversion = error.id == diag::err_typecheck_nonviable_condition;
  bool isConstructor = error.id == diag::err_ovl_no_viable_function_in_init || isConversion;
  std::string name = isConversion ? ("'" + getQuoted(error.text, 1) + "'").str() : quoted(error.text);
  bool ours = isOurs(found->loc), isLibrary = isSystem(found->loc);
  if (isSimt && !ours)
    return;
  SourceLocation declaration = found->loc;
  if (error.id == diag::err_typecheck_invalid_operands && name == "'ostream'") {
    error.text = noStream;
  } else if (why.contains("call to __host__ function")) {
    error.text = isConstructor               ? "the constructor of " + name + " is a host function"
                 : name == "'__assert_fail'" ? "assert"
                                             : "host function " + name;
    error.text += isConstructor ? ", which is not available in a tile kernel" : " is not available in a tile kernel";
    llvm::StringRef forKernels = findForKernels(llvm::StringRef(name).trim('\''));
    error.text += forKernels.empty() ? "; a function for kernels is marked __tile__ or constexpr"
                                     : ("; kernels have " + forKernels).str();
  } else if (error.id == diag::err_typecheck_invalid_operands) {
    error.text = "operations on tiles are only available in tile kernels and __tile__ functions";
  } else if (ours) {
    error.text = "tile operation " + name + " is only available in tile kernels and __tile__ functions";
  } else {
    error.text = "__tile__ function " + name + " cannot be called by host code";
  }
  notes.clear();
  if (!ours && !isLibrary) {
    ClangMessage &note = notes.emplace_back();
    note.level = DiagnosticsEngine::Note;
    note.loc = declaration;
    note.text = "declared here";
  }
}

/// Returns true if Clang's message uses CUDA's terms, which a user who writes SIMT code understands.
static bool isWordedForSimt(unsigned id) {
  return llvm::is_contained({diag::err_ref_bad_target, diag::err_cuda_device_exceptions,
                             diag::err_global_call_not_config, diag::err_kern_call_not_global_function,
                             diag::err_undeclared_var_use, diag::err_undeclared_use,
                             diag::err_undeclared_var_use_suggest},
                            id);
}

void reword(ClangMessage &error, std::vector<ClangMessage> &notes, bool isSimt,
            llvm::function_ref<bool(SourceLocation)> isOurs, llvm::function_ref<bool(SourceLocation)> isSystem) {
  if (!isOurs(error.loc) && rewordTiles(error, notes, isOurs))
    return;
  llvm::StringRef text = error.text;
  if (isSimt && isWordedForSimt(error.id))
    return;
  switch (error.id) {
  case diag::err_static_assert_failed:
  case diag::err_static_assert_requirement_failed:
    // The condition of a static assertion is an implementation detail of the header.
    if (size_t colon = text.find(": "); isOurs(error.loc) && colon != llvm::StringRef::npos)
      error.text = text.drop_front(text.starts_with("static assertion failed due to requirement")
                                       ? text.find("': ") + strlen("': ")
                                       : colon + strlen(": "))
                       .str();
    return;
  case diag::err_ovl_no_viable_function_in_call:
    for (ClangMessage &note : notes)
      if (note.id == diag::note_ovl_candidate_explicit_arg_mismatch_named)
        note.text += ", which is a constant or a type";
    [[fallthrough]];
  case diag::err_ovl_no_viable_member_function_in_call:
  case diag::err_ovl_no_viable_function_in_init:
  case diag::err_ovl_no_viable_object_call:
  case diag::err_typecheck_invalid_operands: return rewordWrongSide(error, notes, isSimt, isOurs, isSystem);
  case diag::err_ref_bad_target:
    if (text.starts_with("reference to __host__ "))
      error.text = (text.contains(" variable ") ? "host variable " : "host function ") + quoted(text) +
                   " is not available in a tile kernel" +
                   (text.contains(" variable ") ? ": pass it as an argument, or make it constexpr" : "");
    else if (text.starts_with("reference to __device__ "))
      error.text = "__tile__ function " + quoted(text) + " cannot be called by host code";
    else if (text.starts_with("reference to __global__ "))
      error.text = "a kernel cannot be called in a tile kernel: " + quoted(text) + " is launched from the host";
    return;
  case diag::err_cuda_device_exceptions:
    error.text = getQuoted(text).str() +
                 " is not available in a tile kernel; kernels have tt::device_assert(condition, \"text\")";
    return;
  case diag::err_global_call_not_config:
    error.text = "kernel " + quoted(text) + " is launched, not called: " + getQuoted(text).str() +
                 "<<<grid>>>(...), or, in another kernel, tt::call<" + getQuoted(text).str() + ">(...)";
    return;
  case diag::err_kern_call_not_global_function:
    error.text = quoted(text) + " is not a tile kernel: those are marked __tile_global__, and SIMT kernels need --simt";
    return;
  case diag::err_cuda_device_kernel_launch_require_rdc:
    error.text = isSimt ? "kernel launch from __device__ or __global__ function requires relocatable device code "
                          "(-rdc=true), and is for SIMT code: in a tile kernel, tt::call<kernel>(arguments) makes "
                          "another one a part of it"
                        : "a tile kernel launches no kernel: launch it from host code or from a SIMT kernel, or, if it "
                          "is a tile kernel, make it a part of this one with tt::call<kernel>(arguments)";
    return;
  case diag::err_undeclared_var_use:
  case diag::err_undeclared_use:
  case diag::err_undeclared_var_use_suggest:
    if (std::string name = quoted(text); (name == "'min'" || name == "'max'") && !text.contains("tt::")) {
      error.text = "use of undeclared identifier " + name + "; kernels have " +
                   findUsage(name == "'min'" ? "minimum" : "maximum").str();
      error.fixIts.clear();
      notes.clear();
    }
    return;
  case diag::err_typecheck_nonviable_condition:
    if (text.contains("to 'tt::detail::launch_grid'"))
      error.text = "the grid of a launch is an integer or a dim3, not " + quoted(text);
    else if (text.contains("to 'tt::detail::launch_block_or_stream'"))
      error.text = "the second launch argument is a stream, not " + quoted(text);
    else if (text.contains("to 'tt::detail::launch_stream'"))
      error.text = "the fourth launch argument is a stream, not " + quoted(text);
    else
      return rewordWrongSide(error, notes, isSimt, isOurs, isSystem);
    notes.clear();
    return;
  default: return;
  }
}

} // namespace tilecc
