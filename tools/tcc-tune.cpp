//===- tcc-tune.cpp - makes a table of tuned choices by running a program -----------------------------------------===//
//
//   tcc-tune [-o <table>] <program> [<argument>...]   runs the program, measures its launches, and saves the choices
//   tcc-tune --show <table>                           prints a table
//
// By default, the table is named after the program, with the suffix .tune, so that the program finds it. tcc
// --tune-table=<table> embeds a table in an object. New choices are added to an existing table, so several runs, with
// other sizes or on other devices, make one table. The runtime does the measuring (docs/tuning.md).
//
//===--------------------------------------------------------------------------------------------------------------===//
#include "TuneTable.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tilecc::rt;

static int usage() {
  fputs("usage: tcc-tune [-o <table>] <program> [<argument>...]\n"
        "       tcc-tune --show <table>\n",
        stderr);
  return 2;
}

// Each line has: hash, device, kernel, key, row, microseconds, name of the row.
static int show(const char *path) {
  TuneTable table;
  if (!readTuneTable(path, TuneFile::MustBe, &table))
    return 1;
  std::string lines(table.lines, table.size);
  freeTuneTable(table);
  for (size_t begin = 0, end; (end = lines.find('\n', begin)) != std::string::npos; begin = end + 1) {
    std::string field[7], line = lines.substr(begin, end - begin);
    for (std::string &text : field) {
      size_t tab = line.find('\t');
      text = line.substr(0, tab);
      line.erase(0, tab == std::string::npos ? tab : tab + 1);
    }
    printf("%s on %s: %s takes %s, %s us\n", field[2].c_str(), field[1].c_str(), field[3].c_str(), field[6].c_str(),
           field[5].c_str());
  }
  return 0;
}

static int run(char **command) {
  pid_t child = fork();
  if (child == 0) {
    execvp(command[0], command);
    fprintf(stderr, "tcc-tune: %s: %s\n", command[0], strerror(errno));
    _exit(127);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    fprintf(stderr, "tcc-tune: %s: %s\n", command[0], strerror(errno));
    return 1;
  }
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  fprintf(stderr, "tcc-tune: %s: %s\n", command[0], strsignal(WTERMSIG(status)));
  return 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
  char **command = argv + 1;
  std::string table;
  if (argc == 3 && !strcmp(argv[1], "--show"))
    return show(argv[2]);
  if (argc > 2 && !strcmp(argv[1], "-o")) {
    table = argv[2];
    command += 2;
  }
  if (!*command || **command == '-')
    return usage();
  if (table.empty()) {
    if (!strchr(*command, '/')) {
      fprintf(stderr, "tcc-tune: %s is searched in PATH: name the table with -o\n", *command);
      return 2;
    }
    table = std::string(*command) + ".tune";
  }
  char *folder = table[0] == '/' ? nullptr : realpath(".", nullptr); // the program may change its working folder
  if (folder)
    table = std::string(folder) + "/" + table;
  free(folder);
  const char *words = getenv("TILECC_TUNE");
  std::string options = std::string("fresh,") + (words && *words ? std::string(words) + "," : "") + "record=" + table;
  setenv("TILECC_TUNE", options.c_str(), 1);
  struct stat before = {}, after = {};
  stat(table.c_str(), &before);
  if (int result = run(command))
    return result;
  if (stat(table.c_str(), &after) ||
      (after.st_mtim.tv_sec == before.st_mtim.tv_sec && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec)) {
    fprintf(stderr, "tcc-tune: %s has launched no tuned kernel\n", *command);
    return 1;
  }
  return show(table.c_str());
}
