//===-- HostDevice.h - common functions of synchronous device kinds -----------------------------------------------===//
//
// The CPU, the emulator and similar kinds complete all work before a call returns. They share these functions, and the
// OpenCL device uses those that do not depend on it.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTDEVICE_H
#define TILECC_RUNTIME_HOSTDEVICE_H

#include "Device.h"
#include "HostStreams.h"

namespace tilecc::rt {

// Completes the table of such a kind: adds the memory, graph, stream and event functions of the host to `own`. If `own`
// has functions for streams and events, they are kept.
constexpr DeviceKind asHostDevice(DeviceKind own) {
  own.memory = &hostMemory;
  own.graphs = &hostGraphs;
  own.timers = nullptr;
  auto complete = [](auto &function, auto common) {
    if (!function)
      function = common;
  };
  complete(own.streamCreate, hostStreamCreate);
  complete(own.streamDestroy, hostStreamDestroy);
  complete(own.streamSynchronize, hostStreamDone);
  complete(own.streamQuery, hostStreamDone);
  complete(own.streamWaitEvent, hostStreamWaitEvent);
  complete(own.eventCreate, hostEventCreate);
  complete(own.eventRecord, hostEventRecord);
  complete(own.eventSynchronize, hostEventDone);
  complete(own.eventQuery, hostEventDone);
  complete(own.eventElapsedTime, hostEventElapsedTime);
  complete(own.eventDestroy, hostEventDestroy);
  own.launch = hostLaunch;
  return own;
}

} // namespace tilecc::rt
#endif
