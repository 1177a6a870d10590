#include "store/remote/program_name.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "store/files/descriptor.h"

namespace tenure::store {

namespace {

constexpr size_t kNameMost = 64;

}  // namespace

std::string ProgramName(pid_t process) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/comm", static_cast<int>(process));
  const Descriptor file(open(path, O_RDONLY | O_CLOEXEC));
  char name[kNameMost];
  const ssize_t got = file.get() < 0 ? 0 : read(file.get(), name, sizeof name);
  std::string_view text(name, static_cast<size_t>(std::max<ssize_t>(got, 0)));
  while (text.ends_with('\n')) text.remove_suffix(1);
  return ShownProgramName(text);
}

std::string ShownProgramName(std::string_view name) {
  std::string text(name.substr(0, kNameMost));
  for (char& sign : text) {
    if (sign < ' ' || sign > '~') sign = '?';
  }
  return text;
}

}  // namespace tenure::store
