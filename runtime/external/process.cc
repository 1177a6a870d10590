// The C side of the library's process, arguments and environment.

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/standard_error.h"
#include "runtime/heap/text.h"
#include "runtime/reports/report.h"
#include "runtime/start/arguments.h"
#include "runtime/start/exit_actions.h"

using namespace tenure::runtime;
using tenure::abi::Ref;

namespace {

// Null when there is no such element; the library checks indexes before.
Ref Element(const std::vector<std::string>& list, int64_t index) {
  if (index < 0 || static_cast<size_t>(index) >= list.size()) return nullptr;
  return NewText(list[static_cast<size_t>(index)]);
}

}  // namespace

extern "C" {

void tn_exit(int64_t status) { ExitProcess(static_cast<int>(status)); }

void tn_output_is_lost(int64_t error) {
  FailAtTheEnd();
  if (error == EPIPE) return;  // the reader has closed the pipe
  tenure::WriteToStandardError(
      std::string("*** cannot write the standard output") +
      (error == 0 ? "" : std::string(": ") + std::strerror(static_cast<int>(error))) + "\n");
}

void tn_crash(const char* message, int64_t length) {
  ReportCrash({message, static_cast<size_t>(length)}, {nullptr, 0, __builtin_return_address(0)});
}

void tn_at_exit(void (*action)()) { RegisterExitAction(action); }

// C's atexit: what Modula-3 code registers runs however the program ends.
int32_t tn_unix_atexit(void (*action)()) {
  RegisterExitAction(action);
  return 0;
}

int64_t tn_process_id() { return getpid(); }

int64_t tn_argument_count() { return static_cast<int64_t>(ProcessArguments().program.size()); }

Ref tn_argument(int64_t index) { return Element(ProcessArguments().program, index); }

Ref tn_environment(const char* name, int64_t length) {
  const char* value = std::getenv(std::string(name, static_cast<size_t>(length)).c_str());
  return value == nullptr ? nullptr : NewText(value);
}

int64_t tn_environment_count() {
  int64_t count = 0;
  while (environ[count] != nullptr) ++count;
  return count;
}

Ref tn_environment_entry(int64_t index) {
  return index < 0 || index >= tn_environment_count() ? nullptr : NewText(environ[index]);
}

int64_t tn_parameter_count() { return static_cast<int64_t>(ProcessArguments().parameters.size()); }

Ref tn_parameter(int64_t index) { return Element(ProcessArguments().parameters, index); }

}  // extern "C"
