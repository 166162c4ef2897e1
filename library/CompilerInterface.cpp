//===- CompilerInterface.cpp - the C interface of libtilecc ------------------------------------------------------===//
//
// Implements <tilecc/compiler.h>. Each call belongs to one program, and programs share only the cache's folder.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/TileIR.h"
#include "library/Build.h"
#include "library/Cache.h"
#include "library/Installation.h"
#include "library/Isolation.h"
#include "library/include/tilecc/compiler.h"
#include "llvm/ADT/STLExtras.h"
#include <new>

using namespace llvm;
using namespace tilecc;

struct tilecc_program_st {
  ProgramSource source;
  BuildResult result;
  std::string notes; ///< about the cache
  std::string log;
  bool isCompiled = false, wasCached = false;

  tilecc_result fail(tilecc_result code, std::string message) {
    log = std::move(message);
    return code;
  }
};

const char *tilecc_result_name(tilecc_result result) {
  switch (result) {
#define NAME(result)                                                                                                   \
  case result: return #result
    NAME(TILECC_SUCCESS);
    NAME(TILECC_ERROR_OUT_OF_MEMORY);
    NAME(TILECC_ERROR_INVALID_INPUT);
    NAME(TILECC_ERROR_INVALID_PROGRAM);
    NAME(TILECC_ERROR_INVALID_OPTION);
    NAME(TILECC_ERROR_COMPILATION);
    NAME(TILECC_ERROR_NOT_COMPILED);
    NAME(TILECC_ERROR_NAME_EXPRESSION_NOT_VALID);
    NAME(TILECC_ERROR_INTERNAL);
    NAME(TILECC_ERROR_NOT_JOINABLE);
#undef NAME
  }
  return "TILECC_ERROR_UNKNOWN";
}

const char *tilecc_version() { return TILECC_VERSION; }
const char *tilecc_build_id() { return buildId().c_str(); }

/// Returns true if the name of a header in memory may become part of a path: it is relative and contains no "..".
static bool isName(StringRef name) { return !name.empty() && !name.starts_with("/") && !name.contains(".."); }

tilecc_result tilecc_program_create(tilecc_program *program, const char *source, const char *name, int header_count,
                                    const char *const *headers, const char *const *include_names) {
  if (!program)
    return TILECC_ERROR_INVALID_INPUT;
  *program = nullptr;
  if (!source || header_count < 0 || (header_count && (!headers || !include_names)))
    return TILECC_ERROR_INVALID_INPUT;
  std::string file = name && *name ? name : "program.tt.cpp";
  if (!isName(file))
    return TILECC_ERROR_INVALID_INPUT;
  auto *created = new (std::nothrow) tilecc_program_st;
  if (!created)
    return TILECC_ERROR_OUT_OF_MEMORY;
  created->source.name = std::move(file);
  created->source.text = source;
  for (int i = 0; i < header_count; ++i) {
    if (!headers[i] || !include_names[i] || !isName(include_names[i]) || created->source.name == include_names[i]) {
      delete created;
      return TILECC_ERROR_INVALID_INPUT;
    }
    created->source.headers[include_names[i]] = headers[i];
  }
  *program = created;
  return TILECC_SUCCESS;
}

tilecc_result tilecc_program_create_tileir(tilecc_program *program, const void *bytecode, size_t bytes,
                                           const char *name) {
  if (!program)
    return TILECC_ERROR_INVALID_INPUT;
  *program = nullptr;
  StringRef text(static_cast<const char *>(bytecode), bytecode ? bytes : 0);
  if (!isTileIR(text))
    return TILECC_ERROR_INVALID_INPUT;
  auto *created = new (std::nothrow) tilecc_program_st;
  if (!created)
    return TILECC_ERROR_OUT_OF_MEMORY;
  created->source.name = name && *name ? name : "program.tilebc";
  created->source.text = text.str();
  *program = created;
  return TILECC_SUCCESS;
}

tilecc_result tilecc_program_create_joined(tilecc_program *program, const char *name,
                                           const tilecc_chain_launch *launches, unsigned launch_count,
                                           const tilecc_chain_argument *arguments, unsigned argument_count,
                                           const unsigned grid[3]) {
  if (!program)
    return TILECC_ERROR_INVALID_INPUT;
  *program = nullptr;
  if (!name || !*name || !launches || !launch_count || (argument_count && !arguments) || !grid)
    return TILECC_ERROR_INVALID_INPUT;
  Chain chain;
  chain.name = name;
  for (const tilecc_chain_launch &launch : ArrayRef(launches, launch_count)) {
    if (!launch.ttir || (launch.argument_count && !launch.arguments))
      return TILECC_ERROR_INVALID_INPUT;
    chain.launches.push_back(
        {std::string(launch.ttir, launch.ttir_bytes), {launch.arguments, launch.arguments + launch.argument_count}});
  }
  for (const tilecc_chain_argument &argument : ArrayRef(arguments, argument_count))
    chain.arguments.push_back({argument.block, argument.is_temporary != 0});
  std::copy(grid, grid + 3, chain.grid.begin());
  auto *created = new (std::nothrow) tilecc_program_st;
  if (!created)
    return TILECC_ERROR_OUT_OF_MEMORY;
  created->source.name = name;
  created->source.chain = std::move(chain);
  *program = created;
  return TILECC_SUCCESS;
}

tilecc_result tilecc_program_destroy(tilecc_program *program) {
  if (!program)
    return TILECC_ERROR_INVALID_PROGRAM;
  delete *program;
  *program = nullptr;
  return TILECC_SUCCESS;
}

tilecc_result tilecc_program_add_name_expression(tilecc_program program, const char *name) {
  if (!program)
    return TILECC_ERROR_INVALID_PROGRAM;
  if (program->isCompiled || !name || !*name || program->source.chain)
    return program->fail(TILECC_ERROR_INVALID_INPUT, program->isCompiled ? "the program has been compiled already\n"
                                                                         : "a name expression is empty\n");
  if (!is_contained(program->source.nameExpressions, name))
    program->source.nameExpressions.push_back(name);
  return TILECC_SUCCESS;
}

tilecc_result tilecc_program_compile(tilecc_program program, int option_count, const char *const *words) {
  if (!program)
    return TILECC_ERROR_INVALID_PROGRAM;
  if (program->isCompiled || option_count < 0 || (option_count && !words))
    return program->fail(TILECC_ERROR_INVALID_INPUT, "a program can be compiled only once\n");
  std::vector<std::string> copies(words, words + option_count);
  Expected<ProgramOptions> options = parseOptions(copies);
  if (!options)
    return program->fail(TILECC_ERROR_INVALID_OPTION, toString(options.takeError()) + "\n");
  program->isCompiled = true;

  std::optional<Cache> cache;
  std::string key;
  if (options->usesCache) {
    cache.emplace(options->cacheDir);
    llvm::erase_if(copies, [](StringRef word) { return word.ltrim('-').starts_with("cache"); });
    key = keyOf(program->source, copies);
    if (std::optional<BuildResult> found = cache->find(key, program->notes)) {
      program->result = std::move(*found);
      program->wasCached = true;
      program->log = program->notes + program->result.log;
      return TILECC_SUCCESS;
    }
  }

  std::string reason;
  if (!runIsolated([&] { program->result = build(program->source, *options); }, reason))
    return program->fail(TILECC_ERROR_INTERNAL,
                         "internal error: " + reason + "\nthis is a bug in tcc, not in your code\n");
  if (cache && program->result.status == BuildStatus::Success)
    cache->add(key, program->result, program->notes);
  program->log = program->notes + program->result.log;
  switch (program->result.status) {
  case BuildStatus::Success: return TILECC_SUCCESS;
  case BuildStatus::NotJoinable: return TILECC_ERROR_NOT_JOINABLE;
  case BuildStatus::BadNameExpression: return TILECC_ERROR_NAME_EXPRESSION_NOT_VALID;
  case BuildStatus::Mistake: return TILECC_ERROR_COMPILATION;
  }
  return TILECC_ERROR_INTERNAL;
}

const char *tilecc_program_log(tilecc_program program) { return program ? program->log.c_str() : ""; }

tilecc_result tilecc_program_get(tilecc_program program, tilecc_output output, const void **data, size_t *bytes) {
  if (!program)
    return TILECC_ERROR_INVALID_PROGRAM;
  if (!data || !bytes)
    return TILECC_ERROR_INVALID_INPUT;
  BuildResult &result = program->result;
  if (!program->isCompiled || result.status != BuildStatus::Success)
    return program->fail(TILECC_ERROR_NOT_COMPILED, "the program has not been compiled\n");
  const std::string *text = nullptr;
  switch (output) {
  case TILECC_PTX: text = &result.ptx; break;
  case TILECC_CUBIN: text = &result.cubin; break;
  case TILECC_OBJECT: text = &result.object; break;
  case TILECC_LIBRARY: text = &result.library; break;
  case TILECC_TTIR: text = &result.ttir; break;
  }
  if (!text)
    return program->fail(TILECC_ERROR_INVALID_INPUT, "there is no such output\n");
  *data = text->data();
  *bytes = text->size();
  return TILECC_SUCCESS;
}

tilecc_result tilecc_program_lowered_name(tilecc_program program, const char *name, const char **symbol) {
  if (!program)
    return TILECC_ERROR_INVALID_PROGRAM;
  if (!name || !symbol)
    return TILECC_ERROR_INVALID_INPUT;
  auto found = llvm::find(program->source.nameExpressions, name);
  if (found == program->source.nameExpressions.end())
    return program->fail(TILECC_ERROR_NAME_EXPRESSION_NOT_VALID, "'" + std::string(name) + "' was not requested\n");
  size_t index = found - program->source.nameExpressions.begin();
  if (index >= program->result.symbols.size())
    return program->fail(TILECC_ERROR_NOT_COMPILED, "the program has not been compiled\n");
  *symbol = program->result.symbols[index].c_str();
  return TILECC_SUCCESS;
}

int tilecc_program_was_cached(tilecc_program program) { return program && program->wasCached; }
