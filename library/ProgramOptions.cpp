//===- ProgramOptions.cpp - parses the options of a program ------------------------------------------------------===//
//
// Parses the options that <tilecc/compiler.h> lists. The driver has 400 more, for files, links and build systems that
// expect nvcc; they do not apply here.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "library/ProgramOptions.h"
#include "targets/Backend.h"
#include "targets/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tilecc {

namespace {
class Parser {
public:
  explicit Parser(ArrayRef<std::string> words) : words(words) {}
  Expected<ProgramOptions> run();

private:
  Error parse(StringRef word);
  Error addTarget(StringRef name);
  Error parseBool(StringRef name, StringRef text, bool &value);
  Error parseNumber(StringRef name, StringRef text, std::optional<int> &value);
  Error fail(const Twine &message) { return createStringError(message); }
  /// Takes the value of the option `name`: the rest of `word` or, if that is empty, the next word.
  bool takeValue(StringRef word, StringRef name, StringRef &value);

  ArrayRef<std::string> words;
  size_t next = 0;
  ProgramOptions options;
};
} // namespace

bool Parser::takeValue(StringRef word, StringRef name, StringRef &value) {
  if (!word.consume_front(name))
    return false;
  value = word;
  if (value.empty() && next < words.size())
    value = words[next++];
  return true;
}

Error Parser::addTarget(StringRef name) {
  StringRef number = name;
  bool isPtx = number.consume_front("compute_");
  std::optional<Target> target = Target::parse(isPtx ? ("sm_" + number).str() : name);
  if (target && !name.contains('@')) { // kernels run in this process, not on another machine
    const GpuBackend *gpu = target->backend->asGpu();
    options.targets.push_back({gpu && !isPtx ? gpu->getCodeTarget(*target) : *target, !isPtx});
    return Error::success();
  }
  std::string error;
  if (name.starts_with("cpu:") && !findCpuTarget(name.substr(strlen("cpu:")), {}, error))
    return fail("-arch: " + error);
  std::string all = "compute_XX, cpu, cpu:N";
  for (const Backend *backend : allBackends())
    if (backend->asGpu())
      all += ", " + backend->describeTargets();
  return fail("-arch: '" + name + "' is none of " + all);
}

Error Parser::parseBool(StringRef name, StringRef text, bool &value) {
  auto result =
      StringSwitch<std::optional<bool>>(text).Cases({"true", "1"}, true).Cases({"false", "0"}, false).Default({});
  if (!result)
    return fail(name + ": '" + text + "' is neither true nor false");
  value = *result;
  return Error::success();
}

Error Parser::parseNumber(StringRef name, StringRef text, std::optional<int> &value) {
  int number;
  if (text.getAsInteger(10, number) || number < 1)
    return fail(name + ": '" + text + "' is not a positive number");
  value = number;
  return Error::success();
}

Error Parser::parse(StringRef word) {
  // Clang's options whose values may be separate words.
  for (StringRef name : {"-D", "-U", "-I", "-isystem", "-include"})
    if (StringRef value; takeValue(word, name, value)) {
      if (value.empty())
        return fail(word + ": its value is missing");
      options.clang.insert(options.clang.end(), {name.str(), value.str()});
      return Error::success();
    }
  if (word.starts_with("-std=") || word.starts_with("--std=") || word.starts_with("-W") || word == "-w" ||
      (word.starts_with("-f") && word != "-ffusion" && word != "-fprofile-tile" && !word.starts_with("-fmad"))) {
    options.clang.push_back(word.starts_with("--") ? word.drop_front().str() : word.str());
    return Error::success();
  }
  // Our options and nvcc's, with one dash or two.
  StringRef name = word, value;
  if (!name.consume_front("--"))
    name.consume_front("-");
  bool hasValue = name.contains('=');
  std::tie(name, value) = name.split('=');
  FloatOptions &floats = options.floats;
  if (hasValue && is_contained({"arch", "gpu-architecture"}, name))
    return addTarget(value);
  if (hasValue && name == "fmad")
    return parseBool(word, value, floats.fmad);
  if (hasValue && name == "ftz")
    return parseBool(word, value, floats.ftz);
  if (hasValue && name == "prec-div")
    return parseBool(word, value, floats.precDiv);
  if (hasValue && name == "prec-sqrt")
    return parseBool(word, value, floats.precSqrt);
  for (const KernelAttribute &attribute : kernelAttributes)
    if (StringRef(attribute.getOption()).ltrim('-') == name && hasValue == (attribute.most > 0)) {
      std::optional<int> &member = options.kernel.*attribute.member;
      if (!hasValue) {
        member = 1;
        return Error::success();
      }
      if (Error error = parseNumber(word, value, member))
        return error;
      if (!attribute.isValid(*member))
        return fail("'" + word + "': not " + attribute.getRange());
      return Error::success();
    }
  if (hasValue && name == "maxrregcount") {
    std::optional<int> count;
    if (Error error = parseNumber(word, value, count))
      return error;
    options.assembler.maxRegisters = std::to_string(*count);
  } else if (hasValue && name == "cuda-path")
    options.cudaPath = value;
  else if (name == "cache") {
    options.usesCache = true;
    options.cacheDir = value;
  } else if (!hasValue && name == "use_fast_math")
    floats.fastMath = floats.ftz = true;
  else if (!hasValue && name == "lineinfo")
    options.assembler.lineInfo = true;
  else if (!hasValue && name == "ffusion")
    options.keepsTTIR = true;
  else if (!hasValue && name == "fprofile-tile")
    options.profile = true;
  else
    return fail("'" + word + "' is not an option of libtilecc");
  return Error::success();
}

Expected<ProgramOptions> Parser::run() {
  while (next < words.size())
    if (Error error = parse(words[next++]))
      return std::move(error);
  if (options.targets.empty())
    cantFail(addTarget("compute_90"));
  if (none_of(options.clang, [](StringRef arg) { return arg.starts_with("-std="); }))
    options.clang.push_back("-std=gnu++20");
  return std::move(options);
}

Expected<ProgramOptions> parseOptions(ArrayRef<std::string> words) { return Parser(words).run(); }

} // namespace tilecc
