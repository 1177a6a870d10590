#include "compiler/debug/debugger.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern "C" const char tn_debug_script[], tn_debug_script_end[];

namespace tenure::compiler {

std::string DebuggerScript() {
  return std::string(tn_debug_script, static_cast<size_t>(tn_debug_script_end - tn_debug_script));
}

std::string StartDebugger(const std::string& program, const std::vector<std::string>& words,
                          const std::vector<std::string>& arguments) {
  // A file without a name, which gdb inherits: nothing is left behind.
  const int file = memfd_create("tenure_gdb.py", 0);
  if (file < 0) return std::string("cannot make a file for gdb: ") + std::strerror(errno);
  const std::string script = DebuggerScript();
  for (size_t at = 0; at < script.size();) {
    const ssize_t written = write(file, script.data() + at, script.size() - at);
    if (written < 0 && errno != EINTR) {
      return std::string("cannot make a file for gdb: ") + std::strerror(errno);
    }
    if (written > 0) at += static_cast<size_t>(written);
  }
  std::vector<std::string> line = {
      "gdb", "-q", "-iex",
      "python exec(open('/proc/self/fd/" + std::to_string(file) + "').read())"};
  line.insert(line.end(), words.begin(), words.end());
  line.insert(line.end(), {"--args", program});
  line.insert(line.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : line) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp("gdb", argv.data());
  if (errno == ENOENT) return "there is no gdb: install it (on Debian: the package gdb)";
  return std::string("cannot run gdb: ") + std::strerror(errno);
}

}  // namespace tenure::compiler
