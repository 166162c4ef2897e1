//===-- CpuProfile.h - times inside kernels on the CPU device ---------------------------------------------------===//
//
// Kernels that were compiled with -fprofile-tile record their scopes on the CPU, too.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUPROFILE_H
#define TILECC_RUNTIME_CPUPROFILE_H

namespace tilecc::rt {

// Writes the scopes that this thread has recorded to the trace. Called after the thread has run its programs of a
// launch.
void writeCpuScopes();

} // namespace tilecc::rt
#endif
