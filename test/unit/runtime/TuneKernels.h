//===-- TuneKernels.h - a kernel in three configurations --------------------------------------------------------===//
//
// work<row>(values, n) adds 1 to values[0]. On the CPU a program takes as long as workTimes says of its row; on the
// fake GPU the functions are work0, work1 and work2, the last of which needs more shared memory than there is.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_TUNEKERNELS_H
#define TILECC_TEST_TUNEKERNELS_H

#include "TestKernels.h"
#include <tilecc/tune.h>

#include <atomic>
#include <string>

template <int row> void work(int *values, int n);

struct WorkRow {
  std::atomic<int> microseconds; // of a program
  std::atomic<int> launches;
};
extern WorkRow workRows[3];

// The hash of the rows' code, as the compiler would have it; to be set before anything is tuned.
void setCodeOfWork(uint64_t hash);

inline constexpr int allRows[] = {0, 1, 2};
inline constexpr auto makeWork = []<int row>() { return work<row>; };
using MakeWork = decltype(makeWork);

#endif
