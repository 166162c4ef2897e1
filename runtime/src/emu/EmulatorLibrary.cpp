//===-- EmulatorLibrary.cpp ------------------------------------------------------------------------------------===//
//
// Opens libtilecc_emu or libtilecc_emu_amd when a program selects the emulator.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emu/EmulatorLibrary.h"
#include "EmulatorOptions.h"
#include "Error.h"
#include "Watch.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

using namespace tilecc::rt;

EmulatorLibrary tilecc::rt::emulator = {};

/// Opens the emulator installed with the first tcc in PATH: programs do not record which compiler built them.
static void *openBesideCompiler(const char *libraryName) {
  const char *folders = secure_getenv("PATH");
  while (folders && *folders) {
    size_t length = strcspn(folders, ":");
    for (const char *name : {"tilecc", "tcc"}) {
      char program[PATH_MAX], real[PATH_MAX], library[PATH_MAX];
      if (snprintf(program, sizeof program, "%.*s/%s", int(length), folders, name) >= int(sizeof program) ||
          access(program, X_OK) || !realpath(program, real))
        continue;
      for (int level = 0; level < 2; ++level) // from <prefix>/bin/tcc
        if (char *slash = strrchr(real, '/'))
          *slash = 0;
      if (snprintf(library, sizeof library, "%s/lib/%s", real, libraryName) >= int(sizeof library))
        continue;
      if (void *opened = dlopen(library, RTLD_NOW | RTLD_LOCAL))
        return opened;
    }
    folders += length + (folders[length] == ':');
  }
  return nullptr;
}

ttError_t tilecc::rt::openEmulator(unsigned arch, bool isAmd) {
  const char *libraryName = isAmd ? TILECC_EMU_AMD_LIBRARY_NAME : TILECC_EMU_LIBRARY_NAME;
  const char *title = isAmd ? "the emulator of AMD GPUs" : "the PTX emulator";
  tilecc_emu_options options = {};
  options.version = TILECC_EMULATOR_VERSION;
  options.arch = isAmd ? 0 : arch; // a code object names its processor
  EmulatorSettings settings = settingsOfEnvironment();
  EmulatorSettings::Name wrong;
  if (const char *rule = applyEmulatorSettings(settings, options, &wrong))
    return fail(ttErrorInvalidValue, "%s=%s: %s", variableOf(wrong), settings.text[wrong], rule);

  if (!isAmd && !options.profile && watchers() & watchProfile)
    options.profile = ""; // clocks count the steps of profiles

  const char *path = secure_getenv("TILECC_EMU_LIBRARY");
  if (path && !*path)
    path = nullptr;
  // Never closed: memory of its device may be in use until the end.
  void *library = dlopen(path ? path : libraryName, RTLD_NOW | RTLD_LOCAL);
  if (!library && path)
    return fail(ttErrorInitializationError, "TILECC_EMU_LIBRARY=%s cannot be opened: %s", path, dlerror());
  if (!library)
    library = openBesideCompiler(libraryName);
  if (!library)
    return fail(
        ttErrorInitializationError,
        "%s, %s, is neither among the system's libraries nor beside a tcc in PATH; it is installed "
        "with tcc, in the folder of libtilecc_rt: add that folder to LD_LIBRARY_PATH, or set TILECC_EMU_LIBRARY "
        "to the file",
        title, libraryName);
#define RESOLVE(name)                                                                                                  \
  if (!(emulator.name = reinterpret_cast<decltype(emulator.name)>(dlsym(library, "tilecc_emu_" #name))))               \
    return fail(ttErrorInitializationError,                                                                            \
                "%s is not %s of this program's runtime: it has no tilecc_emu_" #name ", so it is of another version " \
                "of tcc",                                                                                              \
                path ? path : libraryName, title);
  TILECC_EMULATOR(RESOLVE)
#undef RESOLVE

  emulator.arch = arch;
  emulator.isAmd = isAmd;
  EMULATOR_TRY(default_device, &options, &emulator.device);
  return ttSuccess;
}

ttError_t tilecc::rt::failEmulator(tilecc_emu_error error) {
  return fail(errorOf(error), "%s", emulator.error_message());
}
