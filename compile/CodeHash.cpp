//===- CodeHash.cpp - detects whether a kernel's code may have changed --------------------------------------------===//
//
// compile() stores the hash of a kernel's code in the kernel, the driver writes it to the descriptor in the object, and
// the runtime stores it with its measurements of the kernel.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/CodeHash.h"
#include "compile/MemberWriter.h"
#include "lowering/dialects/tt/TT.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace tilecc {

namespace {
class TextWriter : public MemberWriter<TextWriter> {
public:
  explicit TextWriter(raw_ostream &stream) : stream(stream) {}
  void write(int64_t number) { stream << ' ' << number; }
  void write(const std::string &text) { stream << ' ' << text.size() << ':' << text; }

private:
  raw_ostream &stream;
};
} // namespace

uint64_t hashCode(const Kernel &kernel, const CodeOptions &options) {
  std::string text;
  raw_string_ostream stream(text);
  stream << TILECC_VERSION;
  TextWriter write(stream);
  write(static_cast<const KernelOptions &>(kernel));
  write(options);
  if (!options.threadCode.empty() && tt::usesThreadCode(kernel.ttir.get()))
    for (const auto &[target, bitcode] : options.threadCode) {
      write(target);
      write(bitcode);
    }
  for (const KernelParam &param : kernel.params)
    write(param.noSpecialize);
  kernel.ttir.get().print(stream); // without locations
  uint64_t hash = xxh3_64bits(text);
  return hash ? hash : 1;
}

} // namespace tilecc
