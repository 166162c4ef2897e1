//===-- Reporter.h - formats and counts findings ---------------------------------------------------------------===//
//
// Each finding is reported only once, no matter how many threads and blocks it concerns. The report names the first
// occurrence in this run.
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

// Thrown to end a launch. `error` is the number of a CUDA error (ttError_t). The message has already been reported.
struct Fault : std::runtime_error {
  Fault(int error, const std::string &message) : std::runtime_error(message), error(error) {}
  int error;
};
enum : int {
  errorIllegalAddress = 700,
  errorLaunchTimeout = 702,
  errorAssert = 710,
  errorIllegalInstruction = 715,
  errorMisalignedAddress = 716,
  errorInvalidAddressSpace = 717,
  errorLaunchFailure = 719,
};

// A thread at an instruction.
struct Place {
  uint64_t block = 0;  // linear index in the grid
  uint32_t thread = 0; // linear index in the block
  uint32_t pc = 0;     // instruction index in the kernel's program
  uint64_t time = 0;   // of the warp, in steps, if a profile is made
};

// The names that reports about a launch need.
struct LaunchNames {
  std::string kernel; // as the user wrote it
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  bool devicesAlongZ = false; // the blocks of each z stand for those of one rank
  std::function<std::string(uint32_t pc)> source;      // "softmax.tt.cpp:31:7"; empty if unknown
  std::function<std::string(uint32_t pc)> instruction; // "ld.shared.b32 %r21, [%r9];   (softmax.ptx:71)"
  std::function<void(const Place &place, const std::string &text)> found; // called for each finding; may be empty
};

class Reporter {
public:
  // `print` is called with the text of each finding, which consists of whole lines.
  Reporter(LaunchNames names, std::function<void(const std::string &)> print);

  // Reports one finding. The kernel and the block follow `what` after "error: "; `details` are further lines, which are
  // indented here. `key` and the instruction identify duplicates. Thread-safe. Returns true if the finding is new.
  bool report(const std::string &key, const Place &place, const std::string &what,
              const std::vector<std::string> &details = {});
  [[noreturn]] void fault(int error, const std::string &key, const Place &place, const std::string &what,
                          const std::vector<std::string> &details = {});

  uint64_t findings() const;
  const std::string &first() const; // text of the first finding, for the error message; empty: none

  std::string thread(const Place &place) const; // "thread (37,0,0)"
  std::string block(const Place &place) const; // "block (0,0,0)", or "block (0,0,2) of rank 2"
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
