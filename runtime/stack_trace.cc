#include "runtime/stack_trace.h"

#include <backtrace.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <mutex>
#include <string_view>

#include "runtime/safepoint.h"

namespace tenure::runtime {
namespace {

constexpr size_t kInnermost = 40;
constexpr size_t kOutermost = 10;

void IgnoreError(void*, const char*, int) {}

backtrace_state* State() {
  static backtrace_state* state =
      backtrace_create_state(nullptr, /*threaded=*/1, IgnoreError, nullptr);
  return state;
}

// Program counters from a given one outwards: all of the innermost, and a ring of the outermost.
class Collected {
 public:
  explicit Collected(uintptr_t from) : from_(from), started_(from == 0) {}

  void Add(uintptr_t code) {
    if (!started_ && code != from_ && code != from_ - 1) return;
    started_ = true;
    if (first_.size() < kInnermost) {
      first_.push_back(code);
    } else {
      ring_[rest_ % kOutermost] = code;
      ++rest_;
    }
  }

  bool started() const { return started_; }
  const std::vector<uintptr_t>& first() const { return first_; }
  size_t left_out() const { return rest_ > kOutermost ? rest_ - kOutermost : 0; }
  std::vector<uintptr_t> last() const {
    std::vector<uintptr_t> codes;
    for (size_t i = left_out(); i < rest_; ++i) codes.push_back(ring_[i % kOutermost]);
    return codes;
  }

 private:
  uintptr_t from_;
  bool started_;
  std::vector<uintptr_t> first_;
  uintptr_t ring_[kOutermost] = {};
  size_t rest_ = 0;
};

int CollectCode(void* data, uintptr_t code) {
  static_cast<Collected*>(data)->Add(code);
  return 0;
}

std::string RelativeToWorkingDirectory(const char* path) {
  if (std::string_view(path).starts_with("./")) return path + 2;
  char directory[4096];
  if (getcwd(directory, sizeof directory) != nullptr) {
    const std::string prefix = std::string(directory) + "/";
    if (std::string_view(path).starts_with(prefix)) return path + prefix.size();
  }
  return path;
}

int AddFrame(void* data, uintptr_t code, const char* file, int line, const char* function) {
  StackFrame frame;
  frame.code = code;
  if (function != nullptr) frame.procedure = ProcedureOfSymbol(function);
  if (file != nullptr) frame.file = RelativeToWorkingDirectory(file);
  frame.line = line;
  static_cast<std::vector<StackFrame>*>(data)->push_back(std::move(frame));
  return 0;
}

void SetSymbol(void* data, uintptr_t, const char* symbol, uintptr_t, uintptr_t) {
  if (symbol != nullptr) *static_cast<std::string*>(data) = ProcedureOfSymbol(symbol);
}

// Where the optimiser has moved an instruction, or made one of two, it has line 0: the line of the
// nearest instruction of the same procedure is near it for a programmer, too. Rather one before it,
// which computes what it needs; the next one may be the procedure's end.
int NearestLine(const StackFrame& frame) {
  constexpr intptr_t kFarthest = 256;
  for (const intptr_t direction : {-1, 1}) {
    for (intptr_t distance = 1; distance <= kFarthest; ++distance) {
      std::vector<StackFrame> there;
      backtrace_pcinfo(State(), frame.code + static_cast<uintptr_t>(direction * distance), AddFrame,
                       IgnoreError, &there);
      for (const StackFrame& other : there) {
        if (other.line != 0 && other.procedure == frame.procedure && other.file == frame.file) {
          return other.line;
        }
      }
    }
  }
  return 0;
}

// Inlined procedures give several frames for one address, the innermost first.
void Describe(uintptr_t code, std::vector<StackFrame>& frames) {
  const size_t before = frames.size();
  backtrace_pcinfo(State(), code, AddFrame, IgnoreError, &frames);
  if (frames.size() == before) frames.push_back({code, "", "", 0});
  for (size_t i = before; i < frames.size(); ++i) {
    if (frames[i].line == 0 && !frames[i].file.empty()) frames[i].line = NearestLine(frames[i]);
  }
  for (size_t i = before; i < frames.size(); ++i) {
    if (frames[i].procedure.empty()) {
      backtrace_syminfo(State(), code, SetSymbol, IgnoreError, &frames[i].procedure);
    }
  }
}

// Whether the code is the body of a TRY or LOCK, which has a frame of its own beside that of the
// procedure `name`. Its symbol ends in ".try1"; a procedure of that name has a symbol like its
// name.
bool IsProtectedBody(uintptr_t code, const std::string& name) {
  std::string symbol;
  backtrace_syminfo(State(), code, SetSymbol, IgnoreError, &symbol);
  const size_t digits = symbol.find_last_not_of("0123456789") + 1;
  return symbol != name && digits < symbol.size() &&
         std::string_view(symbol).substr(0, digits).ends_with(".try");
}

// The frames of one address after another. A programmer has one activation of a procedure where the
// machine has the body of a TRY and the procedure around it: it is where the body is.
void DescribeAll(const std::vector<uintptr_t>& codes, std::vector<StackFrame>& frames) {
  std::string owner;  // of the body that was the last frame
  for (const uintptr_t code : codes) {
    const auto before = static_cast<ptrdiff_t>(frames.size());
    Describe(code, frames);
    const std::string outermost = frames.back().procedure;
    const auto innermost = frames.begin() + before;
    if (!owner.empty() && innermost->procedure == owner) frames.erase(innermost);
    owner = IsProtectedBody(code, outermost) ? outermost : "";
  }
}

bool IsOurs(const StackFrame& frame) {
  const std::string& name = frame.procedure;
  // The unwinder's end of the stack.
  if (frame.code == 0 || frame.code == UINTPTR_MAX) return true;
  return name.starts_with("_ZN6tenure") || name.starts_with("_ZN12_GLOBAL__N_1") ||
         name.starts_with("tn_") || name.starts_with("_Unwind_") ||
         name.starts_with("__libc_start") || name == "main" || name == "_start";
}

// A loop of the C library over memory, such as a copy of an array runs. It may be known by its
// address alone.
bool IsMemoryLoop(const StackFrame& frame) {
  if (!frame.file.empty()) return frame.file.starts_with("../sysdeps/");
  return frame.procedure.empty() || frame.procedure.starts_with("__mem") ||
         frame.procedure.starts_with("mem");
}

}  // namespace

std::string ProcedureOfSymbol(const std::string& symbol) {
  std::string name = symbol;
  for (const std::string_view private_mark : {".m3.", ".i3."}) {
    const size_t at = name.find(private_mark);
    if (at != std::string::npos) name.erase(at, private_mark.size() - 1);
  }
  return name;
}

StackTrace CaptureStackTrace(const void* code) {
  // Our part of the walk is called back by the C library, which has the dynamic linker's lock then.
  const StopsHeld held;
  const uintptr_t from = reinterpret_cast<uintptr_t>(code);
  Collected collected(from);
  backtrace_simple(State(), 0, CollectCode, IgnoreError, &collected);
  if (!collected.started()) {
    // The given frame was not found: the whole stack is better than no trace.
    collected = Collected(0);
    backtrace_simple(State(), 0, CollectCode, IgnoreError, &collected);
  }

  StackTrace trace;
  DescribeAll(collected.first(), trace.frames);
  trace.frames_left_out = collected.left_out();
  trace.cut = trace.frames.size();
  DescribeAll(collected.last(), trace.frames);

  std::vector<StackFrame> kept;
  size_t cut = 0;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    if (i == trace.cut) cut = kept.size();
    if (!IsOurs(trace.frames[i])) kept.push_back(std::move(trace.frames[i]));
  }
  trace.cut = trace.cut >= trace.frames.size() ? kept.size() : cut;
  trace.frames = std::move(kept);
  // Where the program asked for it is what a programmer looks for.
  const auto innermost = std::find_if(trace.frames.begin(), trace.frames.end(),
                                      [](const StackFrame& f) { return !IsMemoryLoop(f); });
  if (innermost != trace.frames.end()) {
    trace.cut -= std::min(trace.cut, static_cast<size_t>(innermost - trace.frames.begin()));
    trace.frames.erase(trace.frames.begin(), innermost);
  }
  return trace;
}

size_t CaptureCode(uintptr_t* codes, size_t most) {
  const StopsHeld held;
  struct Taken {
    uintptr_t* codes;
    size_t most, count;
  } taken{codes, most, 0};
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& to = *static_cast<Taken*>(data);
        if (to.count == to.most) return _URC_NORMAL_STOP;
        // The call, not where it returns to.
        to.codes[to.count++] = _Unwind_GetIP(context) - 1;
        return _URC_NO_REASON;
      },
      &taken);
  return taken.count;
}

StackFrame DescribeFirst(const uintptr_t* codes, size_t count, std::string_view not_of_module) {
  const StopsHeld held;
  const std::string prefix = std::string(not_of_module) + ".";
  std::vector<StackFrame> frames;
  DescribeAll({codes, codes + count}, frames);
  for (StackFrame& frame : frames) {
    if (!IsOurs(frame) && !frame.procedure.starts_with(prefix)) return std::move(frame);
  }
  return {};
}

StackFrame DescribeCode(const void* code) {
  const StopsHeld held;
  std::vector<StackFrame> frames;
  Describe(reinterpret_cast<uintptr_t>(code), frames);
  return frames.front();
}

}  // namespace tenure::runtime
