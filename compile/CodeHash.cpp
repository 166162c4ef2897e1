//===- CodeHash.cpp - whether a kernel's code may have changed ----------------------------------------------------===//
//
// compile() writes it into the kernel, the driver into the object's descriptor, and the runtime keeps it beside what it
// has measured.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/CodeHash.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace tilecc {

namespace {
/// Writes values and, member by member, what is made of values.
class TextWriter {
public:
  explicit TextWriter(raw_ostream &stream) : stream(stream) {}
  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(const T &number) {
    stream << ' ' << static_cast<int64_t>(number);
  }
  template <typename T> void operator()(const std::optional<T> &value) {
    (*this)(value.has_value());
    (*this)(value.value_or(T()));
  }
  template <typename T> void operator()(const std::vector<T> &elements) {
    (*this)(elements.size());
    for (const T &element : elements)
      (*this)(element);
  }
  template <typename T>
  requires(requires(T &value, TextWriter &writer) { forEachMember(value, writer); }) void operator()(const T &value) {
    forEachMember(const_cast<T &>(value), *this);
  }

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
  write(options.floats);
  write(options.tensorMaps);
  write(options.checkReplicas);
  for (const KernelParam &param : kernel.params)
    write(param.noSpecialize);
  kernel.ttir.get().print(stream); // without locations
  uint64_t hash = xxh3_64bits(text);
  return hash ? hash : 1;
}

} // namespace tilecc
