//===- Cache.cpp - the cache of compiled programs ----------------------------------------------------------------===//
//
// CompilerInterface.cpp uses it for programs with --cache.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "library/Cache.h"
#include "frontend/CacheFolder.h"
#include "library/Installation.h"
#include "library/Temporaries.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace tilecc {

static constexpr StringLiteral magic = "tilecc program 2\n";
static constexpr StringLiteral suffix = ".tcp";
static constexpr size_t digestSize = 32;

static std::string digestOf(StringRef bytes) {
  return toStringRef(ArrayRef(SHA256::hash(arrayRefFromStringRef(bytes)))).str();
}

//===--- entries -------------------------------------------------------------------------------------------------===//

namespace {
/// Serializes texts and numbers, each with its length.
class Writer {
public:
  Writer &operator<<(uint64_t number) {
    bytes.append(reinterpret_cast<const char *>(&number), sizeof number);
    return *this;
  }
  Writer &operator<<(StringRef text) {
    *this << uint64_t(text.size());
    bytes += text;
    return *this;
  }
  std::string bytes;
};

/// Deserializes them; `ok` becomes false if something is missing.
class Reader {
public:
  explicit Reader(StringRef bytes) : bytes(bytes) {}
  uint64_t number() {
    uint64_t result = 0;
    if (StringRef text = take(sizeof result); ok)
      memcpy(&result, text.data(), sizeof result);
    return result;
  }
  std::string text() { return take(number()).str(); }
  bool atEnd() const { return ok && bytes.empty(); }

private:
  StringRef take(uint64_t size) {
    ok &= size <= bytes.size();
    StringRef result = ok ? bytes.take_front(size) : StringRef();
    bytes = ok ? bytes.drop_front(size) : StringRef();
    return result;
  }
  StringRef bytes;
  bool ok = true;
};
} // namespace

static std::string serialize(StringRef key, const BuildResult &result) {
  Writer out;
  out << key << result.log << result.ttir << result.ptx << result.cubin << result.object << result.library;
  out << uint64_t(result.symbols.size());
  for (const std::string &symbol : result.symbols)
    out << symbol;
  out << uint64_t(result.files.size());
  for (const FileRead &file : result.files)
    out << file.path << file.digest << file.size << uint64_t(file.modified);
  return magic.str() + digestOf(out.bytes) + out.bytes;
}

/// Returns nothing if the file is not an entry, or has another key.
static std::optional<BuildResult> deserialize(StringRef key, StringRef bytes) {
  if (!bytes.consume_front(magic) || bytes.size() < digestSize ||
      digestOf(bytes.drop_front(digestSize)) != bytes.take_front(digestSize))
    return std::nullopt;
  Reader in(bytes.drop_front(digestSize));
  if (in.text() != key)
    return std::nullopt;
  BuildResult result;
  result.status = BuildStatus::Success;
  for (std::string *text : {&result.log, &result.ttir, &result.ptx, &result.cubin, &result.object, &result.library})
    *text = in.text();
  for (uint64_t count = in.number(); count-- > 0;)
    result.symbols.push_back(in.text());
  for (uint64_t count = in.number(); count-- > 0;) {
    FileRead &file = result.files.emplace_back();
    file.path = in.text();
    file.digest = in.text();
    file.size = in.number();
    file.modified = int64_t(in.number());
  }
  return in.atEnd() ? std::optional(std::move(result)) : std::nullopt;
}

//===--- files ---------------------------------------------------------------------------------------------------===//

static bool fillStatus(FileRead &file) {
  struct stat status;
  if (stat(file.path.c_str(), &status))
    return false;
  file.size = status.st_size;
  file.modified = status.st_mtim.tv_sec * 1'000'000'000ll + status.st_mtim.tv_nsec;
  return true;
}

std::optional<FileRead> describeFile(const std::string &path, bool isOurs) {
  FileRead file{path, {}, 0, 0};
  if (!fillStatus(file))
    return std::nullopt;
  if (isOurs)
    return file;
  Expected<std::string> bytes = readFile(path);
  if (!bytes) {
    consumeError(bytes.takeError());
    return std::nullopt;
  }
  file.digest = digestOf(*bytes);
  return file;
}

/// Returns true if a file has the same size and time as before or, if the time differs, the same contents.
static bool isUnchanged(const FileRead &file) {
  FileRead now{file.path, {}, 0, 0};
  if (!fillStatus(now))
    return false;
  if (now.size == file.size && now.modified == file.modified)
    return true;
  if (file.digest.empty())
    return false;
  std::optional<FileRead> whole = describeFile(file.path, /*isOurs=*/false);
  return whole && whole->digest == file.digest;
}

//===--- the folder ----------------------------------------------------------------------------------------------===//

Cache::Cache(StringRef asked) : dir(cacheFolder(asked)) {}

std::string keyOf(const ProgramSource &source, ArrayRef<std::string> options) {
  Writer out;
  out << buildId() << source.name << source.text << uint64_t(source.headers.size());
  for (const auto &[name, text] : source.headers)
    out << name << text;
  out << uint64_t(source.nameExpressions.size());
  for (const std::string &name : source.nameExpressions)
    out << name;
  if (source.chain) {
    for (const Chain::Launch &launch : source.chain->launches) {
      out << launch.ttir << uint64_t(launch.arguments.size());
      for (unsigned argument : launch.arguments)
        out << uint64_t(argument);
    }
    for (const Chain::Argument &argument : source.chain->arguments)
      out << uint64_t(argument.block) << uint64_t(argument.isTemporary);
    for (uint32_t size : source.chain->grid)
      out << uint64_t(size);
  }
  out << uint64_t(options.size());
  for (const std::string &option : options)
    out << option;
  // These variables determine which programs and headers are found; the working folder determines the meaning of
  // relative paths.
  for (const char *variable :
       {"TILECC_CUDA_PATH", "CUDA_PATH", "PATH", "CPATH", "CPLUS_INCLUDE_PATH", "TILECC_RESOURCE_DIR"})
    out << StringRef(secure_getenv(variable)); // null: empty
  if (any_of(options, [](StringRef option) { return option.starts_with("-I") || option.starts_with("-i"); })) {
    SmallString<128> folder;
    if (!sys::fs::current_path(folder))
      out << folder;
  }
  return toHex(digestOf(out.bytes), /*LowerCase=*/true);
}

std::optional<BuildResult> Cache::find(StringRef key, std::string &notes) const {
  if (dir.empty())
    return std::nullopt;
  std::string name = key.str() + suffix.str(), path = dir + "/" + name;
  auto ignore = [&](const Twine &what, const Twine &why) {
    notes += ("note: " + what + ": ignored, because " + why + "\n").str();
    return std::nullopt;
  };
  OpenedFile folder = openFolder(dir);
  if (folder.fd < 0)
    return std::nullopt; // add() reports the reason if there is a problem
  if (StringRef why = whyNotTrusted(folder.fd, /*isFolder=*/true); !why.empty())
    return ignore("the cache " + dir, why);
  OpenedFile file(::openat(folder.fd, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.fd < 0)
    return errno == ENOENT ? std::nullopt : ignore(path, errno == ELOOP ? "it is a link" : strerror(errno));
  if (StringRef why = whyNotTrusted(file.fd, /*isFolder=*/false); !why.empty())
    return ignore(path, why);
  auto bytes = MemoryBuffer::getOpenFile(file.fd, path, /*FileSize=*/-1, /*RequiresNullTerminator=*/false);
  if (!bytes)
    return ignore(path, bytes.getError().message());
  std::optional<BuildResult> result = deserialize(key, (*bytes)->getBuffer());
  if (!result)
    return ignore(path, "it is damaged or not an entry of this cache");
  if (!all_of(result->files, isUnchanged))
    return std::nullopt;
  futimens(file.fd, nullptr); // marks the entry as used now
  return result;
}

void Cache::add(StringRef key, const BuildResult &result, std::string &notes) const {
  if (dir.empty())
    return;
  auto fail = [&](const Twine &why) { notes += ("note: the cache " + dir + ": " + why + "\n").str(); };
  if (std::error_code error = sys::fs::create_directories(dir, /*IgnoreExisting=*/true, sys::fs::owner_all))
    return fail(error.message());
  OpenedFile folder = openFolder(dir);
  if (folder.fd < 0)
    return fail(strerror(errno));
  if (!whyNotTrusted(folder.fd, /*isFolder=*/true).empty())
    return; // find() has reported it
  auto file = sys::fs::TempFile::create(dir + "/%%%%%%%%.tmp", sys::fs::owner_read | sys::fs::owner_write);
  if (!file)
    return fail(toString(file.takeError()));
  std::error_code error;
  {
    raw_fd_ostream out(file->FD, /*shouldClose=*/false);
    out << serialize(key, result);
    out.flush();
    error = out.error();
    out.clear_error();
  }
  if (error) {
    consumeError(file->discard());
    return fail(error.message());
  }
  if (Error failure = file->keep(dir + "/" + key + suffix))
    return fail(toString(std::move(failure)));
  removeOldestEntries(dir, suffix);
}

} // namespace tilecc
