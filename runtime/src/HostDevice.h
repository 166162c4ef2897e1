//===-- HostDevice.h - common functions of synchronous device kinds -----------------------------------------------===//
//
// The CPU, the emulator and similar kinds complete all work before a call returns. They share these functions.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTDEVICE_H
#define TILECC_RUNTIME_HOSTDEVICE_H

#include "Device.h"
#include "HostStreams.h"

namespace tilecc::rt {

// Completes the table of such a kind: adds the memory, graph, stream and event functions of the host to `own`. If `own`
// has functions that wait or query, they are kept.
constexpr DeviceKind asHostDevice(DeviceKind own) {
  own.memory = &hostMemory;
  own.graphs = &hostGraphs;
  own.timers = nullptr;
  own.streamCreate = hostStreamCreate;
  own.streamDestroy = hostStreamDestroy;
  own.streamWaitEvent = hostStreamWaitEvent;
  own.eventCreate = hostEventCreate;
  own.eventRecord = hostEventRecord;
  own.eventElapsedTime = hostEventElapsedTime;
  own.eventDestroy = hostEventDestroy;
  own.launch = hostLaunch;
  for (auto *done : {&own.streamSynchronize, &own.streamQuery})
    if (!*done)
      *done = hostStreamDone;
  for (auto *done : {&own.eventSynchronize, &own.eventQuery})
    if (!*done)
      *done = hostEventDone;
  return own;
}

} // namespace tilecc::rt
#endif
