//===-- tilecc/memory_cxx.h - owners of memory ---------------------------------------------------------*- C++ -*-===//
//
//   tt::device_buffer<T>   memory of a device
//   tt::managed_buffer<T>  memory at one address for host and devices
//   tt::pinned_buffer<T>   host memory whose copies overlap with kernels
//   tt::stream_buffer<T>   memory of a device, allocated and freed in stream order
//
// Part of <tilecc/runtime_cxx.h>; the rules there apply. Each has `size` uninitialized elements of a trivially copyable
// type T.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_MEMORY_CXX_H
#define TILECC_MEMORY_CXX_H

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime_cxx.h>

namespace tt {

namespace detail {
// Release(pointer) frees the memory that `data` points to.
template <class T, ttError_t (*Release)(void *)> class buffer {
public:
  buffer(buffer &&other) noexcept : data_(other.data_), size_(other.size_) {
    other.data_ = nullptr;
    other.size_ = 0;
  }
  buffer &operator=(buffer &&other) noexcept {
    T *data = data_;
    size_t size = size_;
    data_ = other.data_;
    size_ = other.size_;
    other.data_ = data;
    other.size_ = size;
    return *this;
  }
  ~buffer() { (void)Release(data_); }

  T *data() const noexcept { return data_; }
  size_t size() const noexcept { return size_; }
  // If the size overflows, returns the largest number, which no allocation accepts.
  size_t bytes() const noexcept {
    constexpr size_t most = static_cast<size_t>(-1);
    return size_ > most / sizeof(T) ? most : size_ * sizeof(T);
  }

protected:
  buffer() noexcept = default;
  explicit buffer(size_t size) noexcept : size_(size) {}
  T *data_ = nullptr; // owned
  size_t size_ = 0;
};

// A buffer whose memory the host can access.
template <class T, ttError_t (*Release)(void *)> class host_buffer : public buffer<T, Release> {
public:
  T &operator[](size_t i) const noexcept { return this->data_[i]; }
  T *begin() const noexcept { return this->data_; }
  T *end() const noexcept { return this->data_ + this->size_; }

protected:
  using buffer<T, Release>::buffer;
};
} // namespace detail

/// Owns memory of the device that is current when it is constructed; the elements are uninitialized. Copies without a
/// stream are synchronous. Copies with a stream overlap with kernels if the host memory is pinned.
template <class T> class device_buffer : public detail::buffer<T, ttFree> {
public:
  device_buffer() noexcept = default;
  explicit device_buffer(size_t size) : detail::buffer<T, ttFree>(size) {
    void *pointer = nullptr;
    check(ttMalloc(&pointer, this->bytes()));
    this->data_ = static_cast<T *>(pointer);
  }
  device_buffer(const T *host, size_t size) : device_buffer(size) { copy_from(host); }

  /// Copies all elements from the host.
  void copy_from(const T *host) { check(ttMemcpy(this->data_, host, this->bytes(), ttMemcpyHostToDevice)); }
  /// Copies all elements to the host.
  void copy_to(T *host) const { check(ttMemcpy(host, this->data_, this->bytes(), ttMemcpyDeviceToHost)); }
  /// Sets every byte.
  void set_bytes(int byte) { check(ttMemset(this->data_, byte, this->bytes())); }

  void copy_from(const T *host, ttStream_t stream) {
    check(ttMemcpyAsync(this->data_, host, this->bytes(), ttMemcpyHostToDevice, stream));
  }
  void copy_to(T *host, ttStream_t stream) const {
    check(ttMemcpyAsync(host, this->data_, this->bytes(), ttMemcpyDeviceToHost, stream));
  }
  void set_bytes(int byte, ttStream_t stream) { check(ttMemsetAsync(this->data_, byte, this->bytes(), stream)); }
};

/// Owns managed memory, which host and devices access under one address: `y[i]` on the host, `y.data()` in kernels.
template <class T> class managed_buffer : public detail::host_buffer<T, ttFree> {
public:
  managed_buffer() noexcept = default;
  explicit managed_buffer(size_t size) : detail::host_buffer<T, ttFree>(size) {
    void *pointer = nullptr;
    check(ttMallocManaged(&pointer, this->bytes()));
    this->data_ = static_cast<T *>(pointer);
  }

  /// Moves the memory to a device, or to the host for `ttCpuDeviceId`, in stream order.
  void prefetch(int device, ttStream_t stream = nullptr) const {
    if (this->size_)
      check(ttMemPrefetchAsync(this->data_, this->bytes(), device, stream));
  }
  /// Gives advice about the use of the memory, as `ttMemAdvise`.
  void advise(ttMemoryAdvise advice, int device) const {
    if (this->size_)
      check(ttMemAdvise(this->data_, this->bytes(), advice, device));
  }
};

/// Owns page-locked host memory, whose copies overlap with kernels.
template <class T> class pinned_buffer : public detail::host_buffer<T, ttFreeHost> {
public:
  pinned_buffer() noexcept = default;
  explicit pinned_buffer(size_t size) : detail::host_buffer<T, ttFreeHost>(size) {
    void *pointer = nullptr;
    check(ttMallocHost(&pointer, this->bytes()));
    this->data_ = static_cast<T *>(pointer);
  }
};

/// Owns device memory for work in one stream, which must outlive the buffer. It is allocated and freed in stream
/// order, from the device's pool.
template <class T> class stream_buffer {
public:
  stream_buffer(size_t size, ttStream_t stream) : size_(size), stream_(stream) {
    if (size > static_cast<size_t>(-1) / sizeof(T))
      check(ttErrorMemoryAllocation);
    void *pointer = nullptr;
    check(ttMallocAsync(&pointer, size * sizeof(T), stream));
    data_ = static_cast<T *>(pointer);
  }
  stream_buffer(stream_buffer &&other) noexcept : data_(other.data_), size_(other.size_), stream_(other.stream_) {
    other.data_ = nullptr;
  }
  stream_buffer &operator=(stream_buffer &&) = delete;
  ~stream_buffer() { (void)ttFreeAsync(data_, stream_); }

  T *data() const noexcept { return data_; }
  size_t size() const noexcept { return size_; }
  size_t bytes() const noexcept { return size_ * sizeof(T); }
  ttStream_t stream() const noexcept { return stream_; }

private:
  T *data_ = nullptr; // owned
  size_t size_;
  ttStream_t stream_; // not owned
};

} // namespace tt

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_MEMORY_CXX_H
