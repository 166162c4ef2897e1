//===-- TuneOptions.cpp - tuning options from the environment --------------------------------------------------===//
//
// Used by Tune.cpp. Reports unknown words, once.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "TuneOptions.h"
#include "CacheFolder.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

static constinit TuneOptions options = {false, true, false, 20, "", "", ""};

template <size_t size> static void copyVariable(const char *name, char (&text)[size]) {
  const char *value = secure_getenv(name);
  if (value && strlen(value) >= size)
    fprintf(stderr, "tilecc: %s is too long; it is ignored\n", name);
  else if (value)
    strcpy(text, value);
}

// Parses one word of TILECC_TUNE. Returns false if it is unknown.
static bool read(const char *word) {
  if (!strcmp(word, "verbose"))
    return options.isVerbose = true;
  if (!strcmp(word, "off"))
    return !(options.measures = false);
  if (!strcmp(word, "fresh"))
    return options.isFresh = true;
  if (!strncmp(word, "wait=", 5)) {
    char *end;
    options.wait = strtod(word + 5, &end);
    return end != word + 5 && !*end && options.wait >= 0 && options.wait <= 1e6;
  }
  return false;
}

static void readEnvironment() {
  char words[4096] = "";
  copyVariable("TILECC_TUNE_TABLE", options.table);
  copyVariable("TILECC_TUNE_CHOICE", options.choices);
  copyVariable("TILECC_TUNE", words);
  for (char *word = words, *next; word && *word; word = next) {
    if (!strncmp(word, "record=", 7)) { // takes the rest of the text
      strcpy(options.record, word + 7);
      return;
    }
    next = strchr(word, ',');
    if (next)
      *next++ = 0;
    if (*word && !read(word))
      fprintf(stderr,
              "tilecc: TILECC_TUNE: '%s' is none of verbose, off, fresh, wait=SECONDS, record=FILE; it is ignored\n",
              word);
  }
}

const TuneOptions &tilecc::rt::tuneOptions() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, readEnvironment);
  return options;
}

bool tilecc::rt::forcedRow(const TuneOptions &options, const char *kernel, unsigned *row) {
  size_t length = strlen(kernel);
  for (const char *choice = options.choices; choice && *choice;) {
    const char *next = strchr(choice, ';');
    if (!strncmp(choice, kernel, length) && choice[length] == '=' && sscanf(choice + length + 1, "%u", row) == 1)
      return true;
    choice = next ? next + 1 : nullptr;
  }
  return false;
}

bool tilecc::rt::tuneCacheFolder(uint64_t code, char *path, size_t size) {
  char below[32];
  snprintf(below, sizeof(below), "tune/%016" PRIx64, code);
  return cacheFolder(below, path, size);
}
