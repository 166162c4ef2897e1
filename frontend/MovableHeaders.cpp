//===- MovableHeaders.cpp - gives our headers a name independent of their location --------------------------------===//
//
// This file defines the file system of a compiler that makes or reads a precompiled header.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/MovableHeaders.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace vfs = llvm::vfs;

namespace tilecc {

namespace {
/// A file that reports the given name as its own.
class NamedFile : public vfs::File {
public:
  NamedFile(std::unique_ptr<vfs::File> file, vfs::Status named) : file(std::move(file)), named(std::move(named)) {}

  llvm::ErrorOr<vfs::Status> status() override { return named; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t size, bool terminated,
                                                               bool isVolatile) override {
    return file->getBuffer(name, size, terminated, isVolatile);
  }
  std::error_code close() override { return file->close(); }

private:
  std::unique_ptr<vfs::File> file;
  vfs::Status named;
};

class MovableHeaders : public vfs::ProxyFileSystem {
public:
  MovableHeaders(llvm::IntrusiveRefCntPtr<vfs::FileSystem> base, llvm::StringRef headerDir, HeaderNames names)
      : ProxyFileSystem(std::move(base)), headerDir(headerDir), names(names) {}

  llvm::ErrorOr<vfs::Status> status(const llvm::Twine &path) override {
    std::optional<std::string> mapped = map(path);
    if (!mapped)
      return ProxyFileSystem::status(path);
    return named(ProxyFileSystem::status(*mapped), path);
  }

  llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine &path) override {
    std::optional<std::string> mapped = map(path);
    if (!mapped)
      return ProxyFileSystem::openFileForRead(path);
    auto file = ProxyFileSystem::openFileForRead(*mapped);
    if (!file)
      return file;
    auto status = named((*file)->status(), path);
    if (!status)
      return status.getError();
    return std::make_unique<NamedFile>(std::move(*file), *status);
  }

private:
  std::optional<std::string> map(const llvm::Twine &path) const {
    llvm::SmallString<256> storage;
    llvm::StringRef rest = path.toStringRef(storage);
    if (!rest.consume_front(movableHeaderDir) || (!rest.empty() && rest.front() != '/'))
      return std::nullopt;
    return headerDir + rest.str();
  }

  llvm::ErrorOr<vfs::Status> named(llvm::ErrorOr<vfs::Status> status, const llvm::Twine &path) const {
    if (status && names == HeaderNames::True)
      status->ExposesExternalVFSPath = true;
    else if (status)
      return vfs::Status::copyWithNewName(*status, path);
    return status;
  }

  std::string headerDir;
  HeaderNames names;
};
} // namespace

void mapMovableHeaders(clang::CompilerInstance &compiler, llvm::StringRef headerDir, HeaderNames names) {
  compiler.setVirtualFileSystem(
      llvm::makeIntrusiveRefCnt<MovableHeaders>(compiler.getVirtualFileSystemPtr(), headerDir, names));
}

} // namespace tilecc
