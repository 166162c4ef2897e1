//===- hide-symbols.cpp - hides a version of a shared library's symbols from linkers ------------------------------===//
//
//   hide-symbols <library> <version>
//
// Exports.cmake explains the reason. This program makes the symbols of the version non-default versions of their names
// (foo@VERSION instead of foo@@VERSION), by setting the highest bit of their entries in the version section
// (.gnu.version). No linker can do so for symbols of archives. Changes the file in place; a second run changes nothing.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 3)
    return fprintf(stderr, "usage: hide-symbols <library> <version>\n"), 2;
  int file = open(argv[1], O_RDWR);
  struct stat status;
  if (file < 0 || fstat(file, &status))
    return perror(argv[1]), 1;
  void *memory = mmap(nullptr, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED)
    return perror(argv[1]), 1;
  auto *bytes = static_cast<char *>(memory);
  auto *header = reinterpret_cast<Elf64_Ehdr *>(bytes);
  auto *sections = reinterpret_cast<Elf64_Shdr *>(bytes + header->e_shoff);
  Elf64_Shdr *versions = nullptr, *definitions = nullptr;
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type == SHT_GNU_versym)
      versions = &sections[i];
    if (sections[i].sh_type == SHT_GNU_verdef)
      definitions = &sections[i];
  }
  unsigned number = 0;
  for (char *at = definitions ? bytes + definitions->sh_offset : nullptr; at;) {
    auto *definition = reinterpret_cast<Elf64_Verdef *>(at);
    auto *name = reinterpret_cast<Elf64_Verdaux *>(at + definition->vd_aux);
    if (!strcmp(bytes + sections[definitions->sh_link].sh_offset + name->vda_name, argv[2]))
      number = definition->vd_ndx;
    at = definition->vd_next ? at + definition->vd_next : nullptr;
  }
  if (!versions || !number)
    return fprintf(stderr, "%s: there is no version %s\n", argv[1], argv[2]), 1;
  constexpr Elf64_Half hidden = 0x8000;
  auto *entries = reinterpret_cast<Elf64_Half *>(bytes + versions->sh_offset);
  for (size_t i = 0; i < versions->sh_size / sizeof(Elf64_Half); ++i)
    if ((entries[i] & ~hidden) == number)
      entries[i] |= hidden;
  munmap(memory, status.st_size);
  return 0;
}
