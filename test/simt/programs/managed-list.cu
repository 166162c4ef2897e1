// A list in managed memory: the host links it, kernels walk and change it; advice and prefetching.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
struct Node {
  int value;
  Node *next;
};
__managed__ Node *head = nullptr;
__managed__ int sums[2];

__global__ void walk() {
  int sum = 0;
  for (Node *node = head; node; node = node->next) {
    sum += node->value;
    node->value *= 2;
  }
  sums[0] = sum;
}

__global__ void turnAround() {
  Node *turned = nullptr;
  while (head) {
    Node *next = head->next;
    head->next = turned;
    turned = head;
    head = next;
  }
  head = turned;
  sums[1] = head->value;
}

int main() {
  const int n = 20;
  Node *nodes = allocate<Node>(n);
  for (int i = 0; i < n; ++i)
    nodes[i] = {i + 1, i + 1 < n ? &nodes[i + 1] : nullptr};
  head = nodes;
  walk<<<1, 1>>>();
  turnAround<<<1, 1>>>();
  finishKernels();
  long wrong = (sums[0] != n * (n + 1) / 2) + (sums[1] != 2 * n) + (head != &nodes[n - 1]);
  int expected = n;
  for (Node *node = head; node; node = node->next)
    wrong += node->value != 2 * expected--;
  return report("managed-list", wrong + (expected != 0));
}
