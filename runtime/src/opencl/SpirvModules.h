//===-- SpirvModules.h - targets of SPIR-V, and a kernel's module in an image -------------------------------------===//
//
// An image for OpenCL contains one SPIR-V module for each variant of each kernel, so that only those in use are
// compiled.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_SPIRVMODULES_H
#define TILECC_RUNTIME_SPIRVMODULES_H

#include <stddef.h>
#include <stdint.h>

namespace tilecc::rt {

// A row of SpirvTargets.def.
struct SpirvTarget {
  const char *name;
  uint32_t arch;
  unsigned lanes;
  const char *extensions;
};
inline constexpr SpirvTarget spirvTargets[] = {
#define TILECC_SPIRV_TARGET(...) {__VA_ARGS__},
#include "opencl/SpirvTargets.def"
};
enum : unsigned { spirvTargetCount = sizeof(spirvTargets) / sizeof(*spirvTargets) };

// Returns the name of the target of an image: "spirv64". Images of later versions of tcc may have unknown targets.
const char *spirvTargetName(uint32_t arch);

// An image is a sequence of modules, `count` words in total. Returns the first word of the module that has an entry
// point `name`, and sets *size to the number of its words. Returns null if there is none, or if the image is malformed.
const uint32_t *findSpirvModule(const uint32_t *image, size_t count, const char *name, size_t *size);

} // namespace tilecc::rt
#endif
