#include "runtime/exceptions/exceptions.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "base/check.h"
#include "runtime/exceptions/known_exceptions.h"
#include "runtime/exceptions/quick_unwind.h"
#include "runtime/heap/stack_roots.h"
#include "runtime/heap/text.h"
#include "runtime/reports/dereferences.h"
#include "runtime/reports/report.h"
#include "runtime/threads/biased_sections.h"
#include "runtime/threads/mutator.h"
#include "runtime/threads/threads.h"
#include "runtime/traps/traps.h"

namespace tenure::runtime {
namespace {

// The text of ExplainNext; empty: none.
thread_local char next_detail[256] = "";

void Unlink(Mutator& mutator, ExceptionInFlight& exception) {
  for (ExceptionInFlight** link = &mutator.exceptions; *link != nullptr; link = &(*link)->next) {
    if (*link == &exception) {
      *link = exception.next;
      return;
    }
  }
}

// The thread's stack, also when this runs on the emergency stack.
uintptr_t StackPosition(const Mutator& mutator) {
  if (mutator.interrupted_stack != 0) return mutator.interrupted_stack;
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
}

bool IsOutOfMemory(const ExceptionInFlight& exception) {
  return exception.descriptor == known_exceptions::RuntimeError() &&
         static_cast<abi::RuntimeErrorCode>(exception.argument[0]) ==
             abi::RuntimeErrorCode::kOutOfMemory;
}

// The handler may drop the head of a long list, and will need the room that this takes.
void ClearDeadFrames(uintptr_t raised_stack) {
  constexpr size_t kCollectorsFrames = 32 << 10;  // below the raise
  constexpr size_t kMost = size_t{256} << 10;
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (raised_stack >= here) return;
  ClearDeadStack(std::min(here - raised_stack + kCollectorsFrames, kMost));
}

void FreeAbandoned(Mutator& mutator) {
  const uintptr_t position = StackPosition(mutator);
  ExceptionInFlight** link = &mutator.exceptions;
  while (*link != nullptr) {
    ExceptionInFlight* exception = *link;
    if (exception->landed_stack < position) {
      *link = exception->next;
      std::atomic_signal_fence(std::memory_order_release);
      std::free(exception);
    } else {
      link = &exception->next;
    }
  }
}

// libgcc calls this when another language has caught the exception and ends it.
void Cleanup(_Unwind_Reason_Code, _Unwind_Exception* unwind) {
  EndCatch(*ExceptionInFlight::Of(unwind));
}

}  // namespace

// A place where debuggers stop: `catch raise` of compiler/debug/tenure_gdb.py. Each raise calls it
// with the exception's descriptor.
extern "C" __attribute__((noinline, used)) void tn_debug_raise(
    const abi::ExceptionDescriptor* exception) {
  __asm__ volatile("" : : "r"(exception) : "memory");
}

namespace {

// Where the calling thread raised `exception`, its latest one.
struct Remembered {
  static constexpr size_t kMost = 48;
  const ExceptionInFlight* exception = nullptr;
  size_t count = 0;
  uintptr_t codes[kMost];
};
thread_local Remembered remembered;
std::atomic<bool> remember_raises = false;

void Remember(const Mutator& mutator, const ExceptionInFlight& exception) {
  remembered.exception = &exception;
  // A stack that has overflowed is not walked from the emergency stack.
  remembered.count =
      mutator.interrupted_stack != 0
          ? 0
          : CaptureCallers(__builtin_frame_address(0), remembered.codes, Remembered::kMost);
}

[[noreturn]] void ReportUnhandled(ExceptionInFlight& exception) {
  if (exception.blocked.exception != nullptr) {
    ReportBlockedException(*exception.blocked.exception, exception.detail,
                           exception.blocked.procedure, exception.place);
  }
  if (exception.descriptor == known_exceptions::RuntimeError()) {
    const auto code = static_cast<abi::RuntimeErrorCode>(exception.argument[0]);
    ReportRuntimeError(code, exception.detail, exception.place);
  }
  ReportUnhandledException(*exception.descriptor, exception.argument, exception.detail,
                           exception.place);
}

[[noreturn]] void RaiseNew(const abi::ExceptionDescriptor& descriptor, const void* argument,
                           size_t argument_bytes, const ErrorPlace& place, const char* detail,
                           const ExceptionInFlight::Blocked& blocked);

// Looks for a handler and resumes there.
[[noreturn]] void Search(Mutator& mutator, ExceptionInFlight& exception) {
  UnwindQuickly(mutator, exception);
  // Comes back only from the search phase: then nothing has been unwound.
  _Unwind_RaiseException(&exception.unwind);

  if (exception.blocked_by != nullptr) {
    const ExceptionInFlight::Blocked blocked = {exception.descriptor, exception.blocked_by};
    const ErrorPlace place = exception.place;
    char detail[512];
    CopyExceptionText(*blocked.exception, exception.argument, exception.detail, detail,
                      sizeof detail);
    Unlink(mutator, exception);
    std::free(&exception);
    const abi::ExceptionDescriptor* error = known_exceptions::RuntimeError();
    if (error == nullptr) {
      ReportBlockedException(*blocked.exception, detail, blocked.procedure, place);
    }
    const auto code = static_cast<uint8_t>(abi::RuntimeErrorCode::kBlockedException);
    RaiseNew(*error, &code, sizeof code, place, detail, blocked);
  }
  ReportUnhandled(exception);
}

[[noreturn]] void RaiseNew(const abi::ExceptionDescriptor& descriptor, const void* argument,
                           size_t argument_bytes, const ErrorPlace& place, const char* detail,
                           const ExceptionInFlight::Blocked& blocked) {
  RequireStackRoom(place.code);
  Mutator* mutator = &AttachedMutator();
  mutator->EndStores();
  EndBiasedSection(*mutator);
  FreeAbandoned(*mutator);

  if (detail == nullptr && next_detail[0] != '\0') detail = next_detail;
  const size_t detail_bytes = detail == nullptr ? 0 : std::strlen(detail) + 1;
  auto* exception = static_cast<ExceptionInFlight*>(
      std::calloc(1, sizeof(ExceptionInFlight) + descriptor.argument_bytes + detail_bytes));
  if (exception == nullptr) {
    ReportRuntimeError(abi::RuntimeErrorCode::kOutOfMemory, "no memory to raise an exception",
                       place);
  }
  exception->unwind.exception_class = kExceptionClass;
  exception->unwind.exception_cleanup = Cleanup;
  exception->descriptor = &descriptor;
  exception->place = place;
  if (detail != nullptr) {
    exception->detail = reinterpret_cast<char*>(exception->argument + descriptor.argument_bytes);
    std::memcpy(exception->detail, detail, detail_bytes);
  }
  next_detail[0] = '\0';
  exception->blocked = blocked;
  exception->landed_stack = UINTPTR_MAX;
  exception->raised_stack = StackPosition(*mutator);
  const size_t copied = std::min<size_t>(argument_bytes, descriptor.argument_bytes);
  if (copied > 0) std::memcpy(exception->argument, argument, copied);
  exception->activation = {&descriptor,
                           descriptor.argument_bytes > 0 ? exception->argument : nullptr,
                           place.file, place.line};
  exception->next = mutator->exceptions;
  // A collection may come between any two instructions and finds the list whole.
  std::atomic_signal_fence(std::memory_order_release);
  mutator->exceptions = exception;
  tn_debug_raise(&descriptor);
  if (remember_raises.load(std::memory_order_relaxed)) Remember(*mutator, *exception);

  Search(*mutator, *exception);
}

}  // namespace

void Raise(const abi::ExceptionDescriptor& descriptor, const void* argument, size_t argument_bytes,
           const ErrorPlace& place, const char* detail) {
  RaiseNew(descriptor, argument, argument_bytes, place, detail, {});
}

void ExplainNext(std::string_view words) {
  const size_t length = std::min(words.size(), sizeof next_detail - 1);
  if (length > 0) std::memcpy(next_detail, words.data(), length);
  next_detail[length] = '\0';
}

void Reraise(ExceptionInFlight& exception) {
  Mutator* mutator = Mutator::Current();
  TN_CHECK(mutator != nullptr);
  exception.landed_stack = UINTPTR_MAX;
  Search(*mutator, exception);
}

void RaiseWithText(const abi::ExceptionDescriptor& exception, const char* text,
                   const ErrorPlace& place) {
  abi::Ref argument = nullptr;
  if ((exception.flags & abi::kExceptionHasText) == 0) {
    Raise(exception, &argument, sizeof argument, place, text);
  }
  if (text != nullptr) argument = NewText(text);
  Raise(exception, &argument, sizeof argument, place);
}

std::string HeadlineOf(const ExceptionInFlight& exception) {
  if (exception.descriptor != known_exceptions::RuntimeError()) {
    return UnhandledExceptionText(*exception.descriptor, exception.argument, exception.detail);
  }
  if (exception.blocked.exception != nullptr) {
    return RuntimeErrorHeadline(abi::RuntimeErrorCode::kBlockedException,
                                BlockedExceptionText(*exception.blocked.exception, exception.detail,
                                                     exception.blocked.procedure)
                                    .c_str());
  }
  const auto code = static_cast<abi::RuntimeErrorCode>(exception.argument[0]);
  if (code == abi::RuntimeErrorCode::kBadMemoryReference && exception.detail != nullptr &&
      std::strcmp(exception.detail, kNilText) == 0) {
    const std::vector<StackFrame> frames = RememberedRaise(exception);
    if (!frames.empty()) {
      return RuntimeErrorHeadline(code, DescribeNil(exception.place.code, frames).text.c_str());
    }
  }
  return RuntimeErrorHeadline(code, exception.detail);
}

void RememberRaises() { remember_raises = true; }

std::vector<StackFrame> RememberedRaise(const ExceptionInFlight& exception) {
  if (remembered.exception != &exception) return {};
  std::vector<StackFrame> frames = DescribeProgramFrames(remembered.codes, remembered.count);
  // A trapped instruction is not a call: the address before it may belong to another line.
  const ErrorPlace& place = exception.place;
  if (!frames.empty() && place.file == nullptr && place.code != nullptr) {
    frames[0] = DescribeCode(place.code);
  }
  return frames;
}

void* BeginCatch(ExceptionInFlight& exception) {
  if (IsOutOfMemory(exception)) ClearDeadFrames(exception.raised_stack);
  return exception.argument;
}

void EndCatch(ExceptionInFlight& exception) {
  const bool out_of_memory = IsOutOfMemory(exception);
  const uintptr_t raised_stack = exception.raised_stack;
  if (Mutator* mutator = Mutator::Current()) Unlink(*mutator, exception);
  std::atomic_signal_fence(std::memory_order_release);
  std::free(&exception);
  // A handler that does not ask for the argument only ends the catch. Last, since the first call of
  // `free` leaves all registers on the stack.
  if (out_of_memory) ClearDeadFrames(raised_stack);
}

void FreeExceptions(Mutator& mutator) {
  while (mutator.exceptions != nullptr) {
    ExceptionInFlight* exception = mutator.exceptions;
    mutator.exceptions = exception->next;
    std::atomic_signal_fence(std::memory_order_release);
    std::free(exception);
  }
}

void ForEachArgument(const Mutator& mutator,
                     void (*visit)(void* context, const void* begin, const void* end),
                     void* context) {
  for (const ExceptionInFlight* e = mutator.exceptions; e != nullptr; e = e->next) {
    visit(context, e->argument, e->argument + e->descriptor->argument_bytes);
  }
}

}  // namespace tenure::runtime
