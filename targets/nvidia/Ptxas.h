//===- Ptxas.h - ptxas, the assembler for NVIDIA's GPUs -------------------------------------------------*- C++ -*-===//
//
// The back end returns this object from GpuBackend::getAssembler(); the driver and libtilecc run ptxas through it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_NVIDIA_PTXAS_H
#define TILECC_TARGETS_NVIDIA_PTXAS_H

#include "targets/Assembler.h"

namespace tilecc::nvidia {

const Assembler &getPtxas();

} // namespace tilecc::nvidia

#endif // TILECC_TARGETS_NVIDIA_PTXAS_H
