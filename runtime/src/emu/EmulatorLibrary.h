//===-- EmulatorLibrary.h - the emulator, opened at run time ---------------------------------------------------===//
//
// libtilecc_emu runs the PTX that an executable carries on the host's processors and checks what it does;
// libtilecc_emu_amd, which has the same interface, does so with code objects of AMD GPUs. Programs that are not asked
// to use them (TILECC_DEVICE=emu) need not have them, so one of them is opened as the CUDA driver is: one table of its
// entry points, one macro that calls and checks.
//
// It is looked for by name, where the loader looks for libraries on behalf of the file that carries this runtime: in
// LD_LIBRARY_PATH, in the file's run path, where tcc and the CMake package put the folder they are installed in, and in
// the system's folders. TILECC_EMU_LIBRARY names another file.
//
// The library is there once in a process, however many copies of the runtime are, and has one device that they share.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_EMULATORLIBRARY_H
#define TILECC_RUNTIME_EMULATORLIBRARY_H

#include "Support.h"
#include "tilecc/emulator.h"

namespace tilecc::rt {

// X(name): the runtime calls tilecc_emu_name.
#define TILECC_EMULATOR(X)                                                                                             \
  X(error_message)                                                                                                     \
  X(default_device)                                                                                                    \
  X(shared_limit)                                                                                                      \
  X(allocate)                                                                                                          \
  X(free)                                                                                                              \
  X(allocate_host)                                                                                                     \
  X(free_host)                                                                                                         \
  X(memory_info)                                                                                                       \
  X(copy)                                                                                                              \
  X(set)                                                                                                               \
  X(load)                                                                                                              \
  X(unload)                                                                                                            \
  X(get_kernel)                                                                                                        \
  X(launch)                                                                                                            \
  X(tensor_map_encode_tiled)                                                                                           \
  X(tensor_map_encode_im2col)                                                                                          \
  X(synchronize)

struct EmulatorLibrary {
#define TILECC_EMULATOR_MEMBER(name) decltype(&::tilecc_emu_##name) name;
  TILECC_EMULATOR(TILECC_EMULATOR_MEMBER)
#undef TILECC_EMULATOR_MEMBER
  tilecc_emu_device *device; // the library's
  unsigned arch;             // 90 if sm_90 was asked for, 0x942 if gfx942, 0 if each object's newest PTX is to be run
  bool isAmd;                // the library is libtilecc_emu_amd
};

// Filled in by openEmulator, once, before any thread can get here.
extern EmulatorLibrary emulator;

// Opens the library and makes its device, as TILECC_EMU_* ask for. The parameters are EmulatorLibrary's. Called once,
// under the lock of devices().
ttError_t openEmulator(unsigned arch, bool isAmd);

// Records a failed call of the library.
ttError_t failEmulator(tilecc_emu_error error);

// Calls the library and leaves the enclosing function with the error if it fails.
#define EMULATOR_TRY(function, ...)                                                                                    \
  do {                                                                                                                 \
    if (tilecc_emu_error error_ = ::tilecc::rt::emulator.function(__VA_ARGS__))                                        \
      return ::tilecc::rt::failEmulator(error_);                                                                       \
  } while (0)

} // namespace tilecc::rt
#endif
