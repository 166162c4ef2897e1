// Sparse matrices, graphs and hash tables.
#include "harness.h"

struct Csr {
  const int *rows;
  const int *cols;
  const float *values;
  int n;
};

struct HostCsr {
  std::vector<int> rows, cols;
  std::vector<float> values;
  HostCsr(int n, int least, int most, uint64_t seed) {
    Random r(seed);
    rows.push_back(0);
    for (int i = 0; i < n; i++) {
      int m = least + (int)r.below(most - least + 1);
      if (i % 97 == 0)
        m *= 6;
      for (int k = 0; k < m; k++) {
        cols.push_back((int)r.below(n));
        values.push_back((float)r.uniform(-1, 1));
      }
      rows.push_back((int)cols.size());
    }
  }
};

// ---- SpMV, CSR, a thread per row.
__global__ void spmv_thread(Csr m, const float *x, float *y, float alpha, float beta) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m.n)
    return;
  float sum = 0;
  for (int k = m.rows[row]; k < m.rows[row + 1]; k++)
    sum += m.values[k] * x[m.cols[k]];
  y[row] = alpha * sum + beta * y[row];
}

// ---- SpMV, CSR, a warp per row, with 64-bit indices.
__global__ void spmv_warp(Csr m, const float *__restrict__ x, float *__restrict__ y) {
  size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = thread / 32, lane = thread % 32;
  if (row >= m.n)
    return;
  float sum = 0;
  size_t end = m.rows[row + 1];
  for (size_t k = m.rows[row] + lane; k < end; k += 32)
    sum += m.values[k] * x[m.cols[k]];
  for (int mask = 16; mask; mask /= 2)
    sum += __shfl_xor_sync(~0u, sum, mask);
  if (lane == 0)
    y[row] = sum;
}

template <class F> void with_matrix(int n, int least, int most, F run) {
  HostCsr h(n, least, most, 61);
  Array<int> rows(h.rows.size(), [&](size_t i) { return h.rows[i]; });
  Array<int> cols(h.cols.size(), [&](size_t i) { return h.cols[i]; });
  Array<float> values(h.values.size(), [&](size_t i) { return h.values[i]; });
  Random r(62);
  Array<float> x(n, [&](size_t) { return (float)r.uniform(); }), y(n);
  run(Csr{rows, cols, values, n}, x, y);
  check(y);
}
BENCH(spmv_thread) {
  with_matrix(1 << 19, 8, 24, [](Csr m, Array<float> &x, Array<float> &y) {
    time_kernel([&] { spmv_thread<<<(m.n + 127) / 128, 128>>>(m, x, y, 1.25f, 0.5f); }, [&] { y.zero(); });
  });
}
BENCH(spmv_warp) {
  with_matrix(1 << 17, 40, 90, [](Csr m, Array<float> &x, Array<float> &y) {
    time_kernel([&] { spmv_warp<<<m.n / 4, 128>>>(m, x, y); });
  });
}

// ---- BFS: one level, masks as bytes, nodes as structs.
struct Node {
  int first, degree;
};

__global__ void bfs_step(const Node *nodes, const int *edges, bool *frontier, bool *next, bool *visited, int *cost,
                         int *more, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n && frontier[tid]) {
    frontier[tid] = false;
    for (int i = nodes[tid].first; i < nodes[tid].first + nodes[tid].degree; i++) {
      int id = edges[i];
      if (!visited[id]) {
        cost[id] = cost[tid] + 1;
        next[id] = true;
        *more = 1;
      }
    }
  }
}

BENCH(bfs_step) {
  int n = 1 << 22;
  Random r(63);
  int total = 0;
  Array<Node> nodes(n, [&](size_t) {
    Node v{total, 2 + (int)r.below(9)};
    total += v.degree;
    return v;
  });
  Array<int> edges(total, [&](size_t) { return (int)r.below(n); });
  Array<char> start(n, [&](size_t i) { return (char)(i % 5 == 0); });
  Array<char> frontier(n), next(n), visited(n, [&](size_t i) { return (char)(i % 3 == 0); });
  Array<int> cost(n), more(1);
  time_kernel(
      [&] {
        bfs_step<<<n / 256, 256>>>(nodes, edges, (bool *)frontier.d, (bool *)next.d, (bool *)visited.d, cost, more, n);
      },
      [&] {
        CU(cudaMemcpy(frontier, start, n, cudaMemcpyDeviceToDevice));
        next.zero();
      });
  check(next);
  check(more);
}

// ---- PageRank: one pull step, ranks divided by the out-degree, the difference summed.
__global__ void pagerank_step(const int *rows, const int *cols, const int *degree, const float *rank, float *next,
                              float *delta, int n, float damping) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  float change = 0;
  if (v < n) {
    float sum = 0;
    for (int e = rows[v]; e < rows[v + 1]; e++) {
      int u = cols[e];
      sum += rank[u] / degree[u];
    }
    float value = (1 - damping) / n + damping * sum;
    change = fabsf(value - rank[v]);
    next[v] = value;
  }
  for (int off = 16; off; off >>= 1)
    change += __shfl_down_sync(~0u, change, off);
  if (threadIdx.x % 32 == 0)
    atomicAdd(delta, change);
}

BENCH(pagerank_step) {
  int n = 1 << 19;
  HostCsr h(n, 4, 20, 64);
  Array<int> rows(h.rows.size(), [&](size_t i) { return h.rows[i]; });
  Array<int> cols(h.cols.size(), [&](size_t i) { return h.cols[i]; });
  Random r(65);
  Array<int> degree(n, [&](size_t) { return 1 + (int)r.below(30); });
  Array<float> rank(n, [&](size_t) { return (float)(r.uniform() / n); }), next(n), delta(1);
  time_kernel([&] { pagerank_step<<<n / 256, 256>>>(rows, cols, degree, rank, next, delta, n, 0.85f); },
              [&] { delta.zero(); });
  check(next);
  check(delta);
}

// ---- A hash table with open addressing: insert with atomicCAS on 64-bit keys, then look up.
struct Slot {
  unsigned long long key;
  unsigned long long value;
};

__device__ inline unsigned long long mix(unsigned long long k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdull;
  k ^= k >> 33;
  k *= 0xc4ceb9fe1a85ec53ull;
  return k ^ k >> 33;
}

__global__ void hash_insert(Slot *table, const unsigned long long *keys, const unsigned long long *values, size_t n,
                            size_t capacity) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long key = keys[i];
  size_t at = mix(key) % capacity;
  while (true) {
    unsigned long long old = atomicCAS(&table[at].key, ~0ull, key);
    if (old == ~0ull || old == key) {
      atomicAdd(&table[at].value, values[i]);
      return;
    }
    at = (at + 1) % capacity;
  }
}

__global__ void hash_lookup(const Slot *table, const unsigned long long *keys, unsigned long long *found, size_t n,
                            size_t capacity) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long key = keys[i];
  size_t at = mix(key) % capacity;
  unsigned long long result = ~0ull;
  for (size_t probes = 0; probes < capacity; probes++) {
    Slot s = table[at];
    if (s.key == key) {
      result = s.value;
      break;
    }
    if (s.key == ~0ull)
      break;
    if (++at == capacity)
      at = 0;
  }
  found[i] = result;
}

BENCH(hash_table) {
  size_t n = 1 << 22, capacity = 6400013;
  Random r(66);
  Array<unsigned long long> keys(n, [&](size_t) { return r.bits() % 3600000; });
  Array<unsigned long long> values(n, [&](size_t) { return r.bits() >> 40; }), found(n);
  Array<unsigned long long> asked(n, [&](size_t) { return r.bits() % 4000000; });
  Array<Slot> empty(capacity, [&](size_t) { return Slot{~0ull, 0}; }), table(capacity);
  time_kernel([&] { hash_insert<<<n / 256, 256>>>(table, keys, values, n, capacity); },
              [&] { CU(cudaMemcpy(table, empty, capacity * 16, cudaMemcpyDeviceToDevice)); });
  time_kernel([&] { hash_lookup<<<n / 256, 256>>>(table, asked, found, n, capacity); });
  check(found);
}
