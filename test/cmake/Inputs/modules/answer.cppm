export module answer;
export int answer() { return 42; }
