#include "runtime/reports/stack_trace.h"

#include <backtrace.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <string_view>

#include "base/mutex.h"
#include "runtime/threads/safepoint.h"

namespace tenure::runtime {
namespace {

constexpr size_t kInnermost = 40;
constexpr size_t kOutermost = 10;

void IgnoreError(void*, const char*, int) {}

// Descriptors that are kept free for the lookup: it opens the program's file and those of its
// libraries, one at a time, and perhaps one with debugging information beside it.
constexpr int kSpare = 2;
int spare[kSpare] = {-1, -1};

backtrace_state* NewState() {
  backtrace_state* const state =
      backtrace_create_state(nullptr, /*threaded=*/1, IgnoreError, nullptr);
  for (int& descriptor : spare) {
    // The program may have closed all descriptors, and opened others.
    struct stat info;
    const bool is_ours = descriptor >= 0 && fstat(descriptor, &info) == 0 &&
                         S_ISCHR(info.st_mode) && info.st_rdev == makedev(1, 3);  // /dev/null
    if (is_ours) close(descriptor);
    descriptor = -1;
  }
  // The first question reads the files, which stay in memory; after a failure it never tries again.
  const auto no_frame = [](void*, uintptr_t, const char*, int, const char*) { return 0; };
  backtrace_pcinfo(state, reinterpret_cast<uintptr_t>(&NewState), no_frame, IgnoreError, nullptr);
  return state;
}

backtrace_state* State() {
  static backtrace_state* const state = NewState();
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

int AddFrame(void* data, uintptr_t code, const char* file, int line, const char* function) {
  StackFrame frame;
  frame.code = code;
  if (function != nullptr) frame.procedure = ProcedureOfSymbol(function);
  if (file != nullptr) frame.file = PathForPeople(file);
  frame.line = line;
  static_cast<std::vector<StackFrame>*>(data)->push_back(std::move(frame));
  return 0;
}

void SetSymbol(void* data, uintptr_t, const char* symbol, uintptr_t, uintptr_t) {
  if (symbol != nullptr) *static_cast<std::string*>(data) = ProcedureOfSymbol(symbol);
}

// An instruction that the optimiser has moved or merged has line 0. The line of the nearest
// instruction of the same procedure is near it for a programmer, too: best one before it, which
// computes its operands; the next one may be the procedure's end.
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

// Removes the frames that started the thread: those behind the program's outermost procedure. A C
// library without debugging symbols does not name its own.
void RemoveStart(std::vector<StackFrame>& frames) {
  const auto last = std::find_if(frames.rbegin(), frames.rend(), [](const StackFrame& frame) {
    return !IsOurs(frame) && !(frame.procedure.empty() && frame.file.empty());
  });
  if (last != frames.rend()) frames.erase(last.base(), frames.end());
}

// A loop of the C library over memory, such as a copy of an array runs. It may be known by its
// address alone.
bool IsMemoryLoop(const StackFrame& frame) {
  if (!frame.file.empty()) return frame.file.starts_with("../sysdeps/");
  return frame.procedure.empty() || frame.procedure.starts_with("__mem") ||
         frame.procedure.starts_with("mem");
}

}  // namespace

std::string PathForPeople(const char* path) {
  if (std::string_view(path).starts_with("./")) return path + 2;
  char directory[4096];
  if (getcwd(directory, sizeof directory) != nullptr) {
    const std::string prefix = std::string(directory) + "/";
    if (std::string_view(path).starts_with(prefix)) return path + prefix.size();
  }
  return path;
}

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
  RemoveStart(trace.frames);

  std::vector<StackFrame> kept;
  size_t cut = 0;
  for (size_t i = 0; i < trace.frames.size(); ++i) {
    if (i == trace.cut) cut = kept.size();
    if (!IsOurs(trace.frames[i])) kept.push_back(std::move(trace.frames[i]));
  }
  trace.cut = trace.cut >= trace.frames.size() ? kept.size() : cut;
  trace.frames = std::move(kept);
  // A programmer looks for the place where the program asked for it.
  const auto innermost = std::find_if(trace.frames.begin(), trace.frames.end(),
                                      [](const StackFrame& f) { return !IsMemoryLoop(f); });
  if (innermost != trace.frames.end()) {
    trace.cut -= std::min(trace.cut, static_cast<size_t>(innermost - trace.frames.begin()));
    trace.frames.erase(trace.frames.begin(), innermost);
  }
  return trace;
}

namespace {

// Remembers for a return address how far behind it on the stack the next one lies. The same call
// has the same distance, except in a procedure whose frame has a size that varies. An address that
// was never seen is not believed, so that the stack of such a procedure is walked.
class KnownCalls {
 public:
  // 0: unknown, or not constant. kEnd: no frame is behind it.
  uintptr_t DistanceBehind(uintptr_t return_address) const {
    for (const Call& call : sets_[SetOf(return_address)].calls) {
      if (call.return_address.load(std::memory_order_acquire) != return_address) continue;
      // The distance is written last, and zeroed before the address changes.
      const uintptr_t distance = call.distance.load(std::memory_order_acquire);
      if (call.return_address.load(std::memory_order_acquire) != return_address) return 0;
      return call.distance.load(std::memory_order_acquire) == distance ? distance : 0;
    }
    return 0;
  }
  void Learn(uintptr_t return_address, uintptr_t distance) {
    const MutexLock lock(mutex_);
    Set& set = sets_[SetOf(return_address)];
    for (Call& call : set.calls) {
      if (call.return_address.load() != return_address) continue;
      if (call.distance.load() != distance) call.distance.store(0);
      return;
    }
    Call& call = set.calls[set.next++ % kCallsOfSet];
    call.distance.store(0);
    call.return_address.store(return_address);
    call.distance.store(distance);
  }

  static constexpr uintptr_t kEnd = 1;

 private:
  // The calls of one stack must not take each other's places, or each capture would walk.
  static constexpr size_t kSets = 64, kCallsOfSet = 8;  // SetOf takes six bits
  struct Call {
    std::atomic<uintptr_t> return_address{0}, distance{0};
  };
  struct Set {
    Call calls[kCallsOfSet];
    size_t next = 0;  // to be replaced; with the mutex
  };

  static size_t SetOf(uintptr_t address) { return (address * 0x9e3779b97f4a7c15) >> 58; }

  Mutex mutex_;
  Set sets_[kSets] TN_GUARDED_BY(mutex_);
};

KnownCalls known_calls;

// The procedure of the frame keeps the frame pointer of its caller and the return address here.
uintptr_t EndOfFrame(const void* frame_address) {
  return reinterpret_cast<uintptr_t>(frame_address) + 2 * sizeof(uintptr_t);
}

uintptr_t ReturnAddressBelow(uintptr_t end) { return reinterpret_cast<const uintptr_t*>(end)[-1]; }

}  // namespace

size_t CaptureCallers(const void* frame_address, uintptr_t* codes, size_t most) {
  const StopsHeld held;
  size_t count = 0;
  uintptr_t end = EndOfFrame(frame_address);
  while (count < most) {
    const uintptr_t return_address = ReturnAddressBelow(end);
    const uintptr_t distance = known_calls.DistanceBehind(return_address);
    if (distance == 0) break;
    codes[count++] = return_address - 1;
    if (distance == KnownCalls::kEnd) return count;
    end += distance;
  }
  if (count == most) return count;

  struct Walk {
    uintptr_t from;
    uintptr_t* codes;
    size_t most, count;
    uintptr_t last, last_end;
  } walk{EndOfFrame(frame_address), codes, most, 0, 0, 0};
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& to = *static_cast<Walk*>(data);
        const uintptr_t code = _Unwind_GetIP(context), end = _Unwind_GetCFA(context);
        if (end < to.from) return _URC_NO_REASON;
        if (code == 0) return _URC_NORMAL_STOP;  // behind the outermost frame
        if (to.last != 0) known_calls.Learn(to.last, end - to.last_end);
        if (to.count == to.most) return _URC_NORMAL_STOP;
        to.codes[to.count++] = code - 1;
        to.last = code;
        to.last_end = end;
        return _URC_NO_REASON;
      },
      &walk);
  if (walk.count < most && walk.last != 0) known_calls.Learn(walk.last, KnownCalls::kEnd);
  return walk.count;
}

StackFrame DescribeFirst(const uintptr_t* codes, size_t count,
                         std::initializer_list<std::string_view> not_of_modules) {
  const StopsHeld held;
  std::vector<StackFrame> frames;
  DescribeAll({codes, codes + count}, frames);
  for (StackFrame& frame : frames) {
    const bool left_out =
        std::any_of(not_of_modules.begin(), not_of_modules.end(), [&](std::string_view module) {
          return frame.procedure.starts_with(std::string(module) + ".");
        });
    if (!IsOurs(frame) && !left_out) return std::move(frame);
  }
  return {};
}

std::vector<StackFrame> DescribeProgramFrames(const uintptr_t* codes, size_t count) {
  const StopsHeld held;
  std::vector<StackFrame> frames;
  DescribeAll({codes, codes + count}, frames);
  RemoveStart(frames);
  std::erase_if(frames, IsOurs);
  return frames;
}

StackFrame DescribeCode(const void* code) {
  const StopsHeld held;
  std::vector<StackFrame> frames;
  Describe(reinterpret_cast<uintptr_t>(code), frames);
  return frames.front();
}

StackFrame DescribeProcedure(const void* code) {
  const StopsHeld held;
  std::vector<StackFrame> frames;
  Describe(reinterpret_cast<uintptr_t>(code), frames);
  return frames.back();
}

void PrepareForTraces() {
  // Out of the way of the numbers that programs expect for what they open first.
  constexpr rlim_t kHighest = 1024;
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t end = std::min(limit.rlim_cur, kHighest);
  if (end < 2 * kSpare) return;
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0) return;
  for (int& descriptor : spare) {
    descriptor = fcntl(null, F_DUPFD_CLOEXEC, static_cast<int>(end) - kSpare);
  }
  close(null);
}

}  // namespace tenure::runtime
