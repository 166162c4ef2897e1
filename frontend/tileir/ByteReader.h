//===- ByteReader.h - a checked cursor over the bytes of a file --------------------------------------------*- C++ -*-//
//
// Every read is checked against the end of the data. The first failure is recorded with its position in the file. After
// a failure, reads return zero and do not advance, so a decoder needs to check only once, at the end. Counts are
// checked against the number of remaining bytes, so that a wrong count costs neither memory nor time.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEIR_BYTEREADER_H
#define TILECC_FRONTEND_TILEIR_BYTEREADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace tilecc::tileir {

/// The first error in a file.
struct Failure {
  std::string message; ///< empty: no error
  explicit operator bool() const { return !message.empty(); }
};

class ByteReader {
public:
  /// Reads the bytes from `begin` up to `end` of `file`.
  ByteReader(llvm::StringRef file, uint64_t begin, uint64_t end, Failure &failure)
      : file(file), at(begin), last(end), failure(failure) {}

  uint64_t position() const { return at; }
  uint64_t left() const { return failure ? 0 : last - at; }
  bool atEnd() const { return left() == 0; }

  void fail(const llvm::Twine &message) {
    if (!failure)
      failure.message = (message + " (at byte " + llvm::Twine(at) + ")").str();
  }

  llvm::StringRef bytes(uint64_t count) {
    if (count > left()) {
      fail("the data end too early");
      return {};
    }
    at += count;
    return file.substr(at - count, count);
  }

  uint8_t byte() {
    llvm::StringRef one = bytes(1);
    return one.empty() ? 0 : uint8_t(one[0]);
  }

  /// Reads an unsigned little-endian number of `width` bytes.
  uint64_t fixed(unsigned width) {
    uint64_t value = 0;
    llvm::StringRef raw = bytes(width);
    for (unsigned i = 0; i < raw.size(); ++i)
      value |= uint64_t(uint8_t(raw[i])) << (8 * i);
    return value;
  }

  /// Reads a number with seven bits per byte, lowest bits first. If the high bit of a byte is set, more bytes follow.
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      uint8_t b = byte();
      value |= uint64_t(b & 127) << shift;
      if (b < 128) {
        if (shift == 63 && b > 1)
          break;
        return value;
      }
    }
    fail("a number has more than 64 bits");
    return 0;
  }

  int64_t zigzag() {
    uint64_t v = varint();
    return int64_t(v >> 1) ^ -int64_t(v & 1);
  }

  /// Reads the number of items that follow, each of which has at least `least` bytes.
  uint64_t count(uint64_t least = 1) {
    uint64_t n = varint();
    if (n > left() / least) {
      fail("a count of " + llvm::Twine(n) + " is more than the data hold");
      return 0;
    }
    return n;
  }

  /// Reads a count, and then a list of signed numbers of `width` bytes.
  std::vector<int64_t> integers(unsigned width) {
    std::vector<int64_t> values(count(width));
    for (int64_t &value : values)
      value = llvm::SignExtend64(fixed(width), 8 * width);
    return values;
  }

  /// Skips padding up to a multiple of `alignment`, relative to `base`.
  void align(uint64_t alignment, uint64_t base = 0) {
    if (!llvm::isPowerOf2_64(alignment))
      fail("an alignment of " + llvm::Twine(alignment) + " is not a power of two");
    else
      bytes(llvm::offsetToAlignment(at - base, llvm::Align(alignment)));
  }

  /// Returns a reader for the next `count` bytes, and skips these bytes.
  ByteReader part(uint64_t count) {
    uint64_t begin = at;
    return {file, begin, begin + bytes(count).size(), failure};
  }

  ByteReader range(uint64_t begin, uint64_t end) const { return {file, begin, end, failure}; }

private:
  llvm::StringRef file;
  uint64_t at, last;
  Failure &failure;
};

} // namespace tilecc::tileir

#endif // TILECC_FRONTEND_TILEIR_BYTEREADER_H
