//===-- DeviceKinds.h - the list of device kinds ---------------------------------------------------------------===//
//
// Each kind has its own folder with its table of functions (Device.h) and its loaded code. Everything outside these
// folders iterates over this list or uses the table that it is given.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_DEVICEKINDS_H
#define TILECC_RUNTIME_DEVICEKINDS_H

namespace tilecc::rt {

struct DeviceKind;
extern const DeviceKind cpuDevice, cudaDevice, emulatorDevice, openclDevice;

// The slots in which each kind stores what it has loaded of a kernel or object (Registry.h).
enum DeviceSlot : unsigned { cpuSlot, cudaSlot, emulatorSlot, openclSlot, deviceKindCount };
inline constexpr const DeviceKind *deviceKinds[deviceKindCount] = {&cpuDevice, &cudaDevice, &emulatorDevice, &openclDevice};

// The device that always exists, after all GPUs.
inline constexpr const DeviceKind *hostDevice = &cpuDevice;

} // namespace tilecc::rt
#endif
