//===- Linker.cpp - runs lld in this process ----------------------------------------------------------------------===//
//
// The AMD back end uses this file, and so does libtilecc for the library of a program.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/Linker.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace tilecc {

std::mutex &getLinkerMutex() {
  static std::mutex mutex;
  return mutex;
}

Error runElfLinker(ArrayRef<std::string> arguments) {
  SmallVector<const char *> words = {"ld.lld", "--threads=1"};
  append_range(words, map_range(arguments, [](const std::string &word) { return word.c_str(); }));
  std::lock_guard lock(getLinkerMutex());
  std::string messages;
  raw_string_ostream out(messages);
  if (lld::lldMain(words, out, out, {{lld::Gnu, &lld::elf::link}}).retCode == 0)
    return Error::success();
  return createStringError(messages);
}

} // namespace tilecc
