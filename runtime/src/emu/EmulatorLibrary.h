//===-- EmulatorLibrary.h - opens the emulator at run time -----------------------------------------------------===//
//
// libtilecc_emu runs the PTX in an executable on the host's processors, and checks its behavior. libtilecc_emu_amd has
// the same interface, and runs code objects for AMD's GPUs. A program needs these libraries only if the user requests
// them (TILECC_DEVICE=emu), so they are opened at run time, like the CUDA driver: one table has the entry points, and
// one macro calls them and checks the results.
//
// The loader searches for the library like for a dependency of the file that contains this runtime: in LD_LIBRARY_PATH,
// in the file's run path, to which tcc and the CMake package add the folder of the installation, and in system folders.
// TILECC_EMU_LIBRARY names another file.
//
// A process has one instance of the library, however many copies of the runtime it has. They share the library's one
// device.
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
  X(get_global)                                                                                                        \
  X(launch)                                                                                                            \
  X(tensor_map_encode_tiled)                                                                                           \
  X(tensor_map_encode_im2col)                                                                                          \
  X(synchronize)

struct EmulatorLibrary {
#define TILECC_EMULATOR_MEMBER(name) decltype(&::tilecc_emu_##name) name;
  TILECC_EMULATOR(TILECC_EMULATOR_MEMBER)
#undef TILECC_EMULATOR_MEMBER
  tilecc_emu_device *device; // owned by the library
  unsigned arch; // 90 for sm_90, 0x942 for gfx942, 0 to run each object's newest PTX
  bool isAmd; // the library is libtilecc_emu_amd
};

// Filled in once by openEmulator(), before any other thread can use it.
extern EmulatorLibrary emulator;

// Opens the library and creates its device with the options in TILECC_EMU_*. The parameters are those of
// EmulatorLibrary. Called once, under the lock of devices().
ttError_t openEmulator(unsigned arch, bool isAmd);

// Records the failure of a library call.
ttError_t failEmulator(tilecc_emu_error error);

// Calls the library and returns its error, if any, from the enclosing function.
#define EMULATOR_TRY(function, ...)                                                                                    \
  do {                                                                                                                 \
    if (tilecc_emu_error error_ = ::tilecc::rt::emulator.function(__VA_ARGS__))                                        \
      return ::tilecc::rt::failEmulator(error_);                                                                       \
  } while (0)

} // namespace tilecc::rt
#endif
