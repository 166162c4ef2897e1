//===-- HopperPrograms.h - programs of wgmma and of tensor copies, with their results ---------------------------===//
//
// Programs made from tables: each is a kernel of one block that does one thing in one form, on small integers, so that
// the results are exact and known.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_EMULATOR_HARDWARE_HOPPERPROGRAMS_H
#define TILECC_TEST_EMULATOR_HARDWARE_HOPPERPROGRAMS_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilecc::emu::test {

using Bytes = std::vector<uint8_t>;

// The arguments of cuTensorMapEncodeTiled; dimensions go from the innermost.
struct MapArguments {
  enum Buffer { a, b, out } buffer = a;
  int type = 2; // CUtensorMapDataType
  std::vector<uint64_t> dims, strides; // elements; bytes, of all dimensions but the first
  std::vector<uint32_t> box;
  int swizzle = 0; // CUtensorMapSwizzle
  bool fillsWithNaN = false;
};

// A kernel test(a, b, out, map0, map1 ...) of 128 threads.
struct HopperProgram {
  std::string name, ptx;
  std::vector<MapArguments> maps;
  Bytes a, b, before, expected; // before, expected: of out
};

std::vector<HopperProgram> productPrograms(uint64_t seed), tensorPrograms(uint64_t seed);

// The text of a kernel: its head with the parameters (%a, %b, %out and %m0, %m1 ... are addresses, %t the thread), and
// a body.
std::string kernelOf(size_t maps, const std::string &body);

} // namespace tilecc::emu::test
#endif
