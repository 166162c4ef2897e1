//===- ReadLocations.cpp - reads debug information of CUDA Tile IR bytecode ---------------------------------------===//
//
// The debug information consists of a table of entries, which refer to each other, and a list with the entry of each
// operation, in file order. The entry gives the operation's location in the user's source. An inlined operation has a
// call site: its location in the callee, and the location of the call.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/Reader.h"

using namespace llvm;

namespace tilecc::tileir {

namespace {
enum Tag { UnitTag = 1, FileTag, BlockTag, PlaceTag, SubprogramTag, CallSiteTag };
} // namespace

void Reader::readLocations() {
  module.locations.emplace_back(); // the unknown location
  for (auto &[section, span] : sections) {
    if (section != 3)
      continue;
    ByteReader in = at(span);
    uint64_t start = in.position();
    auto numbers = [&](unsigned width) {
      uint64_t count = in.count(width);
      in.align(width, start);
      std::vector<uint64_t> values;
      while (count-- && !failure)
        values.push_back(in.fixed(width));
      return values;
    };
    firstLocations = numbers(4);
    locations = numbers(8);
    std::vector<uint64_t> offsets = numbers(4);
    std::vector<Span> entries;
    uint64_t base = in.position(), size = in.left();
    for (size_t i = 0; i < offsets.size(); ++i) {
      uint64_t end = i + 1 < offsets.size() ? offsets[i + 1] : size;
      if (offsets[i] > end || end > size)
        return in.fail("entry " + Twine(i) + " of the debug information lies outside it");
      entries.push_back({base + offsets[i], base + end});
    }
    for (Span entry : entries)
      module.locations.push_back(readLocation(at(entry), entries));
    for (DebugLocation &location : module.locations)
      if (location.callee >= module.locations.size() || location.caller >= module.locations.size())
        in.fail("a call site refers to a missing location");
    for (uint64_t location : locations)
      if (location >= module.locations.size())
        in.fail("an operation is at place " + Twine(location) + ", which is not there");
  }
}

/// Reads the file of an entry, then a line and, for a block, a column.
void Reader::readPlace(ByteReader &in, const std::vector<Span> &entries, DebugLocation &location) {
  uint64_t index = in.varint();
  if (index == 0 || index > entries.size())
    return in.fail("there is no file " + Twine(index));
  ByteReader entry = at(entries[index - 1]);
  if (entry.byte() != FileTag)
    return in.fail("entry " + Twine(index) + " of the debug information is not a file");
  location.kind = DebugLocation::Place;
  location.file = string(entry);
  location.folder = string(entry);
  location.line = in.varint();
}

DebugLocation Reader::readLocation(ByteReader in, const std::vector<Span> &entries) {
  DebugLocation location;
  switch (in.byte()) {
  case BlockTag:
    in.varint(); // the scope
    readPlace(in, entries, location);
    location.column = in.varint();
    break;
  case PlaceTag:
    in.varint(); // the scope
    location.kind = DebugLocation::Place;
    location.file = string(in);
    location.line = in.varint();
    location.column = in.varint();
    break;
  case SubprogramTag: readPlace(in, entries, location); break;
  case CallSiteTag:
    location.kind = DebugLocation::CallSite;
    location.callee = in.varint();
    location.caller = in.varint();
    break;
  default: break; // not a location: a unit, a file, or an addition of a later version
  }
  return location;
}

} // namespace tilecc::tileir
