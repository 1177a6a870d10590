// The C side of the library for tests (stdlib/test/RTTest.i3).

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "runtime/exceptions/exceptions.h"
#include "runtime/heap/text.h"
#include "runtime/reports/report.h"
#include "runtime/reports/stack_trace.h"
#include "runtime/start/runtime.h"

using namespace tenure::runtime;
using tenure::abi::ProcedureInfo;
using tenure::abi::Ref;

namespace {

namespace fs = std::filesystem;

// The modules of the library for tests.
constexpr std::string_view kTestModule = "Test";
constexpr std::string_view kMainModule = "TestMain";

std::string Copy(const char* characters, int64_t count) {
  return std::string(characters, static_cast<size_t>(count));
}

// Null behind the last.
const ProcedureInfo* ProcedureLike(const void* like, int64_t n) {
  const ProcedureInfo* pattern = Runtime::Get().types().ProcedureByCode(like);
  if (pattern == nullptr) return nullptr;
  const auto& program = Runtime::Get().program();
  for (uint32_t u = 0; u < program.unit_count; ++u) {
    const auto& unit = *program.units[u];
    for (uint32_t p = 0; p < unit.procedure_count; ++p) {
      if (unit.procedures[p].shape == pattern->shape && n-- == 0) return &unit.procedures[p];
    }
  }
  return nullptr;
}

std::string PlaceText(const StackFrame& frame) {
  return frame.file.empty() ? std::string() : frame.file + ":" + std::to_string(frame.line);
}

bool IsOfTests(const StackFrame& frame) {
  for (const std::string_view module : {kTestModule, kMainModule}) {
    if (frame.procedure.starts_with(std::string(module) + ".")) return true;
  }
  return false;
}

// The frames of the raise up to those of the library for tests.
std::string StackText(const ExceptionInFlight& exception) {
  std::string text;
  for (const StackFrame& frame : RememberedRaise(exception)) {
    if (IsOfTests(frame)) break;
    if (!text.empty()) text += "\n";
    text += FrameText(frame);
  }
  return text;
}

}  // namespace

extern "C" {

const void* tn_test_procedure(const void* like, int64_t n) {
  const ProcedureInfo* found = ProcedureLike(like, n);
  return found == nullptr ? nullptr : found->code;
}

Ref tn_test_procedure_name(const void* like, int64_t n) {
  const ProcedureInfo* found = ProcedureLike(like, n);
  return found == nullptr ? nullptr : NewText(found->name);
}

Ref tn_test_place() {
  constexpr size_t kMostFrames = 64;
  uintptr_t codes[kMostFrames];
  const size_t count = CaptureCallers(__builtin_frame_address(0), codes, kMostFrames);
  return NewText(PlaceText(DescribeFirst(codes, count, {kTestModule, kMainModule})));
}

void tn_test_remember_raises() { RememberRaises(); }

Ref tn_test_exception(const RaiseActivation* activation, int64_t which) {
  const auto* exception = reinterpret_cast<const ExceptionInFlight*>(
      reinterpret_cast<const char*>(activation) - offsetof(ExceptionInFlight, activation));
  std::string text;
  switch (which) {
    case 0: text = exception->descriptor->name; break;
    case 1: text = HeadlineOf(*exception); break;
    case 2:
      if (exception->place.code != nullptr) {
        StackFrame frame = DescribeCode(exception->place.code);
        // Exact, while a line table of optimised code may not be.
        if (activation->file != nullptr) frame.line = static_cast<int>(activation->line);
        text = PlaceText(frame);
      }
      if (text.empty() && activation->file != nullptr) {
        text = std::string(activation->file) + ":" + std::to_string(activation->line);
      }
      break;
    default: text = StackText(*exception); break;
  }
  return NewText(text);
}

int64_t tn_test_write(const char* path, int64_t path_length, const char* line, int64_t length) {
  const int file =
      open(Copy(path, path_length).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return -errno;
  int64_t result = 0;
  while (length > 0 && result == 0) {
    const ssize_t written = write(file, line, static_cast<size_t>(length));
    if (written < 0) {
      if (errno != EINTR) result = -errno;
      continue;
    }
    line += written;
    length -= written;
  }
  close(file);
  return result;
}

Ref tn_test_make_directory(const char* in, int64_t length) {
  std::string path = Copy(in, length) + "/test-XXXXXX";
  return mkdtemp(path.data()) == nullptr ? nullptr : NewText(path);
}

void tn_test_remove_directory(const char* path, int64_t length) {
  std::error_code ignored;
  fs::remove_all(Copy(path, length), ignored);
}

}  // extern "C"
