#include <cstdio>
int last();
int main() { std::printf("last: %d\n", last()); }
