//===- Reader.cpp - reads the container of CUDA Tile IR bytecode --------------------------------------------------===//
//
// A file consists of a magic number, a version, and sections in any order. Functions come first and refer to later
// sections, so all sections are located before any is read.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Reader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tilecc::tileir {

static constexpr StringLiteral magic = StringLiteral::withInnerNUL("\x7fTileIR\0");

namespace {
enum Section { End, Strings, Functions, Debug, Constants, Types, Globals, Producer };
} // namespace

bool isBytecode(StringRef bytes) { return bytes.starts_with(magic); }

std::unique_ptr<Module> readBytecode(StringRef bytes, std::string &error) {
  auto module = std::make_unique<Module>();
  error = Reader(bytes, *module).read();
  return error.empty() ? std::move(module) : nullptr;
}

std::string Reader::read() {
  readContainer();
  if (!failure) {
    strings = readEntries(Strings, 4);
    constants = readEntries(Constants, 8);
    types = readEntries(Types, 4);
    knownTypes.resize(types.size());
    readLocations();
    readFunctions();
    readGlobals();
  }
  return failure.message;
}

void Reader::readContainer() {
  ByteReader in(file, 0, file.size(), failure);
  if (in.bytes(magic.size()) != magic)
    return in.fail("this is not CUDA Tile IR bytecode");
  unsigned major = in.byte(), minor = in.byte();
  in.fixed(2); // preview features may be used; an unknown one is reported where it occurs
  module.version = major * 100 + minor;
  if (!failure && (module.version < oldestVersion || module.version > newestVersion))
    return in.fail("bytecode of version " + Twine(major) + "." + Twine(minor) + " is not supported, only 13.1 to 13.5");
  while (!failure) {
    unsigned section = in.byte();
    if (section == End)
      break;
    uint64_t length = in.varint();
    if (section & 128)
      in.align(in.varint());
    uint64_t begin = in.position();
    in.bytes(length);
    section &= 127;
    if (any_of(sections, [&](auto &other) { return other.first == section; }))
      in.fail("the file has two sections of kind " + Twine(section));
    sections.push_back({section, {begin, begin + length}});
  }
}

std::vector<Reader::Span> Reader::readEntries(unsigned section, unsigned width) {
  auto found = find_if(sections, [&](auto &other) { return other.first == section; });
  if (failure || found == sections.end())
    return {};
  ByteReader in = at(found->second);
  uint64_t start = in.position(), count = in.count(width);
  in.align(width, start);
  std::vector<uint64_t> offsets;
  for (uint64_t i = 0; i < count && !failure; ++i)
    offsets.push_back(in.fixed(width));
  std::vector<Span> entries;
  uint64_t base = in.position(), size = in.left();
  for (auto [i, offset] : enumerate(offsets)) {
    uint64_t end = i + 1 < offsets.size() ? offsets[i + 1] : size;
    if (offset > end || end > size) {
      in.fail("entry " + Twine(i) + " of section " + Twine(section) + " lies outside it");
      return {};
    }
    entries.push_back({base + offset, base + end});
  }
  return entries;
}

StringRef Reader::string(ByteReader &in) {
  uint64_t index = in.varint();
  if (index < strings.size())
    return file.slice(strings[index].first, strings[index].second);
  in.fail("there is no string " + Twine(index));
  return {};
}

/// Reads a name that becomes a symbol of the code.
StringRef Reader::symbol(ByteReader &in) {
  StringRef name = string(in);
  auto isPart = [](char c) { return isAlnum(c) || c == '_' || c == '$'; };
  if (!failure && (name.empty() || isDigit(name[0]) || !all_of(name, isPart)))
    in.fail("'" + name + "' is not the name of a function or global: it has to consist of letters, digits, _ and $");
  return name;
}

StringRef Reader::constant(ByteReader &in) {
  uint64_t index = in.varint();
  if (index >= constants.size()) {
    in.fail("there is no constant " + Twine(index));
    return {};
  }
  ByteReader data = at(constants[index]);
  return data.bytes(data.varint());
}

void Reader::readGlobals() {
  for (auto &[section, span] : sections) {
    ByteReader in = at(span);
    if (section == Producer)
      module.producer = string(in);
    if (section != Globals)
      continue;
    for (uint64_t n = in.count(4); n && !failure; --n) {
      Global read;
      read.name = symbol(in);
      read.type = type(in);
      read.data = constant(in);
      read.alignment = in.varint();
      if (since(1303)) {
        in.byte(); // visibility
        read.isConstant = in.varint();
      }
      if (!failure && read.type->kind != Type::Tile)
        in.fail("the global '" + read.name + "' has the type " + read.type->print() + ", which is not a tile");
      module.globals.push_back(read);
    }
  }
}

} // namespace tilecc::tileir
