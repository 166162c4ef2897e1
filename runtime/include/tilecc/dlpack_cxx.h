//===-- tilecc/dlpack_cxx.h - exchanges tensors with other libraries through DLPack ---------------------*- C++ -*-===//
//
//   tt::dlpack_tensor in(managed);                       // from PyTorch, NumPy, JAX, CuPy ...: takes ownership
//   softmax<1024><<<in.size(0), stream>>>(in.data<float>(), out.data(), in.size(1));
//   DLManagedTensor *result = tt::to_dlpack(std::move(out), {rows, columns});  // gives up ownership
//
// The structures are DLPack's (dmlc/dlpack, versions 0.x and 1.x), under their own names if <dlpack/dlpack.h> was
// included before. DLPack does not cover streams: the producer of a tensor must ensure that work on it has completed,
// or that the consumer waits. No other header of tcc includes this one.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_DLPACK_CXX_H
#define TILECC_DLPACK_CXX_H

#include <tilecc/detail/push_macros.h>

#include <initializer_list>
#include <stdint.h>
#include <tilecc/runtime.h>

#ifndef DLPACK_DLPACK_H_
extern "C" {
typedef struct {
  uint32_t major, minor;
} DLPackVersion;
typedef enum : int32_t {
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLROCM = 10,
  kDLROCMHost = 11,
  kDLExtDev = 12,
  kDLCUDAManaged = 13,
} DLDeviceType;
typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;
typedef enum {
  kDLInt = 0U,
  kDLUInt = 1U,
  kDLFloat = 2U,
  kDLOpaqueHandle = 3U,
  kDLBfloat = 4U,
  kDLBool = 6U
} DLDataTypeCode;
typedef struct {
  uint8_t code, bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape, *strides; // in elements; null strides: contiguous, row-major
  uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
}
#endif

namespace tt {

// DLPack's code for an element type. It is defined for C's numeric types; specialize it for others (_Float16, __bf16).
template <class T> struct dlpack_type;
#define TILECC_DLPACK_TYPE(type, code)                                                                                 \
  template <> struct dlpack_type<type> {                                                                               \
    static DLDataType get() noexcept {                                                                                 \
      DLDataType result = {static_cast<uint8_t>(code), static_cast<uint8_t>(8 * sizeof(type)), 1};                     \
      return result;                                                                                                   \
    }                                                                                                                  \
  };
TILECC_DLPACK_TYPE(bool, kDLBool)
TILECC_DLPACK_TYPE(int8_t, kDLInt)
TILECC_DLPACK_TYPE(int16_t, kDLInt)
TILECC_DLPACK_TYPE(int32_t, kDLInt)
TILECC_DLPACK_TYPE(int64_t, kDLInt)
TILECC_DLPACK_TYPE(uint8_t, kDLUInt)
TILECC_DLPACK_TYPE(uint16_t, kDLUInt)
TILECC_DLPACK_TYPE(uint32_t, kDLUInt)
TILECC_DLPACK_TYPE(uint64_t, kDLUInt)
TILECC_DLPACK_TYPE(float, kDLFloat)
TILECC_DLPACK_TYPE(double, kDLFloat)
#ifdef __TILECC__
TILECC_DLPACK_TYPE(_Float16, kDLFloat)
TILECC_DLPACK_TYPE(__bf16, kDLBfloat)
#endif
#undef TILECC_DLPACK_TYPE

// A tensor received through DLPack. The destructor releases it.
class dlpack_tensor {
public:
  // Both structures are accepted, the newer one in versions 1.x.
  explicit dlpack_tensor(DLManagedTensor *tensor) noexcept : old_(tensor), tensor_(&tensor->dl_tensor) {}
  explicit dlpack_tensor(DLManagedTensorVersioned *tensor) : new_(tensor), tensor_(&tensor->dl_tensor) {
    if (tensor->version.major == 1)
      return;
    tensor->deleter(tensor);
    check(ttErrorNotSupported);
  }
  dlpack_tensor(dlpack_tensor &&other) noexcept : old_(other.old_), new_(other.new_), tensor_(other.tensor_) {
    other.old_ = nullptr;
    other.new_ = nullptr;
  }
  dlpack_tensor &operator=(dlpack_tensor &&) = delete;
  ~dlpack_tensor() {
    if (old_ && old_->deleter)
      old_->deleter(old_);
    if (new_ && new_->deleter)
      new_->deleter(new_);
  }

  int dim() const noexcept { return tensor_->ndim; }
  int64_t size(int axis) const noexcept { return tensor_->shape[axis]; }
  int64_t stride(int axis) const noexcept {
    if (tensor_->strides)
      return tensor_->strides[axis];
    int64_t stride = 1;
    for (int i = dim() - 1; i > axis; --i)
      stride *= size(i);
    return stride;
  }
  bool is_contiguous() const noexcept {
    int64_t stride = 1;
    for (int i = dim() - 1; i >= 0; --i) {
      if (size(i) != 1 && this->stride(i) != stride)
        return false;
      stride *= size(i);
    }
    return true;
  }
  template <class T> bool has_type() const noexcept {
    DLDataType wanted = dlpack_type<T>::get(), type = tensor_->dtype;
    return type.code == wanted.code && type.bits == wanted.bits && type.lanes == wanted.lanes;
  }
  // Returns the address of the first element. Throws ttErrorInvalidValue if the element type differs.
  template <class T> T *data() const {
    if (!has_type<T>())
      check(ttErrorInvalidValue);
    return reinterpret_cast<T *>(static_cast<char *>(tensor_->data) + tensor_->byte_offset);
  }
  // Returns the device of the tensor's memory: a number for ttSetDevice, or ttCpuDeviceId. Throws ttErrorInvalidDevice
  // for devices of other vendors.
  int device() const {
    switch (static_cast<int>(tensor_->device.device_type)) {
    case kDLCPU:
    case kDLCUDAHost:
    case kDLROCMHost: return ttCpuDeviceId;
    case kDLCUDA:
    case kDLCUDAManaged:
    case kDLROCM:
    case kDLExtDev: return tensor_->device.device_id;
    default: check(ttErrorInvalidDevice); return ttDeviceNone;
    }
  }

private:
  DLManagedTensor *old_ = nullptr; // owned
  DLManagedTensorVersioned *new_ = nullptr; // owned
  const DLTensor *tensor_;
};

namespace detail {
template <class Buffer> struct exported {
  DLManagedTensor managed;
  Buffer buffer;
  int64_t *sizes; // owned; strides follow
};

// Returns DLPack's description of the device that owns a memory address.
inline DLDevice dlpack_device(const void *pointer) {
  ttPointerAttributes attributes;
  ttDeviceProp properties;
  check(ttPointerGetAttributes(&attributes, pointer));
  check(ttGetDeviceProperties(&properties, attributes.device));
  bool is_cpu = properties.kind == ttDeviceKindCpu;
  DLDevice device = {is_cpu ? kDLCPU : kDLExtDev, is_cpu ? 0 : attributes.device};
  if (properties.kind == ttDeviceKindCuda)
    device.device_type = attributes.type == ttMemoryTypeManaged ? kDLCUDAManaged : kDLCUDA;
  if (properties.kind == ttDeviceKindHip)
    device.device_type = kDLROCM;
  return device;
}
} // namespace detail

// Transfers a buffer (tt::device_buffer, tt::managed_buffer) to a contiguous row-major tensor with these sizes; the
// receiver calls its deleter. The tensor must not be larger than the buffer. Memory of the emulator has the device type
// kDLExtDev.
template <template <class> class Buffer, class T>
DLManagedTensor *to_dlpack(Buffer<T> &&buffer, std::initializer_list<int64_t> sizes) {
  size_t count = 1;
  for (int64_t size : sizes)
    if (size < 0 || __builtin_mul_overflow(count, static_cast<size_t>(size), &count))
      check(ttErrorInvalidValue);
  if (count > buffer.size())
    check(ttErrorInvalidValue);
  int32_t dims = static_cast<int32_t>(sizes.size());
  DLDevice device = detail::dlpack_device(buffer.data());
  auto *result = new detail::exported<Buffer<T>>{{}, static_cast<Buffer<T> &&>(buffer), new int64_t[2 * dims + 1]};
  int64_t stride = 1;
  for (int i = dims - 1; i >= 0; --i) {
    result->sizes[i] = sizes.begin()[i];
    result->sizes[dims + i] = stride;
    stride *= sizes.begin()[i];
  }
  DLTensor &tensor = result->managed.dl_tensor;
  tensor.data = result->buffer.data();
  tensor.device = device;
  tensor.ndim = dims;
  tensor.dtype = dlpack_type<T>::get();
  tensor.shape = result->sizes;
  tensor.strides = result->sizes + dims;
  tensor.byte_offset = 0;
  result->managed.manager_ctx = result;
  result->managed.deleter = [](DLManagedTensor *self) {
    auto *exported = static_cast<detail::exported<Buffer<T>> *>(self->manager_ctx);
    delete[] exported->sizes;
    delete exported;
  };
  return &result->managed;
}

} // namespace tt

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_DLPACK_CXX_H
