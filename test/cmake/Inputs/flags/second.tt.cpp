// Compiled with TUNED='a b' and QUOTED="q".
constexpr char quoted[] = QUOTED;
static_assert(sizeof(quoted) == 2 && quoted[0] == 'q');
#define TEXT(...) #__VA_ARGS__
#define TEXT_OF(...) TEXT(__VA_ARGS__)
static_assert(TEXT_OF(TUNED)[1] == ' ' && C_OR_CXX);
