import answer;
int fromKernel();
int main() { return answer() != fromKernel(); }
