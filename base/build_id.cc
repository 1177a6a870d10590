#include "base/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <span>

#include "base/hex.h"

namespace tenure {

namespace {

// Notes, and the names and contents in them, begin at multiples of four.
constexpr size_t Aligned(size_t size) { return (size + 3) & ~size_t{3}; }

std::string IdInNotes(const char* notes, size_t size) {
  constexpr char kOwner[] = "GNU";
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const size_t contents = sizeof note + Aligned(note.n_namesz);
    const size_t end = contents + Aligned(note.n_descsz);
    if (end > size) return {};
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof kOwner &&
        std::memcmp(notes + sizeof note, kOwner, sizeof kOwner) == 0) {
      return HexOf(std::as_bytes(std::span(notes + contents, note.n_descsz)));
    }
    notes += end;
    size -= end;
  }
  return {};
}

}  // namespace

std::string BuildId() {
  std::string id;
  // The first object is the program itself.
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* result) {
        for (size_t i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& part = info->dlpi_phdr[i];
          if (part.p_type != PT_NOTE) continue;
          const auto* notes = reinterpret_cast<const char*>(info->dlpi_addr + part.p_vaddr);
          auto* id = static_cast<std::string*>(result);
          *id = IdInNotes(notes, part.p_filesz);
          if (!id->empty()) break;
        }
        return 1;
      },
      &id);
  return id;
}

}  // namespace tenure
