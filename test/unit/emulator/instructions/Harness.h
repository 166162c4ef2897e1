//===-- Harness.h - runs instructions that have known answers --------------------------------------------------===//
//
// The files in answers/ define each instruction a second time, from the PTX manual and independently of the emulator.
// There is a file for each family of the instruction table, with two lists.
//
// "Answers" are an instruction on registers, or on memory of its own, and its results for given inputs:
//
//   {"add.sat.s32 %rx, %ra, %rb", "0x7fffffff 1 -> 0x7fffffff; -3 5 -> 2"}
//
// A register's first letter is its class (p predicate, b 8, h 16, r 32, d 64, q 128 bits), and its second letter its
// role: a to h are inputs, i to s and w to z are outputs, both in alphabetical order; t, u and v are temporary. Further
// instructions may follow after semicolons. %mem is the address of 64 bytes of global memory of the lane, %smem of 64
// bytes of shared memory, `slot` a local variable of 64 bytes.
//
// Each line of values is for one lane. Every answer is tested twice: with the whole warp, and under a guard that is
// true in every other lane, in which case the remaining lanes must keep their values.
//
// "Programs" are the body of a kernel, its input words, and its output words or the error with which it ends. The
// instructions that a program tests have the comment `// tested`; other instructions are used, but not tested.
//
// Registers %p0-7, %b0-7, %h0-15, %r0-47, %d0-31, %q0-3 are declared; %in and %out are the addresses of the words, %i
// and %o those of the thread's own words (one each), %thread is its number in the grid, %t its number in the block.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_EMULATOR_INSTRUCTIONS_HARNESS_H
#define TILECC_TEST_EMULATOR_INSTRUCTIONS_HARNESS_H

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tilecc::emu::test {

using Words = std::vector<uint32_t>;

struct Answers {
  std::string instruction, lines;
};

// A tensor in the words at %in or %out: the arguments of cuTensorMapEncodeTiled. Dimensions begin with the innermost.
struct Map {
  int type = 2; // CU_TENSOR_MAP_DATA_TYPE_UINT32
  std::vector<uint64_t> dims, strides; // elements; bytes, of all dimensions but the first
  std::vector<uint32_t> box;
  int swizzle = 0;
  bool isOut = false;
  uint32_t first = 0; // word of the tensor's first element
  std::vector<uint32_t> elementStrides = {}; // empty: all 1
  std::vector<int> lower = {}, upper = {};   // not empty: cuTensorMapEncodeIm2col's, whose `box` is channels and pixels
};

struct Program {
  std::string name;
  std::string body;
  Words expected = {}; // of the words at %out, in the end
  Words in = {};       // the words at %in
  Words before = {};   // the words at %out, in the beginning: empty is `untouched`, all of them
  uint32_t threads = 32, blocks = 1;
  uint32_t cluster = 1; // blocks
  std::string declarations = {}; // of the module, in front of the kernel
  std::string directives = {};   // of the kernel, behind its parameters
  int error = 0;
  std::string message = {}; // of the error
  std::vector<Map> maps = {}; // kernel parameters; %m0, %m1 ... are their addresses
  // If not 0: %all is a multicast address of so many copies of 32 bytes, which begin at %in.
  uint32_t copies = 0;
  // The error is a finding of checks: without them there may be none. Or it is found only without them.
  bool onlyChecked = false, onlyUnchecked = false;
};

// The value of a word of `out` that nothing has written.
constexpr uint32_t untouched = 0xeeeeeeee;

// f(0), f(1) ... f(count - 1)
template <class F> Words words(uint32_t count, F f) {
  Words all;
  for (uint32_t i = 0; i < count; ++i)
    all.push_back(static_cast<uint32_t>(f(i)));
  return all;
}
template <class F> Words lanes(F f) { return words(32, f); }

// Replaces every occurrence of `what` in a text; there must be at least one.
std::string replaced(std::string text, const std::string &what, const std::string &by);

// A program without one of the lines that order it, and that line.
struct Mutant {
  std::string line;
  Program program;
};
// The program without each of the lines with the comment `// sync`, one at a time. The text after the comment replaces
// the line.
std::vector<Mutant> withoutEachSync(const Program &whole);

// The lists of a family.
struct Family {
  const char *name;
  std::vector<Answers> (*answers)();
  std::vector<Program> (*programs)();
  friend void PrintTo(const Family &family, std::ostream *out) { *out << family.name; }
};
const std::vector<Family> &families();

#define TILECC_FAMILY(name)                                                                                            \
  std::vector<Answers> name##Answers();                                                                                \
  std::vector<Program> name##Programs();
TILECC_FAMILY(integer)
TILECC_FAMILY(logic)
TILECC_FAMILY(floating)
TILECC_FAMILY(half)
TILECC_FAMILY(compare)
TILECC_FAMILY(conversion)
TILECC_FAMILY(move)
TILECC_FAMILY(memory)
TILECC_FAMILY(atomic)
TILECC_FAMILY(control)
TILECC_FAMILY(warp)
TILECC_FAMILY(barrier)
TILECC_FAMILY(mbarrier)
TILECC_FAMILY(cluster)
TILECC_FAMILY(async)
TILECC_FAMILY(bulk)
TILECC_FAMILY(tensor)
TILECC_FAMILY(tensorMap)
TILECC_FAMILY(matrix)
TILECC_FAMILY(warpMatrix)
TILECC_FAMILY(video)
TILECC_FAMILY(warpGroup)
TILECC_FAMILY(tensorMemory)
TILECC_FAMILY(tensorCore)
TILECC_FAMILY(clusterLaunch)
TILECC_FAMILY(multimem)
#undef TILECC_FAMILY

// A module and the lines of its text (from 1) whose instructions are tested.
struct Module {
  std::string text;
  std::vector<uint32_t> testedLines;
};
Module moduleOf(const Answers &answers);
Module moduleOf(const Program &program);

// Runs them and reports differences as failures of the current test.
void check(const Answers &answers);
void check(const Program &program);

// The words at %out after a correct program, for each way to run it.
std::vector<Words> outputsOf(const Program &program);

// Returns whether an incorrect program ends with an error, or leaves other words than it should, with all checks; with
// `tensorFences`, with the check for tcgen05.fence, too.
bool isFound(const Program &program, bool tensorFences = false);

// The error message of loading a module and decoding its kernel `test`, or nothing.
std::string messageOf(const std::string &ptx);

} // namespace tilecc::emu::test
#endif
