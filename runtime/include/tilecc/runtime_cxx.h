//===-- tilecc/runtime_cxx.h - the C++ layer over <tilecc/runtime.h> ----------------------------------*- C++ -*-===//
//
// Owners of the C interface's objects (tt::device_buffer, tt::stream, tt::event), errors as exceptions (tt::check,
// tt::error), and tt::launch, a typed launch for translation units that tcc does not compile: it needs only the
// kernel's declaration, `void add(const float *, float *, int);`.
//
// Header only and C++11, so that it works with the program's compiler and standard library. It includes almost no other
// headers, because every compilation of a kernel parses it. Destructors ignore errors. An owner may be used by one
// thread at a time, like a pointer.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CXX_H
#define TILECC_RUNTIME_CXX_H

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime.h>

#if defined(__cpp_exceptions)
#include <typeinfo> // has std::exception, the base of std::bad_cast, at a tenth of the cost of <exception>
#else
#include <stdio.h>
#include <stdlib.h>
#endif

namespace tt {

#if defined(__cpp_exceptions)
/// The exception that `tt::check` throws: the error code, and the message of the thread's failure.
class error : public std::exception {
public:
  error(ttError_t code, const char *message) noexcept : code_(code) {
    size_t length = 0;
    for (; message[length] && length + 1 < sizeof(what_); ++length)
      what_[length] = message[length];
    what_[length] = 0;
  }
  const char *what() const noexcept override { return what_; }
  ttError_t code() const noexcept { return code_; }

private:
  ttError_t code_;
  char what_[1024]; // an array, so that copying cannot fail
};
#endif

/// Throws `tt::error` unless the call succeeded; without exceptions, prints the message and aborts. It resets the
/// thread's last error.
/// Example:
///   tt::check(ttDeviceSynchronize());
inline void check(ttError_t code) {
  if (code == ttSuccess)
    return;
  const char *message = ttGetErrorMessage(code);
  ttGetLastError();
#if defined(__cpp_exceptions)
  throw error(code, message);
#else
  fprintf(stderr, "tilecc: %s: %s\n", ttGetErrorName(code), message);
  abort();
#endif
}

namespace detail {
template <class Handle, ttError_t (*Destroy)(Handle)> class owner {
public:
  owner(owner &&other) noexcept : handle_(other.release()) {}
  owner &operator=(owner &&other) noexcept {
    if (this != &other) {
      reset();
      handle_ = other.release();
    }
    return *this;
  }
  ~owner() { reset(); }

  Handle get() const noexcept { return handle_; }
  operator Handle() const noexcept { return handle_; }
  Handle release() noexcept {
    Handle handle = handle_;
    handle_ = nullptr;
    return handle;
  }

protected:
  owner() noexcept : handle_(nullptr) {}
  void reset() noexcept {
    if (handle_)
      (void)Destroy(handle_);
    handle_ = nullptr;
  }
  Handle handle_; // owned
};
} // namespace detail

/// Changes the thread's device until the end of the block, like `ttExchangeDevice`: `tt::device_guard
/// cpu(ttCpuDeviceId);`
class device_guard {
public:
  explicit device_guard(int device) { check(ttExchangeDevice(device, &before_)); }
  ~device_guard() { (void)ttExchangeDevice(before_, nullptr); }
  device_guard(const device_guard &) = delete;
  device_guard &operator=(const device_guard &) = delete;

private:
  int before_;
};

/// Owns a stream of the device that is current when it is constructed. It converts to `ttStream_t`.
class stream : public detail::owner<ttStream_t, ttStreamDestroy> {
public:
  stream() { check(ttStreamCreate(&handle_)); }
  /// Waits for all work in the stream.
  void synchronize() const { check(ttStreamSynchronize(handle_)); }
  /// Makes later work in the stream wait for the event.
  void wait(ttEvent_t event) const { check(ttStreamWaitEvent(handle_, event, 0)); }
};

/// Owns an event. It converts to `ttEvent_t`.
class event : public detail::owner<ttEvent_t, ttEventDestroy> {
public:
  explicit event(unsigned flags = ttEventDefault) { check(ttEventCreateWithFlags(&handle_, flags)); }
  /// Records the event after the work that is in the stream now.
  void record(ttStream_t stream = nullptr) const { check(ttEventRecord(handle_, stream)); }
  void synchronize() const { check(ttEventSynchronize(handle_)); }
  /// Returns the milliseconds from `start` to this event.
  float since(const event &start) const {
    float milliseconds = 0;
    check(ttEventElapsedTime(&milliseconds, start.handle_, handle_));
    return milliseconds;
  }
};

/// The grid of a launch: an integer, or anything with members x, y and z, such as `ttDim3` and CUDA's `dim3`. Negative
/// numbers and numbers beyond 32 bits become the largest number, which no device accepts.
class launch_grid {
public:
  launch_grid(ttDim3 grid) noexcept : grid_(grid) {}
  launch_grid(int x) noexcept { grid_.x = clamp(x); }
  launch_grid(unsigned x) noexcept { grid_.x = x; }
  launch_grid(long x) noexcept { grid_.x = clamp(x); }
  launch_grid(unsigned long x) noexcept { grid_.x = clamp(x); }
  launch_grid(long long x) noexcept { grid_.x = clamp(x); }
  launch_grid(unsigned long long x) noexcept { grid_.x = clamp(x); }
  template <class Dim3, class = decltype(Dim3::x + Dim3::y + Dim3::z)> launch_grid(const Dim3 &grid) noexcept {
    grid_.x = clamp(grid.x);
    grid_.y = clamp(grid.y);
    grid_.z = clamp(grid.z);
  }
  ttDim3 get() const noexcept { return grid_; }

private:
  template <class T> static unsigned clamp(T value) noexcept {
    return value < T(0) || static_cast<unsigned long long>(value) > 0xffffffffull ? 0xffffffffu
                                                                                  : static_cast<unsigned>(value);
  }
  ttDim3 grid_;
};

/// A grid, a stream and launch attributes: `tt::launch(kernel, tt::launch_config(grid, stream).cooperative(), x, n)`.
class launch_config {
public:
  explicit launch_config(launch_grid grid, ttStream_t stream = nullptr) noexcept : grid_(grid.get()), stream_(stream) {}

  /// Lets all programs run at the same time, so that they may wait for each other.
  launch_config &cooperative(bool on = true) noexcept { return set(ttLaunchAttributeCooperative, on); }
  /// Lets the kernel begin before the previous one in the stream has ended; see `tt::grid_dependency_wait`.
  launch_config &programmatic(bool on = true) noexcept {
    return set(ttLaunchAttributeProgrammaticStreamSerialization, on);
  }
  /// Work with a smaller number runs first. Only GPUs support priorities.
  launch_config &priority(int number) noexcept { return set(ttLaunchAttributePriority, number); }

  /// Declares that programs at different positions along z represent different devices; the emulator checks their
  /// accesses accordingly.
  launch_config &devices_along_z(bool on = true) noexcept { return set(ttLaunchAttributeDevicesAlongZ, on); }

  ttDim3 grid() const noexcept { return grid_; }
  const ttLaunchAttribute *attributes() const noexcept { return attributes_; }
  unsigned attribute_count() const noexcept { return count_; }
  ttLaunchConfig get() const noexcept {
    ttLaunchConfig config = {grid_, stream_, attributes_, count_};
    return config;
  }

private:
  launch_config &set(ttLaunchAttributeID id, int value) noexcept {
    unsigned i = 0;
    while (i < count_ && attributes_[i].id != id)
      ++i;
    if (i == count_)
      ++count_;
    attributes_[i].id = id;
    attributes_[i].value = value;
    return *this;
  }
  ttDim3 grid_;
  ttStream_t stream_;
  ttLaunchAttribute attributes_[4];
  unsigned count_ = 0;
};

namespace detail {
// Converts the arguments to the parameters' types and passes their addresses to use(args).
template <class... P, class Use> void with_addresses(Use use, P... values) {
  void *args[] = {const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(values)))..., nullptr};
  use(args);
}
} // namespace detail

/// Launches a kernel on `grid` programs in `stream` (null: the default stream). It needs only the kernel's
/// declaration, so sources that tcc does not compile can use it. Each argument is converted to the type of its
/// parameter, as in a function call. Throws `tt::error`.
/// Example:
///   tt::launch(add, tt::cdiv(n, 1024), stream, x, y, n);
template <class... P, class... A> void launch(void (*kernel)(P...), launch_grid grid, ttStream_t stream, A &&...args) {
  static_assert(sizeof...(P) == sizeof...(A), "tt::launch: the kernel takes another number of arguments");
  detail::with_addresses<P...>(
      [&](void **addresses) {
        check(ttLaunchKernel(reinterpret_cast<const void *>(kernel), grid.get(), addresses, stream));
      },
      static_cast<A &&>(args)...);
}

template <class... P, class... A> void launch(void (*kernel)(P...), const launch_config &config, A &&...args) {
  static_assert(sizeof...(P) == sizeof...(A), "tt::launch: the kernel takes another number of arguments");
  ttLaunchConfig launch = config.get();
  detail::with_addresses<P...>(
      [&](void **addresses) { check(ttLaunchKernelEx(&launch, reinterpret_cast<const void *>(kernel), addresses)); },
      static_cast<A &&>(args)...);
}

} // namespace tt

#include <tilecc/graph_cxx.h>
#include <tilecc/memory_cxx.h>

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_RUNTIME_CXX_H
