#include "runtime/start/start.h"

#include <cxxabi.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "abi/object_header.h"
#include "base/check.h"
#include "base/exit_status.h"
#include "base/inherited_signals.h"
#include "base/process_fence.h"
#include "base/standard_descriptors.h"
#include "base/terminal_text.h"
#include "runtime/reports/gc_report.h"
#include "runtime/reports/heap_snapshot.h"
#include "runtime/reports/report.h"
#include "runtime/reports/stack_trace.h"
#include "runtime/sessions/persistence.h"
#include "runtime/start/arguments.h"
#include "runtime/start/coverage.h"
#include "runtime/start/exit_actions.h"
#include "runtime/start/options.h"
#include "runtime/start/runtime.h"
#include "runtime/traps/traps.h"
#include "stabilize/state/procedure_names.h"
#include "store/format/type_description.h"

namespace tenure::runtime {
namespace {

[[noreturn]] void Refuse(const char* program, const std::string& message, int status) {
  std::fprintf(stderr, "%s: %s\n", program, message.c_str());
  std::exit(status);
}

// A program that asks for flags of its own does so by RTParams.
bool HasFlagsOfItsOwn(const abi::ProgramInfo& program) {
  return std::any_of(
      program.units, program.units + program.unit_count,
      [](const abi::UnitInfo* unit) { return std::string_view(unit->name) == "RTParams"; });
}

Options TakeOptions(const abi::ProgramInfo& program, int argc, const char* const* argv,
                    const char* name) {
  const FlagRules rules = {.program_has_flags = HasFlagsOfItsOwn(program),
                           .allowed = getauxval(AT_SECURE) == 0};
  Arguments arguments;
  Options options;
  std::string error;
  if (!ParseArguments(argc, argv, std::getenv("TENURE_OPTIONS"), rules, arguments, options,
                      error)) {
    Refuse(name, error, kExitUsage);
  }
  if (options.help) {
    std::fputs(ForTerminal(STDOUT_FILENO, OptionsHelp()).c_str(), stdout);
    std::exit(std::fflush(stdout) == 0 ? 0 : kExitEnvironment);
  }
  SetProcessArguments(std::move(arguments));
  return options;
}

// The run time throws no C++ exceptions, but operator new of the C++ library throws one when a
// limit on memory is reached. Exceptions of the program's own C++ code are left to the default.
[[noreturn]] void EndUncaught() {
  const std::type_info* const type = __cxxabiv1::__cxa_current_exception_type();
  if (type != nullptr && std::strcmp(type->name(), "St9bad_alloc") == 0) {
    ReportAndEndAtOnce("out of memory: the system gives this process no more");
  }
  std::abort();
}

// The references and procedures that NEW stores in the fixed part of an object, or in an element:
// lines "default-text OFFSET ELEMENT-BYTES CHARACTERS" for text literals, the only possible default
// references; and "default-procedure OFFSET NAME", with the name as in a store. Their places in
// `bytes` become zero. `of`: behind "default-" in these lines.
void DescribeDefaultSlots(std::span<const abi::SlotRun> runs, const char* of,
                          const stabilize::ProcedureNames& procedures, uint8_t* bytes,
                          std::FILE* file) {
  for (const abi::SlotRun& run : runs) {
    for (uint32_t k = 0; k < run.count; ++k) {
      const uint64_t offset = run.offset + uint64_t{k} * run.stride;
      uint8_t* value = nullptr;
      std::memcpy(&value, bytes + offset, sizeof value);
      std::memset(bytes + offset, 0, sizeof(uint64_t));
      if (value == nullptr) continue;
      if (run.kind == abi::SlotKind::kProcedure) {
        const std::string* const name = procedures.NameOf(value);
        if (name != nullptr) {
          std::fprintf(file, "default-%sprocedure %" PRIu64 " %s\n", of, offset, name->c_str());
        }
      } else if (run.kind == abi::SlotKind::kReference) {
        const abi::TypeDescriptor& text = *abi::ObjectHeader::Of(value)->type();
        TN_CHECK((text.flags & abi::kTypeText) != 0);
        uint64_t length = 0;  // with the zero at the end
        std::memcpy(&length, value + text.payload_bytes, sizeof length);
        const uint8_t* const characters = value + text.payload_bytes + sizeof length;
        std::fprintf(file, "default-%stext %" PRIu64 " %u ", of, offset, text.element_bytes);
        for (uint64_t i = 0; i < (length - 1) * text.element_bytes; ++i) {
          std::fprintf(file, "%02x", characters[i]);
        }
        std::fputs("\n", file);
      }
    }
  }
}

// The program's answer to `tenure db`: a line with the version of the format; then for each type
// whose objects can be stored its description (store/format/type_description.h); for an open array
// the lines of DescribeDefaultSlots for an element, and a line "default-element" with the rest of
// one as NEW makes it, in base 16; and the same lines for the fixed part, the last of them
// "default".
bool DescribeTypes(const abi::ProgramInfo& program, const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return false;
  std::fputs("types 3\n", file);
  const stabilize::ProcedureNames procedures(&program);
  for (uint32_t i = 0; i < program.type_count; ++i) {
    const abi::TypeDescriptor* const type = program.types[i];
    constexpr uint32_t kNeverStored = abi::kTypeUntraced | abi::kTypeTransient;
    if (type == nullptr || type->typecode <= 1 || (type->flags & kNeverStored) != 0) continue;
    std::fputs(store::DescribeType(*type).c_str(), file);
    // An open array has one element.
    const uint64_t elements_at = type->payload_bytes + uint64_t{8} * type->open_dimensions;
    std::vector<uint64_t> payload((elements_at + type->element_bytes) / 8 + 2);
    auto* const bytes = reinterpret_cast<uint8_t*>(payload.data());
    const uint64_t one = 1;
    for (uint32_t k = 0; k < type->open_dimensions; ++k) {
      std::memcpy(bytes + type->payload_bytes + uint64_t{8} * k, &one, sizeof one);
    }
    if (type->initialize != nullptr) type->initialize(payload.data());
    if (type->open_dimensions != 0) {
      uint8_t* const element = bytes + elements_at;
      DescribeDefaultSlots({type->element_runs, type->element_run_count}, "element-", procedures,
                           element, file);
      std::fputs("default-element ", file);
      for (uint32_t k = 0; k < type->element_bytes; ++k) std::fprintf(file, "%02x", element[k]);
      std::fputs("\n", file);
    }
    DescribeDefaultSlots({type->slot_runs, type->slot_run_count}, "", procedures, bytes, file);
    std::fputs("default ", file);
    for (uint32_t k = 0; k < type->payload_bytes; ++k) std::fprintf(file, "%02x", bytes[k]);
    std::fputs("\n", file);
  }
  const bool good = std::ferror(file) == 0;
  return std::fclose(file) == 0 && good;
}

}  // namespace

void RunProgram(const abi::ProgramInfo& program, int argc, const char* const* argv) {
  OpenStandardDescriptors(ClosedOutput::kVanishes);
  ResetInheritedSignals();
  const char* name = argc > 0 ? argv[0] : program.program_name;
  const Options options = TakeOptions(program, argc, argv, name);

  if (!options.describe_types.empty()) {
    if (DescribeTypes(program, options.describe_types)) std::exit(0);
    Refuse(name, "cannot write " + options.describe_types, kExitEnvironment);
  }
  // The first call registers the process with the system. With several threads the registration
  // waits for all processors, which takes milliseconds, so the process registers while it has one.
  (void)CanFenceAllThreads();
  const Status created = Runtime::Create(program, options);
  if (!created.ok()) {
    Refuse(name, std::string("cannot start: ") + created.text(), kExitEnvironment);
  }
  InstallTrapHandlers();
  std::set_terminate(EndUncaught);
  // A limit on the size of files, or a pipe without a reader, is an error of the write, no signal.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // C code may end the program too. Its own atexit functions have run by then.
  on_exit([](int status, void*) { ExitProcess(status); }, nullptr);
  // Registered first, so it runs last.
  if (options.gc_statistics) RegisterExitAction(PrintHeapStatistics);
  const Status persistence = StartPersistence();
  if (!persistence.ok()) {
    Refuse(name, std::string("cannot start: ") + persistence.text(), kExitEnvironment);
  }
  // Registered after the action that closes the databases, so it runs before that.
  if (!options.heap_snapshot.empty()) RegisterExitAction(WriteHeapSnapshotAtExit);

  StartCoverage();
  PrepareForTraces();
  for (uint32_t u = 0; u < program.unit_count; ++u) {
    if (program.units[u]->initialize != nullptr) program.units[u]->initialize();
  }
  ExitProcess(0);
}

}  // namespace tenure::runtime
