//===-- SpirvModules.h - finds a kernel's module in a SPIR-V image ------------------------------------------------===//
#ifndef TILECC_RUNTIME_SPIRVMODULES_H
#define TILECC_RUNTIME_SPIRVMODULES_H

#include <stddef.h>
#include <stdint.h>

namespace tilecc::rt {

// An image is a sequence of modules, `count` words in total. Returns the first word of the module with an entry point
// `name`, and its size in words in *size. Returns null if there is none or the image is malformed.
const uint32_t *findSpirvModule(const uint32_t *image, size_t count, const char *name, size_t *size);

} // namespace tilecc::rt
#endif
