//===-- SpirvModules.h - the module of SPIR-V that has a kernel ---------------------------------------------------===//
#ifndef TILECC_RUNTIME_SPIRVMODULES_H
#define TILECC_RUNTIME_SPIRVMODULES_H

#include <stddef.h>
#include <stdint.h>

namespace tilecc::rt {

// An image is modules one after the other, `count` words in all. Returns the first word of the one that has an entry
// point called `name`, and its number of words in *size; null if there is none, or the image is damaged.
const uint32_t *findSpirvModule(const uint32_t *image, size_t count, const char *name, size_t *size);

} // namespace tilecc::rt
#endif
