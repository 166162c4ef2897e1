#include <cstdio>
#include <vector>
extern "C" int answer();
int main() { std::printf("%d\n", int(std::vector<int>(answer()).size())); }
