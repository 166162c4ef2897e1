//===-- CpuProfile.h - times inside kernels on the CPU device ---------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUPROFILE_H
#define TILECC_RUNTIME_CPUPROFILE_H

namespace tilecc::rt {

// Writes the scopes that this thread has recorded to the trace. Called when it has run its programs of a launch.
void writeCpuScopes();

} // namespace tilecc::rt
#endif
