//===- TestProgram.h - creates programs of libtilecc for tests ------------------------------------------*- C++ -*-===//

#ifndef TILECC_TEST_TESTPROGRAM_H
#define TILECC_TEST_TESTPROGRAM_H

#include <initializer_list>
#include <string>
#include <tilecc/compiler.h>
#include <utility>
#include <vector>

inline const char addSource[] = R"(#include <tilecc/tt.h>
template <int BLOCK>
__tile_global__ void add(const float *x, const float *y, float *out, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  tt::store(out + i, tt::load(x + i, i < n) + tt::load(y + i, i < n), i < n);
}
__tile_global__ void twice(float *x, int n) {
  auto i = tt::program_id(0) * 64 + tt::arange<64>();
  tt::store(x + i, tt::load(x + i, i < n) * 2.0f, i < n);
}
)";

struct TestProgram {
  TestProgram(const std::string &source, std::initializer_list<const char *> names = {},
              const char *name = "test.tt.cpp", const std::vector<std::pair<std::string, std::string>> &headers = {}) {
    std::vector<const char *> texts, called;
    for (const auto &[header, text] : headers) {
      called.push_back(header.c_str());
      texts.push_back(text.c_str());
    }
    created = tilecc_program_create(&program, source.c_str(), name, int(texts.size()), texts.data(), called.data());
    for (const char *each : names)
      tilecc_program_add_name_expression(program, each);
  }
  ~TestProgram() { tilecc_program_destroy(&program); }

  tilecc_result compile(const std::vector<std::string> &options) {
    std::vector<const char *> words;
    for (const std::string &option : options)
      words.push_back(option.c_str());
    return tilecc_program_compile(program, int(words.size()), words.data());
  }
  std::string log() { return tilecc_program_log(program); }
  bool says(const std::string &text) { return log().find(text) != std::string::npos; }
  std::string get(tilecc_output output) {
    const void *data = nullptr;
    size_t bytes = 0;
    return tilecc_program_get(program, output, &data, &bytes) ? std::string("no output")
                                                              : std::string(static_cast<const char *>(data), bytes);
  }
  std::string symbol(const char *name) {
    const char *symbol = nullptr;
    return tilecc_program_lowered_name(program, name, &symbol) ? "" : symbol;
  }

  tilecc_program program = nullptr;
  tilecc_result created;
};

#endif // TILECC_TEST_TESTPROGRAM_H
