//===-- DeviceKinds.h - the kinds of devices there are ---------------------------------------------------------===//
//
// The one list of them. Each has a folder of its own with its table of functions (Device.h) and what it keeps of loaded
// code; everything outside these folders goes over the list or takes the table it is given.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_DEVICEKINDS_H
#define TILECC_RUNTIME_DEVICEKINDS_H

namespace tilecc::rt {

struct DeviceKind;
extern const DeviceKind cpuDevice, cudaDevice, emulatorDevice, openclDevice;

// Where a kind finds what it has loaded of a kernel or an object (Registry.h).
enum DeviceSlot : unsigned { cpuSlot, cudaSlot, emulatorSlot, openclSlot, deviceKindCount };
inline constexpr const DeviceKind *deviceKinds[deviceKindCount] = {&cpuDevice, &cudaDevice, &emulatorDevice, &openclDevice};

// The device that is always there, behind all GPUs.
inline constexpr const DeviceKind *hostDevice = &cpuDevice;

} // namespace tilecc::rt
#endif
