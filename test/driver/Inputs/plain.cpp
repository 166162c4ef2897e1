#include <cstdio>
#include <vector>
int answer();
int main() { std::printf("%d\n", int(std::vector<int>(answer()).size())); }
