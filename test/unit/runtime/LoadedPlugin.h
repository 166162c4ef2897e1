//===-- LoadedPlugin.h - opens Plugin.cpp as a library -----------------------------------------------------------===//
#ifndef TILECC_TEST_LOADEDPLUGIN_H
#define TILECC_TEST_LOADEDPLUGIN_H

#include <tilecc/runtime.h>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

inline void *loadPlugin(const char *name) {
  void *library = dlopen((std::string(PLUGIN_DIR "/runtime-plugin-") + name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return library;
}

struct Plugin {
  explicit Plugin(const char *name) : library(loadPlugin(name)) {
    find(run, "runScale");
    find(pendingError, "pendingError");
    find(scale, "_Z5scalePfi");
    find(tune, "tuneScale");
  }
  void close() { EXPECT_EQ(dlclose(library), 0); }

  // Launches by the library's copy of the runtime, and by the program's.
  float scaleOne() const {
    std::vector<float> data(1000, 10);
    EXPECT_EQ(run(data.data(), 1000), 0);
    return data[999];
  }
  float scaleOneFromOutside() const {
    std::vector<float> data(1000, 10);
    tt::launch(scale, (1000 + 63) / 64, nullptr, data.data(), 1000);
    return data[999];
  }
  const void *stub() const { return reinterpret_cast<const void *>(scale); }

  void *library;
  int (*run)(float *, int);
  int (*tune)(float *, int);
  int (*pendingError)(const char **message);
  void (*scale)(float *, int);

private:
  template <class Function> void find(Function *&function, const char *name) {
    function = reinterpret_cast<Function *>(dlsym(library, name));
    EXPECT_NE(function, nullptr) << dlerror();
  }
};

#endif
