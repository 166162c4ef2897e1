//===-- tilecc/tune.h - kernels whose configuration is chosen by measuring ----------------------------*- C++ -*-===//
//
// The equivalent of Triton's autotune for kernels that are compiled ahead of time. A configuration is a value (a
// number, or a struct of numbers) that the kernel takes as a template argument, and a tuned kernel is a list of them:
//
//   struct blocking { int m, n, k, warps, stages; };
//   template <blocking B>
//   [[tt::num_warps(B.warps), tt::num_stages(B.stages)]] __tile_global__ void
//   matmul(const float *a, const float *b, float *c, int M, int N, int K) { ... tt::arange<B.m>() ... }
//
//   constexpr blocking blockings[] = {{128, 128, 64, 8, 3}, {64, 64, 32, 4, 4}, {32, 64, 32, 4, 2}};
//   static auto tuned_matmul = tt::autotune<blockings>([]<blocking B>() { return matmul<B>; });
//
//   tuned_matmul.launch([&](const blocking &b) { return tt::cdiv(M, b.m) * tt::cdiv(N, b.n); }, stream, a, b, c, M, N, K);
//
// The first launch for a key measures, or finds the choice in an existing table; <tilecc/runtime_tune.h> lists the
// places, and docs/tuning.md is the guide. Options follow the lambda and have Triton's names. Each is a function of the
// kernel's arguments; those marked with a C take the configuration as an additional first argument.
//
//   tt::key([](...) { return tt::tuning_key(M, K); })   what a choice depends on, instead of all integers, each rounded up to
//                                                       a power of two
//   C tt::heuristics([](...) -> bool)                   whether a configuration is correct for these arguments
//   C tt::early_config_prune([](...) -> bool)           whether it is worth measuring
//   C tt::perf_model([](...) -> double, top_k)          its predicted cost: the top_k cheapest are measured
//   tt::restore_value([](...) { return tt::tuning_buffers(c, M * N); })   what the kernel changes: measuring restores it
//   tt::reset_to_zero([](...) { return tt::tuning_buffers(c, M * N); })   the same for memory that is zero before a launch
//
// Header only, C++20. Sources that tcc does not compile may also use a tuned kernel, if a source that it compiles
// instantiates its kernels.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TUNE_H
#define TILECC_TUNE_H
#pragma GCC system_header // so that messages refer to the line that uses this header

#if __cplusplus < 202002L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L)
#error "<tilecc/tune.h> needs C++20 or later: compile with -std=c++20"
#else

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime.h>
#include <type_traits>
#include <utility>

namespace tt {

/// Up to eight integers that a choice depends on: the result of the function of `tt::key`.
class tuning_key {
public:
  enum : unsigned { most = 8 };
  template <class... T>
    requires(sizeof...(T) <= most && (... && std::is_integral_v<T>))
  constexpr tuning_key(T... values) noexcept : values_{static_cast<long long>(values)...}, count_(sizeof...(T)) {}
  constexpr unsigned size() const noexcept { return count_; }
  constexpr long long operator[](unsigned i) const noexcept { return values_[i]; }

private:
  long long values_[most];
  unsigned count_;
};

/// Device memory that a kernel changes: pointers, each followed by its number of elements. It is the result of the
/// functions of `tt::restore_value` and `tt::reset_to_zero`.
class tuning_buffers {
public:
  enum : unsigned { most = 16 };
  template <class... Rest> tuning_buffers(Rest... rest) noexcept {
    static_assert(sizeof...(Rest) % 2 == 0, "tt::tuning_buffers: pointers, each followed by its number of elements");
    static_assert(sizeof...(Rest) <= 2 * most, "tt::tuning_buffers: too many");
    add(rest...);
  }
  unsigned size() const noexcept { return count_; }
  ttTuneBuffer operator[](unsigned i) const noexcept { return list_[i]; }

private:
  void add() noexcept {}
  template <class T, class... Rest> void add(T *pointer, size_t count, Rest... rest) noexcept {
    list_[count_++] = {const_cast<void *>(static_cast<const volatile void *>(pointer)), count * sizeof(T), 0};
    add(rest...);
  }
  ttTuneBuffer list_[most];
  unsigned count_ = 0;
};

/// Option of `autotune`: what a choice depends on, as a function of the kernel's arguments that returns a
/// `tt::tuning_key`. Without it, a choice depends on all integer arguments, each rounded up to a power of two.
/// Triton: `key=['M', 'N']`.
template <class F> struct key {
  F of;
};
template <class F> key(F) -> key<F>;
/// Option of `autotune`: a function of the configuration and the arguments that returns true if the configuration is
/// correct for these arguments. Other configurations are never launched.
/// Triton: `@triton.heuristics`.
template <class F> struct heuristics {
  F holds;
};
template <class F> heuristics(F) -> heuristics<F>;
/// Option of `autotune`: a function of the configuration and the arguments that returns true if the configuration is
/// worth measuring.
/// Triton: `prune_configs_by={'early_config_prune': f}`.
template <class F> struct early_config_prune {
  F keeps;
};
template <class F> early_config_prune(F) -> early_config_prune<F>;
/// Option of `autotune`: the predicted cost of a configuration, as a function of the configuration and the arguments.
/// Only the `top_k` cheapest are measured; 0 measures all. The cheapest is the default where nothing can be measured.
/// Triton: `prune_configs_by={'perf_model': f, 'top_k': n}`.
template <class F> struct perf_model {
  F cost;
  unsigned top_k = 0; // 0: all are measured, and the model only orders rows for a launch that cannot measure
};
template <class F> perf_model(F) -> perf_model<F>;
template <class F> perf_model(F, int) -> perf_model<F>;
/// Option of `autotune`: memory that the kernel changes and that measuring restores, as a function of the arguments
/// that returns `tt::tuning_buffers`.
/// Triton: `restore_value=['c']`.
template <class F> struct restore_value {
  F of;
};
template <class F> restore_value(F) -> restore_value<F>;
/// Option of `autotune`: memory that is zero before a launch and that measuring sets to zero again, as a function of
/// the arguments that returns `tt::tuning_buffers`.
/// Triton: `reset_to_zero=['c']`.
template <class F> struct reset_to_zero {
  F of;
};
template <class F> reset_to_zero(F) -> reset_to_zero<F>;

namespace detail {

// Selects the option of a given kind among the base classes of a tuned kernel; is_option tests a type.
template <template <class> class Kind, class F> constexpr const Kind<F> &option(const Kind<F> &option) {
  return option;
}
template <template <class> class Kind, class T> inline constexpr bool is_option = false;
template <template <class> class Kind, class F> inline constexpr bool is_option<Kind, Kind<F>> = true;
template <template <class> class Kind, class... Options>
inline constexpr int times = (0 + ... + is_option<Kind, Options>);
template <class... Options>
inline constexpr bool is_twice =
    times<key, Options...> > 1 || times<heuristics, Options...> > 1 || times<early_config_prune, Options...> > 1 ||
    times<perf_model, Options...> > 1 || times<restore_value, Options...> > 1 || times<reset_to_zero, Options...> > 1;
template <class T>
inline constexpr bool is_known = is_option<key, T> || is_option<heuristics, T> || is_option<early_config_prune, T> ||
                                 is_option<perf_model, T> || is_option<restore_value, T> || is_option<reset_to_zero, T>;

// Rounds up to a power of two.
constexpr long long round_size(long long size) {
  if (size <= 1)
    return size;
  int bits = 64 - __builtin_clzll(static_cast<unsigned long long>(size - 1));
  return bits < 63 ? 1ll << bits : size;
}

} // namespace detail

/// A kernel in several configurations, which `tt::autotune` makes. It usually has static storage duration. Any thread
/// may launch it.
template <const auto &Configs, class Make, class... Options>
class __attribute__((visibility("hidden"))) tuned_kernel : public Options... {
public:
  static constexpr unsigned count = sizeof(Configs) / sizeof(Configs[0]);
  using config = std::remove_cvref_t<decltype(Configs[0])>;
  static_assert(count <= 250, "tt::autotune: at most 250 configurations");

  constexpr explicit tuned_kernel(Options... options) : Options(options)... {}
  // The destructor is constexpr, so that the kernel is initialized before any code runs. It does run at the end,
  // because libraries must free their choices.
  constexpr ~tuned_kernel() { ttTuneForget(&tuned_); }
  tuned_kernel(const tuned_kernel &) = delete;
  tuned_kernel &operator=(const tuned_kernel &) = delete;

  /// Launches the best configuration for these arguments, and measures first if necessary. A grid is a number of
  /// programs, or a function of the configuration that returns one or a `tt::launch_config`. Throws `tt::error`.
  template <class Grid, class... A> void launch(const Grid &grid, ttStream_t stream, A &&...args) const {
    with_args(
        grid, stream,
        [&](unsigned row, void **addresses) {
          launch_config chosen = config_of(grid, row, stream);
          ttLaunchConfig launch = chosen.get();
          check(ttLaunchKernelEx(&launch, address(row), addresses));
        },
        static_cast<A &&>(args)...);
  }

  /// Returns the configuration that `launch` would use. Measures if necessary, and launches nothing else.
  template <class Grid, class... A> const config &choose(const Grid &grid, ttStream_t stream, A &&...args) const {
    unsigned chosen = 0;
    with_args(grid, stream, [&](unsigned row, void **) { chosen = row; }, static_cast<A &&>(args)...);
    return Configs[chosen];
  }

private:
  using kernel_type = decltype(Make{}.template operator()<Configs[0]>());
  struct kernel_table {
    kernel_type row[count];
    constexpr kernel_type operator[](unsigned i) const { return row[i]; }
  };
  template <size_t... I> static constexpr kernel_table make_table(std::index_sequence<I...>) {
    return {{Make{}.template operator()<Configs[I]>()...}};
  }
  static constexpr kernel_table kernels = make_table(std::make_index_sequence<count>());

  template <class... P> static constexpr size_t parameters(void (*)(P...)) { return sizeof...(P); }
  static const void *address(unsigned row) { return reinterpret_cast<const void *>(kernels[row]); }

  static constexpr bool has_key = detail::times<tt::key, Options...>;
  static constexpr bool has_heuristics = detail::times<heuristics, Options...>;
  static constexpr bool has_prune = detail::times<early_config_prune, Options...>;
  static constexpr bool has_model = detail::times<perf_model, Options...>;
  static constexpr bool has_restore = detail::times<restore_value, Options...>;
  static constexpr bool has_reset = detail::times<reset_to_zero, Options...>;

  template <class Grid> static launch_config config_of(const Grid &grid, unsigned row, ttStream_t stream) {
    if constexpr (requires { grid(Configs[row]); }) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(grid(Configs[row]))>, launch_config>)
        return grid(Configs[row]);
      else
        return launch_config(grid(Configs[row]), stream);
    } else {
      return launch_config(grid, stream);
    }
  }

  template <class Grid, class Use, class... A>
  void with_args(const Grid &grid, ttStream_t stream, Use use, A &&...args) const {
    constexpr bool fits = parameters(kernels[0]) == sizeof...(A);
    static_assert(fits, "tt::tuned_kernel: the kernel takes another number of arguments");
    if constexpr (fits)
      with_values(kernels[0], grid, stream, use, static_cast<A &&>(args)...);
  }

  // Converts the arguments to the parameters' types.
  template <class... P, class Grid, class Use>
  void with_values(void (*)(P...), const Grid &grid, ttStream_t stream, Use use,
                   std::type_identity_t<P>... values) const {
    void *args[] = {const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(values)))..., nullptr};
    ttTuneKey problem;
    make_key(problem, values...);
    int row = ttTuneFind(&tuned_, &problem, args);
    use(row >= 0 ? static_cast<unsigned>(row) : choose_row(problem, grid, stream, args, values...), args);
  }

  template <class... P> void make_key(ttTuneKey &problem, const P &...values) const {
    constexpr unsigned masks = has_heuristics ? (count + 62) / 63 : 0;
    static_assert(masks + tuning_key::most <= TT_TUNE_MOST_VALUES);
    problem.count = 0;
    auto add = [&](long long value) { problem.values[problem.count++] = value; };
    if constexpr (has_key) {
      const tuning_key own = detail::option<tt::key>(*this).of(values...);
      for (unsigned i = 0; i < own.size(); ++i)
        add(own[i]);
    } else {
      static_assert((0 + ... + (std::is_integral_v<P> && !std::is_same_v<P, bool>)) + masks <= TT_TUNE_MOST_VALUES,
                    "tt::autotune: a kernel with so many integer parameters needs a tt::key");
      auto add_size = [&](const auto &value) {
        using type = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_integral_v<type> && !std::is_same_v<type, bool>)
          add(detail::round_size(static_cast<long long>(value)));
      };
      (add_size(values), ...);
    }
    // Rounded arguments do not determine which configurations are valid.
    if constexpr (has_heuristics)
      for (unsigned first = 0; first < count; first += 63) {
        long long mask = 0;
        for (unsigned i = first; i < count && i < first + 63; ++i)
          mask |=
              static_cast<long long>(static_cast<bool>(detail::option<heuristics>(*this).holds(Configs[i], values...)))
              << (i - first);
        add(mask);
      }
  }

  // The fast path, which every launch takes except the first for a key.
  template <class Grid, class... P>
  __attribute__((noinline)) unsigned choose_row(const ttTuneKey &problem, const Grid &grid, ttStream_t stream,
                                                void **args, const P &...values) const {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      launch_config configs[] = {config_of(grid, I, stream)...};
      ttLaunchConfig launches[] = {configs[I].get()...};
      const void *addresses[] = {address(I)...};
      unsigned char status[] = {status_of(Configs[I], values...)...};
      ttTuneRequest request = {};
      request.rows = count;
      request.kernels = addresses;
      request.launches = launches;
      request.status = status;
      request.args = args;
      double costs[count];
      if constexpr (has_model) {
        for (unsigned i = 0; i < count; ++i)
          costs[i] = static_cast<double>(detail::option<perf_model>(*this).cost(Configs[i], values...));
        request.costs = costs;
        request.most = detail::option<perf_model>(*this).top_k;
      }
      ttTuneBuffer buffers[2 * tuning_buffers::most];
      auto add = [&](const tuning_buffers &changed, bool isZero) {
        for (unsigned i = 0; i < changed.size(); ++i) {
          buffers[request.bufferCount] = changed[i];
          buffers[request.bufferCount++].isZero = isZero;
        }
      };
      if constexpr (has_restore)
        add(detail::option<restore_value>(*this).of(values...), false);
      if constexpr (has_reset)
        add(detail::option<reset_to_zero>(*this).of(values...), true);
      request.buffers = buffers;
      unsigned row = 0;
      check(ttTuneChoose(&tuned_, &problem, &request, &row));
      return row;
    }(std::make_index_sequence<count>());
  }

  template <class... P> unsigned char status_of(const config &c, const P &...values) const {
    if constexpr (has_heuristics)
      if (!detail::option<heuristics>(*this).holds(c, values...))
        return TT_TUNE_EXCLUDED;
    if constexpr (has_prune)
      if (!detail::option<early_config_prune>(*this).keeps(c, values...))
        return TT_TUNE_PRUNED;
    return TT_TUNE_CANDIDATE;
  }

  mutable ttTuned tuned_ = {};
};

/// Makes a tuned kernel from a `constexpr` array of configurations and a lambda that maps a configuration to a kernel.
/// Options follow the lambda.
/// Triton: `triton.autotune`.
/// Example:
///   static auto tuned = tt::autotune<blockings>([]<blocking B>() { return matmul<B>; }, tt::key([](...) { ... }));
template <const auto &Configs, class Make, class... Options> constexpr auto autotune(Make, Options... options) {
  constexpr bool are_known = (... && detail::is_known<Options>), is_twice = detail::is_twice<Options...>;
  static_assert(are_known, "tt::autotune: an option is none of <tilecc/tune.h>'s");
  static_assert(!is_twice, "tt::autotune: an option is given twice");
  if constexpr (are_known && !is_twice)
    return tuned_kernel<Configs, Make, Options...>(options...);
  else
    return tuned_kernel<Configs, Make>(); // so that only one message appears
}

/// Launches a tuned kernel: the same as `kernel.launch(grid, stream, args...)`.
/// Example:
///   tt::launch(tuned, grid, stream, a, b, c, M, N, K);
template <const auto &Configs, class Make, class... Options, class Grid, class... A>
void launch(const tuned_kernel<Configs, Make, Options...> &kernel, const Grid &grid, ttStream_t stream, A &&...args) {
  kernel.launch(grid, stream, static_cast<A &&>(args)...);
}

} // namespace tt

#include <tilecc/detail/pop_macros.h>

#endif // C++20
#endif // TILECC_TUNE_H
