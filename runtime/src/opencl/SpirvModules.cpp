//===-- SpirvModules.cpp -----------------------------------------------------------------------------------------===//
//
// OpenCL builds a module as a whole and needs tenths of a second per kernel, so each variant of a kernel is its own
// module.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "opencl/SpirvModules.h"

#include <string.h>

// The first word of an instruction has its length in the upper half and the opcode in the lower half. A module begins
// with a number that is not an instruction.
enum : uint32_t { opEntryPoint = 15, headerWords = 5, magic = 0x07230203 };

const char *tilecc::rt::spirvTargetName(uint32_t arch) {
  for (const SpirvTarget &target : spirvTargets)
    if (target.arch == arch)
      return target.name;
  return "spirv64 of another version";
}

const uint32_t *tilecc::rt::findSpirvModule(const uint32_t *image, size_t count, const char *name, size_t *size) {
  for (size_t begin = 0, end; begin < count; begin = end) {
    if (image[begin] != magic || count - begin < headerWords)
      return nullptr;
    bool isWanted = false;
    for (end = begin + headerWords; end < count && image[end] != magic;) {
      uint32_t length = image[end] >> 16, opcode = image[end] & 0xffff;
      if (!length || length > count - end)
        return nullptr;
      // OpEntryPoint <model> <function> <name> ...
      if (opcode == opEntryPoint && length > 3)
        isWanted |= !strncmp(reinterpret_cast<const char *>(image + end + 3), name, (length - 3) * sizeof(uint32_t));
      end += length;
    }
    *size = end - begin;
    if (isWanted)
      return image + begin;
  }
  return nullptr;
}
