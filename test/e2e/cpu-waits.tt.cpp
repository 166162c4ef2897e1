// On the CPU device, a wait for a program that has not begun is reported. A wait for an earlier program is allowed.
// RUN: %tcc -O2 -arch=compute_90 %s -o %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_WAIT=2 TILECC_NUM_THREADS=1 %t 2>&1 | FileCheck %s
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_WAIT=2 TILECC_NUM_THREADS=3 %t 2>&1 | FileCheck %s
#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

// The last program goes first.
__tile_global__ void later(int *turn, int *sum) {
  int mine = tt::num_programs(0) - 1 - tt::program_id(0);
  while (tt::atomic_add(turn, 0) != mine)
    ;
  *sum = *sum * 2 + mine;
  tt::atomic_xchg(turn, mine + 1);
}
__tile_global__ void earlier(int *turn, int *sum) {
  int mine = tt::program_id(0);
  while (tt::atomic_cas(turn, mine, mine) != mine)
    ;
  *sum = *sum * 2 + mine;
  tt::atomic_xchg(turn, mine + 1);
}
__tile_global__ void alone(int *flag, int *sum) {
  tt::atomic_poll(flag, 1);
  *sum = 1;
}
// A loop that distributes work is not a wait.
__tile_global__ void queue(int *next, int *sum, int n) {
  while (tt::atomic_add(next, 1) < n)
    tt::atomic_add(sum, 1);
}

static void told(const char *what, int *sum) {
  ttError_t error = ttGetLastError();
  int value;
  std::printf("%s: %d %s\n", what, error, error ? ttGetLastErrorMessage() : "");
  tt::check(ttMemcpy(&value, sum, sizeof(value), ttMemcpyDeviceToHost));
  std::printf("%s: sum %d\n", what, value);
}

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  tt::device_buffer<int> memory(2);
  int *turn = memory.data(), *sum = turn + 1;
  auto clear = [&] { tt::check(ttMemset(turn, 0, 8)); };
  // CHECK: tilecc: {{.*}}cpu-waits.tt.cpp:12: kernel 'later', program [{{[0-9]}}, 0, 0] on the CPU device: waits for a program that has not begun. Programs run in order, and all threads are in programs that wait: wait for earlier ones alone, or launch cooperatively, which begins all at once
  // CHECK-NEXT: later: 702 kernel 'later': {{.*}}cpu-waits.tt.cpp:12: program [{{[0-9]}}, 0, 0] waits for a program that has not begun
  // CHECK-NEXT: later: sum 0
  clear();
  later<<<100>>>(turn, sum);
  told("later", sum);
  // CHECK-NEXT: together: 0
  // CHECK-NEXT: together: sum 11
  clear();
  tt::launch(later, tt::launch_config(4).cooperative(), turn, sum);
  told("together", sum);
  // CHECK-NEXT: earlier: 0
  // CHECK-NEXT: earlier: sum 11
  clear();
  earlier<<<4>>>(turn, sum);
  told("earlier", sum);
  // CHECK-NEXT: queue: 0
  // CHECK-NEXT: queue: sum 100000
  clear();
  queue<<<8>>>(turn, sum, 100000);
  told("queue", sum);
  // CHECK-NEXT: tilecc: {{.*}}cpu-waits.tt.cpp:[[#ALONE:]]: kernel 'alone', program [0, 0, 0] on the CPU device: waits for memory that nothing changes. All programs of the launch have begun, and those that have not ended have waited for 2 seconds; TILECC_CPU_WAIT sets how many, and 0 waits for ever
  // CHECK-NEXT: alone: 702 kernel 'alone': {{.*}}cpu-waits.tt.cpp:[[#ALONE]]: program [0, 0, 0] waits for memory that nothing changes
  clear();
  alone<<<1>>>(turn, sum);
  told("alone", sum);
}
