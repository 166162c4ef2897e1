// 36: tile kernels as PyTorch operators, for tensors on the CPU and on GPUs. They use PyTorch's memory and its current
// stream. This uses PyTorch's stable interface: the library works with PyTorch 2.11 and later.
//
// tilecc_example.py has the result shapes for tracing (register_fake) and the gradients.
#include "kernels.h"

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/util/Exception.h>

#include <cstdint>
#include <limits>
#include <optional>

using torch::headeronly::ScalarType;
using torch::stable::Tensor;

// Exists only in PyTorch builds with CUDA.
extern "C" __attribute__((weak)) AOTITorchError aoti_torch_get_current_cuda_stream(int32_t device, void **stream);

namespace {

// Selects the device for the work on a tensor: its GPU, in PyTorch's current stream for that GPU, or the CPU device,
// regardless of the thread's current GPU.
class Place {
public:
  explicit Place(const Tensor &tensor) {
    if (tensor.is_cpu()) {
      cpu.emplace(ttCpuDeviceId);
      return;
    }
    gpu.emplace(tensor.get_device_index());
    void *current = nullptr;
    STD_TORCH_CHECK(aoti_torch_get_current_cuda_stream, "this PyTorch has no CUDA");
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_get_current_cuda_stream(tensor.get_device_index(), &current));
    stream = static_cast<ttStream_t>(current);
  }
  ttStream_t stream = nullptr;

private:
  std::optional<tt::device_guard> cpu;
  std::optional<torch::stable::accelerator::DeviceGuard> gpu;
};

Type typeOf(const Tensor &tensor) {
  switch (tensor.scalar_type()) {
  case ScalarType::Float: return Type::f32;
  case ScalarType::Half: return Type::f16;
  case ScalarType::BFloat16: return Type::bf16;
  default: STD_TORCH_CHECK(false, "tilecc_example: elements must be float32, float16 or bfloat16");
  }
}

void checkRows(const char *name, const Tensor &tensor) {
  STD_TORCH_CHECK(tensor.is_contiguous(), name, ": tensors must be contiguous");
  STD_TORCH_CHECK(tensor.dim() >= 1 && tensor.size(tensor.dim() - 1) <= maxColumns, name, ": rows of at most ",
                  maxColumns, " elements");
}

Tensor softmaxForward(const Tensor &x) {
  checkRows("softmax", x);
  Tensor out = torch::stable::empty_like(x);
  if (int64_t elements = x.numel()) {
    Place place(x);
    int64_t columns = x.size(x.dim() - 1);
    softmax(typeOf(x), x.const_data_ptr(), out.mutable_data_ptr(), elements / columns, static_cast<int>(columns),
            place.stream);
  }
  return out;
}

Tensor softmaxGradient(const Tensor &dy, const Tensor &y) {
  checkRows("softmax_backward", dy);
  checkRows("softmax_backward", y);
  STD_TORCH_CHECK(dy.numel() == y.numel() && dy.scalar_type() == y.scalar_type(), "softmax_backward: tensors differ");
  Tensor dx = torch::stable::empty_like(y);
  if (int64_t elements = y.numel()) {
    Place place(y);
    int64_t columns = y.size(y.dim() - 1);
    softmaxBackward(typeOf(y), dy.const_data_ptr(), y.const_data_ptr(), dx.mutable_data_ptr(), elements / columns,
                    static_cast<int>(columns), place.stream);
  }
  return dx;
}

Tensor linearReluForward(const Tensor &x, const Tensor &w, const Tensor &bias) {
  STD_TORCH_CHECK(x.dim() == 2 && w.dim() == 2 && bias.dim() == 1 && x.size(1) == w.size(0) &&
                      w.size(1) == bias.size(0),
                  "linear_relu: x[M, K], w[K, N] and bias[N]");
  STD_TORCH_CHECK(x.is_contiguous() && w.is_contiguous() && bias.is_contiguous(),
                  "linear_relu: tensors must be contiguous");
  STD_TORCH_CHECK(x.scalar_type() == w.scalar_type() && x.scalar_type() == bias.scalar_type(),
                  "linear_relu: types differ");
  int64_t M = x.size(0), N = w.size(1), K = x.size(1);
  STD_TORCH_CHECK(M <= INT32_MAX && N <= INT32_MAX && K <= INT32_MAX, "linear_relu: dimensions of at most 2^31 - 1");
  Tensor out = torch::stable::new_empty(x, {M, N});
  if (out.numel()) {
    Place place(x);
    linearRelu(typeOf(x), x.const_data_ptr(), w.const_data_ptr(), bias.const_data_ptr(), out.mutable_data_ptr(),
               static_cast<int>(M), static_cast<int>(N), static_cast<int>(K), place.stream);
  }
  return out;
}

} // namespace

STABLE_TORCH_LIBRARY(tilecc_example, m) {
  m.def("softmax(Tensor x) -> Tensor");
  m.def("softmax_backward(Tensor dy, Tensor y) -> Tensor");
  m.def("linear_relu(Tensor x, Tensor w, Tensor bias) -> Tensor");
}

#define IMPLEMENT(m)                                                                                                   \
  m.impl("softmax", TORCH_BOX(&softmaxForward));                                                                       \
  m.impl("softmax_backward", TORCH_BOX(&softmaxGradient));                                                             \
  m.impl("linear_relu", TORCH_BOX(&linearReluForward))
STABLE_TORCH_LIBRARY_IMPL(tilecc_example, CPU, m) { IMPLEMENT(m); }
STABLE_TORCH_LIBRARY_IMPL(tilecc_example, CUDA, m) { IMPLEMENT(m); }
