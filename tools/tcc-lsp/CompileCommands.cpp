//===-- CompileCommands.cpp - finds the options that a project compiles a source with -----------------------------===//
//
// Used by LanguageServer.cpp, for each source that it compiles.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "CompileCommands.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace tilecc::lsp {

static constexpr StringLiteral databaseName = "compile_commands.json";

static std::string absolute(StringRef folder, StringRef path) {
  SmallString<256> result(path);
  sys::path::make_absolute(folder, result);
  sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

namespace {
/// An option that editors ignore. `values` words after it are its values; if `isPrefix`, the value may also follow
/// directly.
struct IgnoredOption {
  StringLiteral name;
  unsigned values = 0;
  bool isPrefix = false;
};
} // namespace

static constexpr IgnoredOption outputOptions[] = {
    {"-c"},
    {"-dc"},
    {"-dw"},
    {"-S"},
    {"-E"},
    {"-ptx"},
    {"-cubin"},
    {"-fatbin"},
    {"--ptx"},
    {"--cubin"},
    {"--fatbin"},
    {"--compile"},
    {"--run"},
    {"-run"},
    {"-dlink"},
    {"-lib"},
    {"-M"},
    {"-MM"},
    {"-MD"},
    {"-MMD"},
    {"-MP"},
    {"-o", 1, true},
    {"-MF", 1, true},
    {"-MT", 1, true},
    {"-MQ", 1, true},
    {"--emit=", 0, true},
    {"--device-c"},
    {"-fsyntax-only"},
    {"--time=", 0, true},
    {"--output-file", 1, true},
};

static constexpr IgnoredOption architectureOptions[] = {
    {"-arch", 1, true},    {"--gpu-architecture", 1, true}, {"-code", 1, true},          {"--gpu-code", 1, true},
    {"-gencode", 1, true}, {"--generate-code", 1, true},    {"--offload-arch", 1, true}, {"--cuda-gpu-arch", 1, true},
};

static std::vector<std::string> without(ArrayRef<std::string> words, ArrayRef<IgnoredOption> ignored) {
  std::vector<std::string> rest;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    auto option = find_if(ignored, [&](const IgnoredOption &option) {
      return option.isPrefix ? word.starts_with(option.name) : word == option.name;
    });
    if (option == ignored.end())
      rest.push_back(words[i]);
    else if (word == option->name)
      i += option->values;
  }
  return rest;
}

std::vector<std::string> selectOptions(ArrayRef<std::string> command, StringRef source) {
  // Skip the compiler and, before it, a launcher such as ccache.
  while (!command.empty() && !StringRef(command.front()).starts_with("-"))
    command = command.drop_front();
  std::vector<std::string> options = without(command, outputOptions);
  erase_if(options, [&](const std::string &word) {
    return word == "-" || word == "--" || (word[0] != '-' && sys::path::filename(word) == sys::path::filename(source));
  });
  return options;
}

void removeArchitectures(std::vector<std::string> &options) { options = without(options, architectureOptions); }

std::string CompileCommands::locate(StringRef source) const {
  auto fileIn = [](StringRef folder) {
    SmallString<256> path(folder);
    sys::path::append(path, databaseName);
    return sys::fs::is_regular_file(path) ? path.str().str() : std::string();
  };
  if (!location.empty())
    return sys::fs::is_directory(location) ? fileIn(location) : location;
  for (StringRef folder = sys::path::parent_path(source); !folder.empty(); folder = sys::path::parent_path(folder)) {
    if (std::string file = fileIn(folder); !file.empty())
      return file;
    SmallString<256> build(folder);
    sys::path::append(build, "build");
    if (std::string file = fileIn(build); !file.empty())
      return file;
  }
  return {};
}

/// Reads one entry. Returns false if it is not valid.
static bool readEntry(const json::Value &value, StringMap<CompileCommand> &commands) {
  const json::Object *entry = value.getAsObject();
  if (!entry)
    return false;
  std::optional<StringRef> file = entry->getString("file"), directory = entry->getString("directory");
  if (!file || !directory)
    return false;
  std::vector<std::string> words;
  if (const json::Array *arguments = entry->getArray("arguments")) {
    for (const json::Value &argument : *arguments) {
      if (!argument.getAsString())
        return false;
      words.push_back(argument.getAsString()->str());
    }
  } else if (std::optional<StringRef> command = entry->getString("command")) {
    BumpPtrAllocator memory;
    StringSaver saver(memory);
    SmallVector<const char *> split;
    cl::TokenizeGNUCommandLine(*command, saver, split);
    words.assign(split.begin(), split.end());
  } else {
    return false;
  }
  CompileCommand command;
  command.directory = directory->str();
  command.isOfNvcc = any_of(words, [](StringRef word) { return sys::path::filename(word).ends_with("nvcc"); });
  command.options = selectOptions(words, *file);
  commands.try_emplace(absolute(*directory, *file), std::move(command)); // the first entry counts, as for clangd
  return true;
}

const CompileCommands::Database &CompileCommands::read(const std::string &path) {
  sys::fs::file_status status;
  sys::fs::status(path, status);
  Database &database = databases[path];
  if (database.isRead && database.time == status.getLastModificationTime() && database.problem.empty())
    return database;
  database = {};
  database.isRead = true;
  database.time = status.getLastModificationTime();
  auto file = MemoryBuffer::getFile(path);
  if (!file) {
    database.problem = path + ": " + file.getError().message();
    return database;
  }
  Expected<json::Value> value = json::parse((*file)->getBuffer());
  if (!value) {
    database.problem = path + ": " + toString(value.takeError());
    return database;
  }
  const json::Array *entries = value->getAsArray();
  if (!entries || !all_of(*entries, [&](const json::Value &entry) { return readEntry(entry, database.commands); }))
    database.problem = path + ": each entry has a file, a directory, and a command or arguments";
  return database;
}

CompileCommand CompileCommands::find(StringRef source) {
  CompileCommand command;
  command.directory = sys::path::parent_path(source).str();
  std::string path = locate(source);
  if (path.empty()) {
    if (!location.empty())
      command.problem = location + ": there is no " + databaseName.str();
    return command;
  }
  const Database &database = read(path);
  if (auto entry = database.commands.find(source); entry != database.commands.end())
    command = entry->second;
  command.problem = database.problem;
  return command;
}

} // namespace tilecc::lsp
