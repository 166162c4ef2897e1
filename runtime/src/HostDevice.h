//===-- HostDevice.h - common functions of synchronous device kinds -----------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTDEVICE_H
#define TILECC_RUNTIME_HOSTDEVICE_H

#include "Device.h"
#include "HostStreams.h"

namespace tilecc::rt {

// Completes the table of a kind whose calls are synchronous: adds the host's memory, graphs, streams and events to
// `own`. The waits and queries in `own` are kept.
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
