//===-- FakeHipCopies.cpp - the fake HIP's copies and sets -------------------------------------------------------===//
#include "FakeHip.h"

using namespace fake;

namespace {
struct Rows {
  void *to;
  size_t toPitch;
  const void *from;
  size_t fromPitch, width, height;
};
} // namespace

static hipError_t check(const char *function, const Rows &rows, int kind) {
  if (kind != hipMemcpyDefault)
    return wrong(invalidValue, "%s: the direction %d", function, kind);
  if (rows.toPitch < rows.width || rows.fromPitch < rows.width)
    return wrong(invalidValue, "%s: a pitch is less than the width", function);
  TRY(checkRange(function, rows.to, rows.toPitch * (rows.height - 1) + rows.width));
  return checkRange(function, rows.from, rows.fromPitch * (rows.height - 1) + rows.width);
}

static hipError_t run(const Rows &rows) {
  for (size_t row = 0; row < rows.height; ++row)
    TRY(runCopy(static_cast<char *>(rows.to) + row * rows.toPitch,
                static_cast<const char *>(rows.from) + row * rows.fromPitch, rows.width));
  return success;
}

static hipError_t copyNow(const char *function, const Rows &rows, int kind) {
  NOT_WHILE_CAPTURING(function);
  TRY(check(function, rows, kind));
  TRY(finish(nullptr));
  for (const void *pointer : {const_cast<const void *>(rows.to), rows.from}) // of other devices, too
    TRY(finishOwner(pointer));
  return run(rows);
}

static hipError_t copyLater(const char *function, const Rows &rows, int kind, CUstream stream) {
  TRY(check(function, rows, kind));
  TRY(enqueue(
      function, stream, [=] { return run(rows); },
      [&](CUgraph graph, CUgraphNode *node) {
        addWorkNode(graph, node, 1, "copy " + std::to_string(rows.width * rows.height), [=] { return run(rows); });
      }));
  // Pageable memory is read, or written, before the call returns.
  bool isPageableCopy = isPageable(rows.to) || isPageable(rows.from);
  return isPageableCopy && !isCaptured(stream) ? finish(stream) : success;
}

FAKE(hipMemcpy)(void *to, const void *from, size_t bytes, int kind) {
  logCall("hipMemcpy %zu", bytes);
  ENTER("hipMemcpy");
  return copyNow("hipMemcpy", {to, bytes, from, bytes, bytes, 1}, kind);
}
FAKE(hipMemcpyAsync)(void *to, const void *from, size_t bytes, int kind, CUstream stream) {
  logCall("hipMemcpyAsync %zu stream %p", bytes, static_cast<void *>(stream));
  ENTER("hipMemcpyAsync");
  return copyLater("hipMemcpyAsync", {to, bytes, from, bytes, bytes, 1}, kind, stream);
}
FAKE(hipMemcpy2D)
(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, int kind) {
  logCall("hipMemcpy2D %zu x %zu", height, width);
  ENTER("hipMemcpy2D");
  return copyNow("hipMemcpy2D", {to, toPitch, from, fromPitch, width, height}, kind);
}
FAKE(hipMemcpy2DAsync)
(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, int kind, CUstream stream) {
  logCall("hipMemcpy2DAsync %zu x %zu stream %p", height, width, static_cast<void *>(stream));
  ENTER("hipMemcpy2DAsync");
  return copyLater("hipMemcpy2DAsync", {to, toPitch, from, fromPitch, width, height}, kind, stream);
}

static hipError_t set(const char *function, void *pointer, size_t pitch, int byte, size_t width, size_t height,
                      CUstream stream) {
  TRY(checkRange(function, pointer, pitch * (height - 1) + width));
  auto work = [=]() -> hipError_t {
    for (size_t row = 0; row < height; ++row)
      TRY(runSet(static_cast<char *>(pointer) + row * pitch, byte, width));
    return success;
  };
  return enqueue(function, stream, work, [&](CUgraph graph, CUgraphNode *node) {
    addWorkNode(graph, node, 2, "set " + std::to_string(width * height), work);
  });
}

// On memory of the device, sets without a stream return before they are done.
FAKE(hipMemsetD8)(void *pointer, unsigned char byte, size_t bytes) {
  logCall("hipMemsetD8 %u %zu", byte, bytes);
  ENTER("hipMemsetD8");
  NOT_WHILE_CAPTURING("hipMemsetD8");
  return set("hipMemsetD8", pointer, bytes, byte, bytes, 1, nullptr);
}
FAKE(hipMemsetD8Async)(void *pointer, unsigned char byte, size_t bytes, CUstream stream) {
  logCall("hipMemsetD8Async %u %zu stream %p", byte, bytes, static_cast<void *>(stream));
  ENTER("hipMemsetD8Async");
  return set("hipMemsetD8Async", pointer, bytes, byte, bytes, 1, stream);
}
FAKE(hipMemset2D)(void *pointer, size_t pitch, int byte, size_t width, size_t height) {
  logCall("hipMemset2D %zu x %zu", height, width);
  ENTER("hipMemset2D");
  NOT_WHILE_CAPTURING("hipMemset2D");
  return set("hipMemset2D", pointer, pitch, byte, width, height, nullptr);
}
FAKE(hipMemset2DAsync)(void *pointer, size_t pitch, int byte, size_t width, size_t height, CUstream stream) {
  logCall("hipMemset2DAsync %zu x %zu stream %p", height, width, static_cast<void *>(stream));
  ENTER("hipMemset2DAsync");
  return set("hipMemset2DAsync", pointer, pitch, byte, width, height, stream);
}
