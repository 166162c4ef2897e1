//===-- OpenCLPrograms.h - builds modules of SPIR-V, or loads what was built before -------------------------------===//
//
// An OpenCL implementation takes tenths of a second or more to build a kernel. The machine code is kept in the cache's
// folder "opencl", by the module and everything else that it depends on.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_OPENCLPROGRAMS_H
#define TILECC_RUNTIME_OPENCLPROGRAMS_H

#include "opencl/OpenCLDriver.h"

namespace tilecc::rt {

// Builds a module of `count` words. If this fails, records an error that begins with "kernel `name` (`source`)".
ttError_t buildOpenCLProgram(const uint32_t *words, size_t count, const char *name, const char *source,
                             cl_program *program);

} // namespace tilecc::rt
#endif
