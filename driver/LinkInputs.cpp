//===- LinkInputs.cpp - finds the objects that a link takes -------------------------------------------------------===//
//
// The device link (DeviceLink.cpp, TileLinkSteps.cpp) calls these functions, because it reads the objects before any
// linker does.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/LinkInputs.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace tilecc {

static void visitArchive(const object::Archive &archive, LinkInput input,
                         function_ref<void(const LinkInput &, const object::ObjectFile &)> visit) {
  std::string path = input.name;
  input.isMember = true;
  llvm::Error error = llvm::Error::success();
  for (const object::Archive::Child &child : archive.children(error)) {
    Expected<StringRef> name = child.getName();
    Expected<std::unique_ptr<object::Binary>> member = child.getAsBinary();
    if (name)
      input.name = (path + "(" + sys::path::filename(*name) + ")").str();
    if (auto *object = name && member ? dyn_cast<object::ObjectFile>(member->get()) : nullptr)
      visit(input, *object);
    consumeError(name.takeError());
    consumeError(member.takeError());
  }
  consumeError(std::move(error));
}

void forEachObject(const Context &ctx, function_ref<void(const LinkInput &, const object::ObjectFile &)> visit) {
  std::vector<std::string> folders;
  auto visitFile = [&](const std::string &path, bool isLibrary) {
    file_magic magic;
    if (identify_magic(path, magic) || (magic != file_magic::elf_relocatable && magic != file_magic::archive))
      return;
    auto file = object::createBinary(path);
    if (!file)
      consumeError(file.takeError());
    else if (auto *archive = dyn_cast<object::Archive>(file->getBinary()))
      visitArchive(*archive, {path, /*isMember=*/true, isLibrary}, visit);
    else if (auto *object = dyn_cast<object::ObjectFile>(file->getBinary()))
      visit({path, /*isMember=*/false, isLibrary}, *object);
  };
  auto visitLibrary = [&](StringRef name) {
    for (const std::string &folder : folders) {
      SmallString<128> path(folder);
      sys::path::append(path, "lib" + name + ".a");
      if (sys::fs::exists(path))
        return visitFile(path.str().str(), /*isLibrary=*/true);
    }
  };
  // An option and its value may be separate items. As for the linker, -L applies wherever it stands.
  auto forEachValue = [&](StringRef option, auto use) {
    for (size_t i = 0; i < ctx.linkLine.size(); ++i)
      if (StringRef text = ctx.linkLine[i].text; text == option && i + 1 < ctx.linkLine.size())
        use(i, StringRef(ctx.linkLine[i + 1].text));
      else if (text.consume_front(option))
        use(i, text);
  };
  forEachValue("-L", [&](size_t, StringRef folder) { folders.push_back(folder.str()); });
  std::vector<StringRef> libraries(ctx.linkLine.size());
  forEachValue("-l", [&](size_t i, StringRef name) { libraries[i] = name; });
  for (auto [item, library] : zip_equal(ctx.linkLine, libraries))
    if (!library.empty())
      visitLibrary(library);
    else if (!StringRef(item.text).starts_with("-"))
      visitFile(item.text, /*isLibrary=*/false);
}

} // namespace tilecc
