//===-- DeviceKinds.h - the list of device kinds ---------------------------------------------------------------===//
//
// Each kind has its own folder, with its table of functions (Device.h) and the code that it has loaded. Everything
// outside these folders either iterates over this list or uses the table that it is given.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_DEVICEKINDS_H
#define TILECC_RUNTIME_DEVICEKINDS_H

namespace tilecc::rt {

struct DeviceKind;
extern const DeviceKind cpuDevice, cudaDevice, hipDevice, emulatorDevice, openclDevice, pluginDevice;

// The kinds in the order in which they are tried. The last one accepts all remaining names.
inline constexpr const DeviceKind *deviceKinds[] = {&cpuDevice,      &cudaDevice,   &hipDevice,
                                                    &emulatorDevice, &openclDevice, &pluginDevice};

// The slots in which kinds store the data that they have loaded for a kernel or object (KernelRegistry.h). CUDA and HIP
// share a slot, because a process has GPUs of at most one kind.
enum DeviceSlot : unsigned { cpuSlot, cudaSlot, emulatorSlot, openclSlot, pluginSlot, deviceSlotCount };

// The device that always exists, after all GPUs.
inline constexpr const DeviceKind *hostDevice = &cpuDevice;

} // namespace tilecc::rt
#endif
