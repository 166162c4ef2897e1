//===- Precompiled.cpp - makes and uses precompiled headers -------------------------------------------------------===//
//
// This file implements what the precompiled language header and the precompiled wrapper of CUDA's headers have in
// common. PrecompiledLanguage.cpp and PrecompiledWrapper.cpp decide which header fits a source.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/Precompiled.h"
#include "frontend/Compiler.h"
#include "frontend/PrecompiledOrigin.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace clang;

namespace tilecc {

//===--- the origin of a precompiled header ---------------------------------------------------------------------===//

bool PrecompiledOrigin::ReadLanguageOptions(const LangOptions &options, StringRef, bool, bool) {
  language = options;
  return false;
}
bool PrecompiledOrigin::ReadCodeGenOptions(const CodeGenOptions &options, StringRef, bool, bool) {
  codeGen = options;
  return false;
}
bool PrecompiledOrigin::ReadTargetOptions(const TargetOptions &options, StringRef, bool, bool) {
  target = options;
  return false;
}
bool PrecompiledOrigin::ReadPreprocessorOptions(const PreprocessorOptions &options, StringRef, bool, bool,
                                                std::string &) {
  preprocessor.Macros = options.Macros;
  return false;
}
bool PrecompiledOrigin::ReadHeaderSearchPaths(const HeaderSearchOptions &options, bool) {
  search.UserEntries = options.UserEntries;
  return false;
}
bool PrecompiledOrigin::visitInputFileAsRequested(StringRef, StringRef name, bool, bool, time_t, bool) {
  headers.push_back(name.str());
  return true;
}

bool PrecompiledOrigin::read(CompilerInstance &compiler, llvm::StringRef precompiled) {
  return !ASTReader::readASTFileControlBlock(precompiled, compiler.getFileManager(), compiler.getModuleCache(),
                                             compiler.getPCHContainerReader(), /*FindModuleFileExtensions=*/false,
                                             *this, /*ValidateDiagnosticOptions=*/false);
}

static void dropCompatibleDifferences(LangOptions &language, CodeGenOptions &codeGen, const PrecompiledOrigin &origin) {
  language.POSIXThreads = origin.language.POSIXThreads; // for -pthread
  using Kind = LangOptionsBase::CompatibilityKind;
#define LANGOPT(Name, Bits, Default, Compatibility, Description)                                                       \
  if constexpr (Kind::Compatibility == Kind::Compatible)                                                               \
    language.Name = origin.language.Name;
#define ENUM_LANGOPT(Name, Type, Bits, Default, Compatibility, Description)                                            \
  if constexpr (Kind::Compatibility == Kind::Compatible)                                                               \
    language.set##Name(origin.language.get##Name());
#include "clang/Basic/LangOptions.def"

  using CodeGenKind = CodeGenOptions::CompatibilityKind;
#define CODEGENOPT(Name, Bits, Default, Compatibility)                                                                 \
  if constexpr (CodeGenKind::Compatibility == CodeGenKind::Compatible)                                                 \
    codeGen.Name = origin.codeGen.Name;
#define ENUM_CODEGENOPT(Name, Type, Bits, Default, Compatibility)                                                      \
  if constexpr (CodeGenKind::Compatibility == CodeGenKind::Compatible)                                                 \
    codeGen.set##Name(origin.codeGen.get##Name());
#include "clang/Basic/CodeGenOptions.def"
}

bool PrecompiledOrigin::isAcceptable(CompilerInstance &compiler, llvm::StringRef precompiled,
                                     llvm::function_ref<void(LangOptions &, TargetOptions &)> adjust) const {
  LangOptions lang = compiler.getLangOpts();
  CodeGenOptions code = compiler.getCodeGenOpts();
  TargetOptions targetOptions = compiler.getTargetOpts();
  dropCompatibleDifferences(lang, code, *this);
  adjust(lang, targetOptions);
  // Differences in macros are not a reason to reject the header: the caller knows which macros matter.
  return ASTReader::isAcceptableASTFile(precompiled, compiler.getFileManager(), compiler.getModuleCache(),
                                        compiler.getPCHContainerReader(), lang, code, targetOptions, preprocessor,
                                        compiler.getHeaderSearchOpts(), /*ExistingModuleCachePath=*/"");
}

//===--- using a precompiled header -----------------------------------------------------------------------------===//

void usePrecompiled(CompilerInstance &compiler, llvm::StringRef precompiled) {
  PreprocessorOptions &preprocessor = compiler.getPreprocessorOpts();
  preprocessor.ImplicitPCHInclude = precompiled.str();
  preprocessor.DisablePCHOrModuleValidation = DisableValidationForModuleKind::PCH; // already validated
  // A make rule must begin with the source, although the files of the precompiled header are known first.
  compiler.getDependencyOutputOpts().ExtraDeps.emplace_back(compiler.getFrontendOpts().Inputs.front().getFile().str(),
                                                            EDK_DepFileEntry);
}

std::string chosenPrecompiled(const CompilerInstance &compiler) {
  const PreprocessorOptions &options = compiler.getPreprocessorOpts();
  return options.DisablePCHOrModuleValidation == DisableValidationForModuleKind::PCH ? options.ImplicitPCHInclude
                                                                                     : std::string();
}

/// Returns the name that a line of predefines defines or undefines; empty for other lines.
static llvm::StringRef definedName(llvm::StringRef line) {
  if (!line.consume_front("#define ") && !line.consume_front("#undef "))
    return {};
  return line.take_until([](char c) { return c == ' ' || c == '('; });
}

/// Returns the last line about each macro, by name. Predefines may define a macro repeatedly.
static llvm::StringMap<llvm::StringRef> lastLines(llvm::StringRef predefines) {
  llvm::StringMap<llvm::StringRef> lines;
  for (llvm::StringRef line : llvm::split(predefines, '\n'))
    if (llvm::StringRef name = definedName(line); !name.empty())
      lines[name] = line;
  return lines;
}

/// Returns the lines that must follow the predefines of a precompiled header so that macros have the values that a
/// source needs.
static std::string differencesOf(llvm::StringRef wanted, llvm::StringRef precompiled) {
  llvm::StringMap<llvm::StringRef> before = lastLines(precompiled), after = lastLines(wanted);
  llvm::StringSet<> includes;
  for (llvm::StringRef line : llvm::split(precompiled, '\n'))
    if (line.starts_with("#include"))
      includes.insert(line);

  std::string text = "# 1 \"<built-in>\" 3\n";
  auto add = [&](const llvm::Twine &line) { text += (line + "\n").str(); };
  for (const auto &[name, line] : before)
    if (line.starts_with("#define ") && line != after.lookup(name))
      add("#undef " + name);
  for (llvm::StringRef line : llvm::split(wanted, '\n')) {
    llvm::StringRef name = definedName(line);
    bool isKnown = name.empty() ? includes.contains(line)
                                : line == before.lookup(name) || line.data() != after.lookup(name).data();
    if (!isKnown)
      add(line);
  }
  return text;
}

void restorePredefinedMacros(CompilerInstance &compiler) {
  PreprocessorOptions options = compiler.getPreprocessorOpts();
  if (options.ImplicitPCHInclude.empty())
    return;
  std::string precompiled = readBeside(options.ImplicitPCHInclude, predefinesExtension);
  if (precompiled.empty()) // the user's own precompiled header
    return;
  options.ImplicitPCHInclude.clear();
  Preprocessor &preprocessor = compiler.getPreprocessor();
  InitializePreprocessor(preprocessor, options, compiler.getPCHContainerReader(), compiler.getFrontendOpts(),
                         compiler.getCodeGenOpts());
  preprocessor.setPredefines(differencesOf(preprocessor.getPredefines(), precompiled));
}

//===--- making a precompiled header ----------------------------------------------------------------------------===//

namespace {
struct WriteAction : GeneratePCHAction {
  std::string predefines;
  std::vector<std::string> *names;
  explicit WriteAction(std::vector<std::string> *names) : names(names) {}

  bool BeginSourceFileAction(CompilerInstance &compiler) override {
    predefines = compiler.getPreprocessor().getPredefines();
    return GeneratePCHAction::BeginSourceFileAction(compiler);
  }
  void EndSourceFileAction() override {
    if (names)
      for (const auto &entry : getCompilerInstance().getPreprocessor().getIdentifierTable())
        names->push_back(entry.getKey().str());
    GeneratePCHAction::EndSourceFileAction();
  }
};
} // namespace

bool writePrecompiled(CompilerInstance &compiler, llvm::StringRef source, llvm::StringRef output,
                      std::vector<std::string> *names) {
  // Mark the source as included rather than as the main file, so that -MMD and warnings treat its headers as system
  // headers.
  FrontendInputFile &input = compiler.getFrontendOpts().Inputs.front();
  input = FrontendInputFile(llvm::MemoryBufferRef(source, "precompiled"), input.getKind());
  compiler.getFrontendOpts().OutputFile = output.str();
  compiler.getFrontendOpts().IncludeTimestamps = false;
  WriteAction action(names);
  return parseWithDeepStack(compiler, [&] { return compiler.ExecuteAction(action); }) &&
         writeBeside(output, predefinesExtension, action.predefines);
}

bool writeBeside(llvm::StringRef precompiled, llvm::StringRef extension, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file((precompiled + extension).str(), error);
  file << text;
  file.close();
  bool isWritten = !error && !file.has_error();
  file.clear_error();
  return isWritten;
}

std::string readBeside(llvm::StringRef precompiled, llvm::StringRef extension) {
  auto file = llvm::MemoryBuffer::getFile(precompiled + extension);
  return file ? (*file)->getBuffer().str() : std::string();
}

} // namespace tilecc
