//===- RewordingHabits.cpp - rewords messages about habits from other languages -----------------------------------===//
//
// Users write tl.arange, half, x.to(float) or threadIdx from habit. Clang's messages about such code are correct but do
// not help. UserDiagnostics.cpp tries the functions here before those in Rewording.cpp.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Rewording.h"
#include "frontend/SourceText.h"
#include "frontend/Usages.h"
#include "clang/Basic/DiagnosticAST.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace tilecc {

static bool isSimtName(llvm::StringRef name) {
  return name.starts_with("__shfl") || name.starts_with("__ballot") || name.starts_with("__sync") ||
         llvm::is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "__threadfence", "atomicAdd"},
                            name);
}

/// Returns what a tile kernel has instead of a name of SIMT code.
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
  if (name.starts_with("cuda") && name.size() > 4 && llvm::isUpper(name[4]) && !isSimt)
    return ("'" + name +
            "' comes with CUDA's headers, in a .cu or with --simt; <tilecc/runtime.h> has such calls for all "
            "devices, as ttMalloc, and tt::buffer<float> x(n) is memory of a device")
        .str();
  if (name == "cooperative_groups" || name == "cg")
    return "cooperative groups are SIMT code, which needs --simt; in a tile kernel tt::grid_barrier(counter) waits for "
           "all programs of a cooperative launch";
  if (name == "print")
    return "there is no 'print': tt::device_print(\"text\", x) prints values in a kernel";
  if (name == "len")
    return "there is no 'len': x.size is the number of elements of a tile, and that of memory is an argument of the "
           "kernel";
  if (name == "tl" || name == "triton")
    return "there is no '" + name.str() + "': Triton's names are in namespace tt, as in tt::arange<16>()";
  if (name == "None")
    return "there is no 'None': a null pointer is nullptr, and an argument that is not given is left out";
  if (name == "True" || name == "False")
    return "there is no '" + name.str() + "': C++ has " + name.lower();
  return "";
}

/// Returns `name` without the marks of CUDA's intrinsics: exp for __expf.
static llvm::StringRef withoutMarks(llvm::StringRef name) {
  if (name.consume_front("__"))
    name.consume_back("f");
  return name;
}

/// Returns a message that names the header of a CUDA type, for a source with SIMT code.
static std::string explainCudaType(llvm::StringRef name) {
  llvm::StringRef header = llvm::StringSwitch<llvm::StringRef>(name)
                               .Cases({"half", "__half", "half2", "__half2"}, "cuda_fp16.h")
                               .Cases({"nv_bfloat16", "__nv_bfloat16", "nv_bfloat162", "__nv_bfloat162"}, "cuda_bf16.h")
                               .Cases({"__nv_fp8_e4m3", "__nv_fp8_e5m2"}, "cuda_fp8.h")
                               .Default("");
  return header.empty() ? "" : ("there is no type '" + name + "': <" + header + "> declares it").str();
}

static std::string explainType(llvm::StringRef name) {
  if (name.starts_with("__tile"))
    return "there is no '" + name.str() + "': a kernel is marked __tile_global__, a function for kernels __tile__";
  return llvm::StringSwitch<std::string>(name)
      .Cases({"half", "__half", "float16", "fp16", "half_t"},
             "there is no type '" + name.str() + "': it is tt::float16")
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

/// Explains the assignment of a tile to a variable that holds a single number.
static std::string doesNotFit(llvm::StringRef tile, llvm::StringRef number) {
  return ("a " + tile + " does not fit into one " + number + ": declare the variable as a tile, as tt::zeros<" +
          number + ", N>() is one, or reduce the tile, as tt::sum(x) does")
      .str();
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
  sayInstead(error, notes, text.take_front(guess));
  error.isExplained = false;
  return true;
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
      return sayInstead(error, notes,
                        (name.starts_with("__llvm") || name.starts_with("llvm")
                             ? "the launch of a tile kernel needs #include <tilecc/tt.h>"
                             : "'" + name + "' comes with #include <tilecc/tt.h>, which is missing")
                            .str());
    }
    std::string why = explainUndeclared(name, isSimt);
    if (name.starts_with("cuda") && !why.empty())
      error.onceKey = "cuda";
    if (isSimtName(name) && !isSimt)
      error.onceKey = name.ends_with("Idx") || name.ends_with("Dim") ? "index" : name.str();
    const bool isOfCuda = isSimt && !name.starts_with("__tile");
    if (why.empty() && !(why = isOfCuda ? explainCudaType(name) : explainType(name)).empty())
      error.onceKey = name.str();
    llvm::StringRef function = withoutMarks(name), usage = findUsage(function);
    if (why.empty() && function != name && !usage.empty() && !isSimt)
      why = ("'" + name + "' is SIMT code, which needs --simt; in a tile kernel " + usage + " stands for it").str();
    return sayInstead(error, notes, why) || dropGuess(error, notes);
  }
  case diag::err_no_member_suggest:
  case diag::err_no_member_template_suggest:
  case diag::err_no_template_suggest:
  case diag::err_typename_nested_not_found:
  case diag::err_no_member:
    if (std::string why = explainType(name); text.contains("namespace 'tt'") && !why.empty()) {
      error.onceKey = name.str();
      return sayInstead(error, notes, why);
    }
    if (error.id == diag::err_no_member)
      return false; // RewordingTiles.cpp
    if (llvm::StringRef replacement = findReplacement(name); text.contains("namespace 'tt'") && !replacement.empty()) {
      error.guess = name.str();
      return sayInstead(error, notes, ("there is no tt::" + name + ": " + replacement).str());
    }
    return dropGuess(error, notes);
  case diag::err_expected_lparen_after_type: {
    // x.to(float), as in Triton.
    if (error.ranges.empty())
      return false;
    llvm::StringRef function = findOpenCall(textBefore(sources, error.ranges.front().getBegin()));
    llvm::StringRef from = textFrom(sources, error.ranges.front().getBegin());
    llvm::StringRef type = from.take_front(from.find_first_of(",)")).rtrim();
    bool takesType =
        llvm::is_contained({"to", "cast", "bitcast", "astype", "zeros", "full"}, function) && !type.empty();
    return takesType &&
           sayInstead(error, notes,
                      ("a type is a template argument: x.to<" + type + ">(), tt::zeros<" + type + ", 64, 32>()").str());
  }
  case diag::err_auto_var_deduction_failure:
    // Report the error at the initializer, because nobody wrote the variable of a name expression (library/Build.cpp).
    if (text.contains("'<overloaded function type>'") && !error.ranges.empty()) {
      error.loc = error.ranges.front().getBegin();
      error.ranges.clear();
      return sayInstead(error, notes,
                        "this names no single function: template arguments are missing or of the wrong kind, or the "
                        "name has several overloads");
    }
    return false;
  case diag::err_for_range_invalid:
    if (name.starts_with("tt::buffer<"))
      return sayInstead(error, notes,
                        "a loop of the host cannot iterate over a tt::buffer, which is memory of the device: "
                        "x.to_vector() copies it to the host");
    if (name == "int")
      return sayInstead(error, notes, "a loop that counts to n is for (int i : tt::range(n))");
    if (name.ends_with(" *"))
      return sayInstead(error, notes,
                        "a pointer does not know how many elements there are: for (int i = 0; i < n; ++i), or "
                        "tt::load(p + tt::arange<N>(), mask) for many at once");
    return name.starts_with("tile<") && sayInstead(error, notes,
                                                   "a loop cannot iterate over the elements of a tile: operators and "
                                                   "functions of tt compute with all of its "
                                                   "elements, and tt::map_elementwise(f, x) calls a function for each");
  case diag::err_ovl_no_viable_function_in_call: {
    auto speaksOfTiles = [](const ClangMessage &note) { return llvm::StringRef(note.text).contains("'tile<"); };
    auto isOfLibrary = [&](const ClangMessage &note) {
      return note.loc.isValid() && !sources.getFilename(sources.getExpansionLoc(note.loc)).contains("tilecc/");
    };
    if (llvm::StringRef ofTiles = findForKernels(name);
        !ofTiles.empty() && llvm::any_of(notes, speaksOfTiles) && llvm::any_of(notes, isOfLibrary))
      return sayInstead(error, notes, "'" + name + "' takes single numbers, not tiles; kernels have " + ofTiles);
    for (const ClangMessage &note : notes)
      if (note.id == diag::note_ovl_candidate_incomplete_deduction &&
          textFrom(sources, error.loc).drop_front(name.size()).starts_with("<<<")) {
        llvm::StringRef argument = llvm::StringRef(note.text).rtrim('\'').rsplit('\'').second;
        return sayInstead(error, notes,
                          "'" + name + "' is a template whose argument " + argument +
                              " does not follow from its parameters: " + name + "<" + argument +
                              "><<<grid>>>(arguments)");
      }
    if (notes.size() == 1 && notes[0].id == diag::note_ovl_candidate_bad_conv && isOfLibrary(notes[0]) &&
        llvm::StringRef(notes[0].text).contains("from 'tile<"))
      return sayInstead(error, notes,
                        "'" + name + "' takes single numbers, not tiles: template <class T> __tile__ auto " + name +
                            "(T x) takes both, and tt::map_elementwise(f, x) calls a function for each element");
    for (const ClangMessage &note : notes)
      if (note.id == diag::note_ovl_candidate_explicit_arg_mismatch_named && isOfLibrary(note) &&
          !sources.isInSystemHeader(note.loc))
        return sayInstead(error, notes,
                          "the template argument for " + getQuoted(note.text) + " of '" + name +
                              "' does not fit: a constant is a number or a constexpr variable, and a type a type");
    for (const ClangMessage &note : notes)
      if (llvm::StringRef(note.text).contains("could not match") && llvm::StringRef(note.text).contains("buffer<"))
        return sayInstead(error, notes,
                          "no matching function for call to '" + name.str() +
                              "': from a tt::buffer C++ does not deduce the T of a parameter T *; pass x.data() or +x");
    return false;
  }
  case diag::err_typecheck_nonviable_condition: {
    llvm::StringRef to = text.rtrim('\'').rsplit('\'').second; // the last one: aliases are explained
    if (to.starts_with("std::vector<") && name.starts_with("tt::buffer<"))
      return sayInstead(error, notes,
                        "a tt::buffer is memory of the device and no std::vector: x.to_vector() copies it to the host");
    if (!to.ends_with(" *"))
      return false;
    if (name == "reference" || name == "const_reference")
      return sayInstead(error, notes, "x[i] of a tt::buffer is an element, and &x[i] or x + i a pointer to it");
    if (name.starts_with("std::vector<") || name.starts_with("std::array<") || name.contains("unique_ptr"))
      return sayInstead(error, notes,
                        "a kernel takes a pointer to the device's memory, not a " + name +
                            ": tt::buffer<T> x(values) is a copy there");
    return name.starts_with("tt::buffer<") &&
           sayInstead(error, notes,
                      "a " + name + " does not convert to " + to + ": the types of their elements differ");
  }
  case diag::err_ovl_no_viable_oper:
    if (llvm::any_of(notes,
                     [](const ClangMessage &note) { return note.id == diag::note_ovl_candidate_deduced_mismatch; }) &&
        name.ends_with("="))
      return sayInstead(error, notes, "a variable that is const keeps its value: '" + name + "' cannot change it");
    return name == "=" &&
           llvm::any_of(notes,
                        [](const ClangMessage &note) {
                          return llvm::StringRef(note.text).contains("to 'buffer<") ||
                                 llvm::StringRef(note.text).contains("tt::buffer<");
                        }) &&
           sayInstead(error, notes,
                      "a tt::buffer is not assigned this: tt::buffer<T> x(values) takes a vector of T, and "
                      "x.fill(value) sets all elements");
  case diag::err_typecheck_convert_incompatible: // total = total + tile
    return text.starts_with("assigning to") && getQuoted(text, 1).starts_with("tile<") && !name.starts_with("tile<") &&
           sayInstead(error, notes, doesNotFit(getQuoted(text, 1), name));
  case diag::err_typecheck_invalid_operands: {
    // total += tile
    llvm::StringRef tile = getQuoted(text, 1), assigns = textFrom(sources, error.loc).take_front(2);
    bool isOfHost =
        llvm::any_of(notes, [](const ClangMessage &note) { return note.id == diag::note_ovl_candidate_bad_target; });
    return assigns.ends_with("=") && llvm::StringRef("+-*/%&|^").contains(assigns.front()) &&
           tile.starts_with("tile<") && !name.starts_with("tile<") && !isOfHost &&
           sayInstead(error, notes, doesNotFit(tile, name));
  }
  case diag::err_typecheck_member_reference_struct_union:
    return name.ends_with(" *") &&
           sayInstead(error, notes,
                      "a pointer has no members: tt::load(p) reads what it points to, whose type may be a template "
                      "parameter of the kernel");
  case diag::err_ovl_no_viable_function_in_init:
    return name.starts_with("tt::buffer<") &&
           sayInstead(
               error, notes,
               "a " + name +
                   " is made of a number of elements, x(n), of a vector or std::span of values, x(values), or of "
                   "a list, x = {1, 2, 3}");
  case diag::err_auto_different_deductions:
    return text.contains("'tile<") &&
           sayInstead(error, notes,
                      "tiles of different sizes have different types, and one auto stands for one type: "
                      "declare these variables separately");
  case diag::err_decomp_decl_unbindable_type: {
    llvm::StringRef statement = textFrom(sources, error.loc).split(';').first;
    return (statement.contains("tt::max") || statement.contains("tt::min")) &&
           sayInstead(error, notes,
                      "tt::max(x, tt::return_indices) returns a value and its index, and tt::max(x) a value");
  }
  case diag::err_typecheck_call_too_many_args_suggest: {
    llvm::StringRef statement = lineOf(sources, error.loc);
    return (statement.contains(".load(") || statement.contains(".store(")) &&
           sayInstead(error, notes, "positions in a tensor are a list: desc.load({row, column})");
  }
  case diag::err_deduced_class_template_ctor_no_viable:
    return name == "tt::buffer" &&
           sayInstead(error, notes, "a tt::buffer is declared with the type of its elements: tt::buffer<float> x(n)");
  case diag::err_init_conversion_failed:
    if (text.contains("rvalue of type 'tt::buffer<"))
      return sayInstead(error, notes, "a kernel takes a tt::buffer x as x, which converts to a pointer, and not as &x");
    return text.contains("'ttError_t'") && text.contains("rvalue of type 'void'") &&
           textFrom(sources, error.loc).split(';').first.contains("<<<") &&
           sayInstead(error, notes, "a launch has no value: tt::check(ttGetLastError()) behind it checks it");
  case diag::err_template_missing_args:
    return (name == "tt::inf" || name == "tt::nan") &&
           sayInstead(error, notes, "the type of '" + name + "' is a template argument: " + name + "<float>");
  case diag::err_lambda_impcap:
    return sayInstead(error, notes,
                      "'" + name + "' is not captured by the lambda: [=] or [&] captures what its body uses");
  case diag::err_kern_type_not_void_return:
    error.explainsRest = true; // Clang takes it for a host function
    return sayInstead(error, notes, "a kernel returns nothing, void: it stores its results through pointers");
  case diag::err_kern_is_nonstatic_method:
    error.explainsRest = true;
    return sayInstead(error, notes,
                      "kernel '" + name +
                          "' is a member function: a kernel is a free function or a static member, "
                          "to which the object is passed as an argument");
  case diag::err_expr_not_cce:
    for (const ClangMessage &note : notes)
      if (note.id == diag::note_constexpr_function_param_value_unknown)
        return sayInstead(error, notes,
                          "'" + getQuoted(note.text) +
                              "' is known only when the kernel runs, and this is a constant: "
                              "make it a template parameter of the kernel");
    llvm::erase_if(notes, [](const ClangMessage &note) { return note.id == diag::note_declared_at; });
    return false;
  case diag::err_attribute_argument_n_type:
    llvm::erase_if(notes, [](const ClangMessage &note) { return note.id == diag::note_declared_at; });
    return false;
  case diag::err_ovl_no_viable_conversion_in_cast:
  case diag::err_ovl_no_conversion_in_cast:
    return textBefore(sources, error.loc).ends_with("throw") && !isSimt &&
           sayInstead(error, notes,
                      "throw is not available in a tile kernel; kernels have tt::device_assert(condition, \"text\")");
  case diag::err_lvalue_reference_bind_to_temporary:
  case diag::err_lvalue_reference_bind_to_unrelated:
  case diag::err_reference_bind_failed:
    return text.contains("numbers<") &&
           sayInstead(error, notes, "positions, sizes and strides of a tensor are a list: {row, column}");
  default: return false;
  }
}

} // namespace tilecc
