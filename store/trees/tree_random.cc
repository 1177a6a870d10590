#include "store/trees/tree_random.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace tenure::store {
namespace {

// The addresses of Berkeley DB's code.
struct Code {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

// The code segment around `function`.
Code CodeAround(uintptr_t function) {
  struct Search {
    uintptr_t function;
    Code found;
  } search = {function, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* context) {
        auto& search = *static_cast<Search*>(context);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
          const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (search.function - begin >= segment.p_memsz) continue;
          search.found = {begin, begin + segment.p_memsz};
          return 1;
        }
        return 0;
      },
      &search);
  return search.found;
}

// The address of a function of Berkeley DB, in its library: that of its symbol may be an entry of
// the program's own linkage table.
bool IsOfBerkeleyDb(const void* caller) {
  static const Code code = [] {
    void* const function = dlsym(RTLD_DEFAULT, "db_env_create");
    return function == nullptr ? Code() : CodeAround(reinterpret_cast<uintptr_t>(function));
  }();
  const auto address = reinterpret_cast<uintptr_t>(caller);
  return address >= code.begin && address < code.end;
}

// Random numbers for Berkeley DB, which makes the ids of files from them: ids must never repeat.
long OwnRandom() {
  uint32_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number) {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    number = static_cast<uint32_t>(now.tv_nsec) * 2654435761u;
  }
  return number >> 1;
}

// The C library's own; null in a program that is linked with --static, which has one of each name.
template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

void LinkTreeRandom() {}

}  // namespace tenure::store

extern "C" {

void srand(unsigned seed) noexcept {
  static auto* const next = tenure::store::Next<void(unsigned)>("srand");
  if (tenure::store::IsOfBerkeleyDb(__builtin_return_address(0))) return;
  // The C library's srand and rand are srandom and random.
  next != nullptr ? next(seed) : srandom(seed);
}

int rand() noexcept {
  static auto* const next = tenure::store::Next<int()>("rand");
  if (tenure::store::IsOfBerkeleyDb(__builtin_return_address(0)))
    return static_cast<int>(tenure::store::OwnRandom());
  return next != nullptr ? next() : static_cast<int>(random());
}

// Berkeley DB calls srand and rand in this function. In a program linked with --static this
// definition replaces Berkeley DB's; its calls could not be told from those of the program
// otherwise.
void __os_unique_id(void* /*environment*/, uint32_t* id) {
  *id = static_cast<uint32_t>(tenure::store::OwnRandom());
}

}  // extern "C"
