//===-- SpirvModules.h - finds a kernel's module in a SPIR-V image ------------------------------------------------===//
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

// An image is a sequence of modules, `count` words in total. Returns the first word of the module that has an entry
// point `name`, and sets *size to the number of its words. Returns null if there is none, or if the image is malformed.
const uint32_t *findSpirvModule(const uint32_t *image, size_t count, const char *name, size_t *size);

} // namespace tilecc::rt
#endif
