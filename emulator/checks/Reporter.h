//===-- Reporter.h - findings, in words ------------------------------------------------------------------------===//
//
// Each finding is reported once, whatever number of threads and blocks has it: the first one that a run meets is named.
//
//   softmax.tt.cpp:31:7: error: data race in shared memory: kernel 'softmax<1024>', block (0,0,0)
//     thread (37,0,0) reads 4 bytes at shared+0x10
//       ld.shared.b32 %r21, [global_smem+16];   (softmax.ptx:71)
//     thread (64,0,0) wrote them at softmax.tt.cpp:30:12 with no synchronization in between
//       st.shared.b32 [%r9], %r10;   (softmax.ptx:69)
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_CHECKS_REPORTER_H
#define TILECC_EMULATOR_CHECKS_REPORTER_H

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilecc::emu {

// What ends a launch: the number is the CUDA error's (ttError_t). The message has been reported already.
struct Fault : std::runtime_error {
  Fault(int error, const std::string &message) : std::runtime_error(message), error(error) {}
  int error;
};
enum : int {
  errorIllegalAddress = 700, errorLaunchTimeout = 702, errorAssert = 710, errorIllegalInstruction = 715,
  errorMisalignedAddress = 716, errorInvalidAddressSpace = 717, errorLaunchFailure = 719,
};

// A thread at an instruction.
struct Place {
  uint64_t block = 0;  // linear in the grid
  uint32_t thread = 0; // linear in the block
  uint32_t pc = 0;     // instruction index of the kernel's program
};

// What reports need to know of a launch.
struct LaunchNames {
  std::string kernel; // as the user wrote it
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::function<std::string(uint32_t pc)> source;      // "softmax.tt.cpp:31:7"; empty if not known
  std::function<std::string(uint32_t pc)> instruction; // "ld.shared.b32 %r21, [%r9];   (softmax.ptx:71)"
};

class Reporter {
public:
  // print gets each finding, whole lines.
  Reporter(LaunchNames names, std::function<void(const std::string &)> print);

  // One finding. `what` follows "error: ", kernel and block follow it; `details` are further lines, each indented by
  // us. `key` and the instruction tell duplicates. Any thread. True if it was new.
  bool report(const std::string &key, const Place &place, const std::string &what,
              const std::vector<std::string> &details = {});
  [[noreturn]] void fault(int error, const std::string &key, const Place &place, const std::string &what,
                          const std::vector<std::string> &details = {});

  uint64_t findings() const;
  const std::string &first() const; // the first finding's text, for the error message; empty: none

  std::string thread(const Place &place) const; // "thread (37,0,0)"
  std::string block(const Place &place) const;  // "block (0,0,0)"
  const LaunchNames &names() const { return launch; }

private:
  LaunchNames launch;
  std::function<void(const std::string &)> print;
  mutable std::mutex lock;
  std::set<std::string> seen;
  uint64_t count = 0;
  std::string firstText;
};

} // namespace tilecc::emu
#endif
