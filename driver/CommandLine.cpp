//===- CommandLine.cpp - parses the command line with the option table --------------------------------------------===//
//
// Called by parseCommandLine(). tcc accepts command lines written for nvcc, GCC and Clang. Three cases need more than a
// look-up in the table of Options.td: arguments that nvcc and GCC read differently, values that nvcc splits into lists,
// and the two thousand options that only Clang knows. Clang's own table parses the latter, so that a separate value is
// not mistaken for an input; they are passed on unchanged.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/CommandLine.h"
#include "driver/Context.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace llvm::opt;

namespace tilecc {

//===--- the option table -----------------------------------------------------------------------------------------===//

#define OPTTABLE_STR_TABLE_CODE
#include "driver/Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "driver/Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

namespace {
using namespace options;
constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "driver/Options.inc"
#undef OPTION
};

class DriverOptions : public GenericOptTable {
public:
  DriverOptions() : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos) {}
};
} // namespace

const OptTable &optionTable() {
  static const DriverOptions options;
  return options;
}

/// Escapes characters that troff would read as a command or a hyphen.
static std::string troff(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return result;
}

std::vector<std::string> valuesOf(unsigned option) {
  return optionTable().suggestValueCompletions(optionTable().getOption(option).getPrefixedName(), "");
}

std::string manPage() {
  const OptTable &table = optionTable();
  std::string text =
      ".TH TCC 1\n.SH NAME\ntcc \\- compiler for C++ with tile kernels and SIMT kernels\n.SH SYNOPSIS\n"
      ".B tcc\n[options] file...\n.SH DESCRIPTION\nCompiles C++ sources that mix host code, tile kernels "
      "(.tt.cpp) and SIMT kernels (.cu) to objects with code for GPUs and for the CPU, and links them.\n";
  // Sections follow the groups, in the order of the table.
  std::vector<std::pair<std::string, std::string>> sections;
  for (unsigned id = 1; id <= table.getNumOptions(); ++id) {
    const Option option = table.getOption(id);
    const char *help = table.getOptionHelpText(id);
    if (!help || option.getKind() == Option::GroupClass || option.getAlias().isValid() || option.hasFlag(HelpHidden))
      continue;
    Option group = option.getGroup();
    while (group.isValid() && !table.getOptionHelpText(group.getID()))
      group = group.getGroup();
    std::string title = group.isValid() ? table.getOptionHelpText(group.getID()) : "OPTIONS";
    auto section = find_if(sections, [&](const auto &section) { return section.first == title; });
    if (section == sections.end())
      section = sections.insert(section, {title, ""});
    std::string name = option.getPrefixedName().str();
    if (const char *meta = table.getOptionMetaVar(id))
      name += (option.getKind() == Option::JoinedClass ? "" : " ") + std::string(meta);
    section->second += ".TP\n.B " + troff(name) + "\n" + troff(help) + "\n";
  }
  for (const auto &[title, options] : sections)
    text += ".SH " + troff(title) + "\n" + options;
  return text;
}

//===--- command-line words ---------------------------------------------------------------------------------------===//

/// Returns true if `text` is a value of nvcc's -Werror. Otherwise -Werror takes no value, as in GCC.
static bool areKindsOfWarnings(StringRef text) {
  static constexpr StringLiteral kinds[] = {"all-warnings",
                                            "cross-execution-space-call",
                                            "default-stream-launch",
                                            "deprecated-declarations",
                                            "ext-lambda-captures-this",
                                            "missing-launch-bounds",
                                            "reorder"};
  return all_of(split(text, ','), [](StringRef part) { return is_contained(kinds, part); });
}

/// Rewrites nvcc spellings that GCC reads differently: "-O 3", "-Werror reorder", "-optf file".
static void unifySpellings(SmallVectorImpl<const char *> &words, StringSaver &saver) {
  SmallVector<const char *, 64> unified;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i], next = i + 1 < words.size() ? StringRef(words[i + 1]) : StringRef();
    if (word == "--") {
      unified.append(words.begin() + i, words.end());
      break;
    }
    bool takesNext = true;
    if (word == "-O" && !next.empty() && all_of(next, isDigit))
      unified.push_back(saver.save(word + next).data());
    else if ((word == "-Werror" || word == "--Werror") && !next.empty() && areKindsOfWarnings(next))
      unified.push_back(saver.save("-Werror=" + next).data());
    else if ((word == "-optf" || word == "--options-file") && !next.empty())
      for (StringRef file : split(next, ','))
        unified.push_back(saver.save("@" + file).data());
    else {
      takesNext = false;
      unified.push_back(words[i]);
      for (StringRef option : {"-optf=", "--options-file="})
        if (StringRef files = word; files.consume_front(option)) {
          unified.pop_back();
          for (StringRef file : split(files, ','))
            unified.push_back(saver.save("@" + file).data());
        }
    }
    i += takesNext;
  }
  words.assign(unified.begin(), unified.end());
}

static SmallVector<const char *, 64> allWords(Context &ctx, ArrayRef<const char *> given) {
  static BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *, 64> words;
  auto addFromEnvironment = [&](StringRef suffix) {
    for (const char *prefix : {"NVCC_", "TCC_"})
      if (auto flags = sys::Process::GetEnv((prefix + suffix).str()))
        cl::TokenizeGNUCommandLine(*flags, saver, words);
  };
  addFromEnvironment("PREPEND_FLAGS");
  append_range(words, given);
  addFromEnvironment("APPEND_FLAGS");
  unifySpellings(words, saver);
  // Response files, as in GNU tools: @file stands for the arguments in it.
  cl::ExpansionContext expansion(allocator, cl::TokenizeGNUCommandLine);
  if (llvm::Error error = expansion.expandResponseFiles(words))
    Error(ctx) << toString(std::move(error));
  unifySpellings(words, saver);
  return words;
}

//===--- arguments ------------------------------------------------------------------------------------------------===//

static const Arg &original(const Arg &arg) { return arg.getAlias() ? *arg.getAlias() : arg; }

void render(const ArgList &args, const Arg &arg, ArgStringList &words) {
  if (arg.getOption().hasFlag(RenderAsInput))
    append_range(words, arg.getValues());
  else
    arg.render(args, words);
}

std::string asWritten(const ArgList &args, const Arg &arg) { return original(arg).getAsString(args); }

std::vector<std::string> splitList(StringRef text) {
  std::vector<std::string> parts(1);
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == quote || (!quote && (c == '"' || c == '\'')))
      quote = quote ? 0 : c;
    if (c == ',' && !quote)
      parts.emplace_back();
    else
      parts.back() += c == '\\' && text.substr(i + 1).starts_with(",") ? text[++i] : c;
  }
  return parts;
}

namespace {
class Reader {
public:
  Reader(Context &ctx, ArrayRef<const char *> words) : ctx(ctx), args(words.begin(), words.end()), size(words.size()) {
    for (StringRef word : words) {
      unknownToCompiler |=
          word.ends_with("-forward-unknown-to-host-compiler") || word.ends_with("-forward-unknown-opts");
      unknownToLinker |= word.ends_with("-forward-unknown-to-host-linker") || word.ends_with("-forward-unknown-opts");
    }
  }

  InputArgList readAll() {
    while (index < size) {
      StringRef word = args.getArgString(index);
      if (word == "--") {
        for (++index; index < size; ++index) // an input; "./" keeps Clang from reading it as an option
          add(OPT_INPUT,
              (StringRef(args.getArgString(index)).starts_with("-") ? "./" : "") + Twine(args.getArgString(index)),
              index);
      } else if (word.empty() || isForToolsOfClang(word)) {
        ++index;
      } else {
        readOne();
      }
    }
    return std::move(args);
  }

private:
  /// Returns true for an option that Clang's tools need and tcc can do without:
  /// --config=<prefix>/lib/tilecc/tilecc-tools.cfg
  static bool isForToolsOfClang(StringRef word) {
    return word.consume_front("--config=") && sys::path::filename(word) == "tilecc-tools.cfg";
  }

  void readOne() {
    unsigned begin = index;
    std::unique_ptr<Arg> arg = optionTable().ParseOneArg(args, index);
    if (readByClang(begin, arg.get()))
      return;
    if (!arg) {
      unsigned missing = index - begin - 1;
      Error(ctx) << args.getArgString(begin) << " needs " << (missing == 1 ? "an argument" : "arguments");
      index = size;
      return;
    }
    if (arg->getOption().matches(OPT_UNKNOWN))
      handleUnknown(arg->getAsString(args), begin);
    else if (arg->getOption().matches(OPT_Werror_EQ))
      addWarningKinds(*arg);
    else if (isList(*arg))
      for (const std::string &part : splitList(arg->getValue()))
        add(ID(arg->getOption().getID()), part, begin);
    else
      args.append(arg.release());
  }

  /// Parses the arguments at `begin` as a Clang option if Clang's table has a longer match than ours: -target is not
  /// -t, and -include-pch is not -include. Keeps our match if it is passed to Clang anyway.
  bool readByClang(unsigned begin, const Arg *ours) {
    unsigned end = begin;
    std::unique_ptr<Arg> clangs =
        clang::getDriverOptTable().ParseOneArg(args, end, Visibility(clang::options::ClangOption));
    auto isOption = [](const Arg *arg) {
      return arg && arg->getOption().getKind() != Option::UnknownClass &&
             arg->getOption().getKind() != Option::InputClass;
    };
    if (!ours || ours->getOption().matches(OPT_INPUT) || !isOption(clangs.get()))
      return false;
    bool isLonger = original(*clangs).getSpelling().size() > original(*ours).getSpelling().size();
    bool isSame = ours->getOption().matches(OPT_HostGroup) && end == index;
    if (isOption(ours) && (!isLonger || isSame))
      return false;
    bool isForLinker = clangs->getOption().hasFlag(clang::options::LinkOption);
    for (index = begin; index < end; ++index)
      add(isForLinker ? OPT_clang_link_argument : OPT_clang_argument, args.getArgString(index), index);
    return true;
  }

  void handleUnknown(const std::string &word, unsigned at) {
    if (unknownToCompiler)
      add(OPT_clang_argument, word, at);
    if (unknownToLinker)
      add(OPT_clang_link_argument, word, at);
    if (unknownToCompiler || unknownToLinker)
      return;
    std::string nearest;
    if (optionTable().findNearest(word, nearest) <= 2)
      Error(ctx) << "unknown option '" << word << "'; did you mean '" << nearest << "'?";
    else
      Error(ctx) << "unknown option '" << word << "'; host compiler options that tcc does not know go through "
                 << "-Xcompiler";
  }

  /// -Werror=all-warnings,reorder
  void addWarningKinds(const Arg &arg) {
    for (StringRef kind : split(arg.getValue(), ','))
      if (kind == "all-warnings")
        add(OPT_W, "error", arg.getIndex());
      else
        add(OPT_Werror_EQ, kind, arg.getIndex());
  }

  /// Returns true if the value is a list. nvcc splits -D a,b; tcc splits the spellings shared with GCC only when it
  /// runs as nvcc.
  bool isList(const Arg &arg) const {
    return arg.getOption().hasFlag(CommaList) && (ctx.asNvcc || original(arg).getSpelling().starts_with("--"));
  }

  void add(ID id, const Twine &value, unsigned at) {
    const Option option = optionTable().getOption(id);
    const char *text = args.MakeArgString(value);
    args.append(new Arg(option, id == OPT_INPUT ? text : args.MakeArgString(option.getPrefixedName()), at, text));
  }

  Context &ctx;
  InputArgList args;
  unsigned index = 0, size;
  bool unknownToCompiler = false, unknownToLinker = false;
};
} // namespace

InputArgList readArguments(Context &ctx, ArrayRef<const char *> words) {
  // The argument list points to these strings.
  static SmallVector<const char *, 64> all;
  all = allWords(ctx, words);
  return Reader(ctx, all).readAll();
}

} // namespace tilecc
