//===-- tilecc/jit.h - kernels that are compiled while the program runs --------------------------------*- C++ -*-===//
//
//   tt::jit_kernel add = tt::jit(source, "add<1024>");
//   tt::launch(add, n / 1024, stream, x, y, out, n);
//
// The source is the text of a .tt.cpp. It is compiled for the thread's current device (a GPU, the CPU, the PTX
// emulator), once: compiled code is cached in a folder (docs/jit.md). The kernel is like those of the program: get() is
// its address for ttLaunchKernel, ttPreload, graphs and so on.
//
// Programs that include this header link libtilecc (TileCC::compiler) and the runtime. Needs C++17.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_JIT_H
#define TILECC_JIT_H

#include <tilecc/detail/push_macros.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <tilecc/compiler.h>
#include <tilecc/runtime.h>
#include <type_traits>
#include <utility>
#include <vector>

namespace tt {

/// The exception that `tt::jit` throws if a source does not compile; `what()` is the compiler's log.
class compile_error : public std::exception {
public:
  compile_error(tilecc_result code, std::string log) : code_(code), log_(std::move(log)) {}
  const char *what() const noexcept override { return log_.c_str(); }
  tilecc_result code() const noexcept { return code_; }

private:
  tilecc_result code_;
  std::string log_;
};

/// Options for `tt::jit`: the name of the source in messages, headers in memory that `#include` finds, options of the
/// compiler ("-DN=3", "-use_fast_math"), and whether to use the cache.
struct jit_options {
  std::string name = "kernels.tt.cpp"; // of the source, in messages
  std::vector<std::pair<std::string, std::string>> headers; // name and text: found by #include
  std::vector<std::string> options; // of <tilecc/compiler.h>: "-DN=3", "-use_fast_math"
  bool cache = true; // use the cache
};

namespace detail {
// A library that lives as long as any of its kernels.
struct jit_library {
  explicit jit_library(const void *data, size_t bytes) { check(ttLibraryLoadData(&handle, data, bytes)); }
  ~jit_library() { (void)ttLibraryUnload(handle); }
  jit_library(const jit_library &) = delete;
  jit_library &operator=(const jit_library &) = delete;
  ttLibrary_t handle = nullptr; // owned
};

// Owns a program of libtilecc.
class jit_program {
public:
  jit_program(const std::string &source, const jit_options &options) {
    static constexpr char bytecode[] = "\x7fTileIR"; // including the NUL
    if (source.compare(0, sizeof bytecode, bytecode, sizeof bytecode) == 0) {
      verify(tilecc_program_create_tileir(&program_, source.data(), source.size(), options.name.c_str()));
      return;
    }
    std::vector<const char *> texts, names;
    for (const auto &[name, text] : options.headers) {
      names.push_back(name.c_str());
      texts.push_back(text.c_str());
    }
    verify(tilecc_program_create(&program_, source.c_str(), options.name.c_str(), static_cast<int>(names.size()),
                                 texts.data(), names.data()));
  }
  jit_program(const std::string &name, const std::vector<tilecc_chain_launch> &launches,
              const std::vector<tilecc_chain_argument> &arguments, const unsigned (&grid)[3]) {
    verify(tilecc_program_create_joined(&program_, name.c_str(), launches.data(),
                                        static_cast<unsigned>(launches.size()), arguments.data(),
                                        static_cast<unsigned>(arguments.size()), grid));
  }
  ~jit_program() { (void)tilecc_program_destroy(&program_); }
  jit_program(const jit_program &) = delete;
  jit_program &operator=(const jit_program &) = delete;

  void want(const std::string &name) { verify(tilecc_program_add_name_expression(program_, name.c_str())); }
  void compile(const std::vector<std::string> &options) {
    std::vector<const char *> words;
    for (const std::string &option : options)
      words.push_back(option.c_str());
    verify(tilecc_program_compile(program_, static_cast<int>(words.size()), words.data()));
  }
  std::shared_ptr<jit_library> load() const {
    const void *data;
    size_t bytes;
    verify(tilecc_program_get(program_, TILECC_LIBRARY, &data, &bytes));
    return std::make_shared<jit_library>(data, bytes);
  }
  std::string symbol(const std::string &name) const {
    const char *symbol;
    verify(tilecc_program_lowered_name(program_, name.c_str(), &symbol));
    return symbol;
  }
  std::string log() const { return tilecc_program_log(program_); }
  bool was_cached() const { return tilecc_program_was_cached(program_); }

private:
  void verify(tilecc_result result) const {
    if (result != TILECC_SUCCESS)
      throw compile_error(result, program_ ? tilecc_program_log(program_) : tilecc_result_name(result));
  }
  tilecc_program program_ = nullptr; // owned
};

// The size and type of an argument of a launch, or of a parameter.
struct jit_argument {
  unsigned size, type; // bytes, ttParamType
  // An integer may be passed as an address, and as the bits of an 8- or 16-bit number.
  bool fits(const ttKernelParam &param) const {
    bool is_address = param.type == ttTypePointer && type == ttTypeInteger;
    bool are_bits = size < 4 && type == ttTypeInteger;
    return size == param.size &&
           (type == param.type || is_address || are_bits || type == ttTypeOther || param.type == ttTypeOther);
  }
  std::string describe() const {
    if (type == ttTypePointer)
      return "pointer";
    const char *name = type == ttTypeInteger ? "int" : type == ttTypeFloat ? "float" : nullptr;
    return name ? name + std::to_string(8 * size) : std::to_string(size) + " bytes";
  }
};
template <class A> constexpr unsigned type_of_argument() {
  return std::is_pointer<A>::value                              ? ttTypePointer
         : std::is_integral<A>::value || std::is_enum<A>::value ? ttTypeInteger
         : std::is_floating_point<A>::value                     ? ttTypeFloat
                                                                : ttTypeOther;
}

// A buffer is passed as the pointer that it converts to.
template <class A, class = void> struct is_buffer : std::false_type {};
template <class A>
struct is_buffer<A,
                 std::enable_if_t<std::is_class<A>::value &&
                                  std::is_object<std::remove_pointer_t<decltype(+std::declval<const A &>())>>::value>>
    : std::is_pointer<decltype(+std::declval<const A &>())> {};
template <class A> decltype(auto) to_argument(const A &given) {
  if constexpr (is_buffer<A>::value)
    return +given;
  else
    return (given);
}

// Returns the target option for the current device.
inline std::string jit_target() {
  int device;
  ttDeviceProp properties;
  check(ttGetDevice(&device));
  check(ttGetDeviceProperties(&properties, device));
  if (!*properties.target)
    throw error(ttErrorNotSupported, "tt::jit: the current device does not name the target of its code");
  return std::string("-arch=") + properties.target;
}
} // namespace detail

/// A kernel that was compiled at run time. Copies share the code, which is freed with the last one.
class jit_kernel {
public:
  /// Returns the address of the kernel, for `ttLaunchKernel`, `ttPreload`, graphs and so on.
  const void *get() const noexcept { return kernel_; }
  /// Returns the messages of the compiler, which are warnings.
  const std::string &log() const noexcept { return log_; }
  /// Returns true if the kernel was found in the cache.
  bool was_cached() const noexcept { return was_cached_; }

  /// Launches the kernel. Arguments are passed byte by byte and are not converted. A wrong number or size of
  /// arguments, or a floating-point number for an integer or a pointer, is `ttErrorInvalidValue`. A `tt::buffer` is
  /// passed as its pointer.
  template <class... A> void launch(const ttLaunchConfig &config, const A &...args) const {
    launch_arguments(config, detail::to_argument(args)...);
  }

private:
  template <class... A> void launch_arguments(const ttLaunchConfig &config, const A &...args) const {
    static_assert((std::is_trivially_copyable<A>::value && ...), "tt::jit_kernel: arguments are passed byte by byte");
    static constexpr detail::jit_argument given[] = {{sizeof(A), detail::type_of_argument<A>()}..., {0, 0}};
    bool fits = sizeof...(A) == info_.paramCount;
    for (unsigned i = 0; fits && i < sizeof...(A); ++i)
      fits = given[i].fits(info_.params[i]);
    if (!fits)
      throw_mismatch(given, sizeof...(A));
    void *addresses[] = {const_cast<void *>(static_cast<const void *>(std::addressof(args)))..., nullptr};
    check(ttLaunchKernelEx(&config, kernel_, addresses));
  }

  friend jit_kernel jit(const std::string &, const std::string &, const jit_options &);

  [[noreturn]] void throw_mismatch(const detail::jit_argument *given, unsigned count) const {
    std::string text = "kernel '" + std::string(info_.name) + "' takes (";
    for (unsigned i = 0; i < info_.paramCount; ++i)
      text += (i ? ", " : "") + detail::jit_argument{info_.params[i].size, info_.params[i].type}.describe();
    text += ") and was launched with (";
    for (unsigned i = 0; i < count; ++i)
      text += (i ? ", " : "") + given[i].describe();
    throw error(ttErrorInvalidValue, (text + ")").c_str());
  }

  std::shared_ptr<detail::jit_library> library_;
  const void *kernel_ = nullptr; // owned by the library
  ttKernelInfo info_ = {};
  std::string log_;
  bool was_cached_ = false;
};

/// Compiles a source for the thread's current device, and finds the kernel with this name: "add", "add<1024>". The
/// source is C++, or bytecode of CUDA Tile IR, whose kernels have their symbols for names. Throws `tt::compile_error`
/// and `tt::error`. Several threads may compile at the same time.
/// Example:
///   tt::jit_kernel add = tt::jit(source, "add<1024>");
///   tt::launch(add, tt::cdiv(n, 1024), stream, x, y, out, n);
inline jit_kernel jit(const std::string &source, const std::string &name, const jit_options &options) {
  detail::jit_program program(source, options);
  program.want(name);
  std::vector<std::string> words = {detail::jit_target()};
  if (options.cache)
    words.push_back("--cache");
  words.insert(words.end(), options.options.begin(), options.options.end());
  program.compile(words);
  jit_kernel result;
  result.library_ = program.load();
  check(ttLibraryGetKernel(&result.kernel_, result.library_->handle, program.symbol(name).c_str()));
  check(ttKernelGetInfo(&result.info_, result.kernel_));
  result.log_ = program.log();
  result.was_cached_ = program.was_cached();
  return result;
}
inline jit_kernel jit(const std::string &source, const std::string &name, std::vector<std::string> options = {}) {
  jit_options all;
  all.options = std::move(options);
  return jit(source, name, all);
}

/// Launches a kernel that was compiled at run time.
/// Example:
///   tt::launch(add, grid, stream, x, y, n);
template <class... A> void launch(const jit_kernel &kernel, launch_grid grid, ttStream_t stream, const A &...args) {
  kernel.launch({grid.get(), stream, nullptr, 0}, args...);
}
template <class... A> void launch(const jit_kernel &kernel, const launch_config &config, const A &...args) {
  kernel.launch(config.get(), args...);
}

} // namespace tt

#include <tilecc/detail/pop_macros.h>

#endif // TILECC_JIT_H
