//===- SignalOps.h - programs of several GPUs ----------------------------------------------------------*- C++ -*-===//
#ifndef TILECC_LOWERING_DIALECTS_TT_SIGNALOPS_H
#define TILECC_LOWERING_DIALECTS_TT_SIGNALOPS_H

#include "lowering/dialects/tt/TT.h"

#define GET_OP_CLASSES
#include "lowering/dialects/tt/TTSignalOps.h.inc"

#endif // TILECC_LOWERING_DIALECTS_TT_SIGNALOPS_H
