// The C side of the library's run-time interfaces: collector, types, run-time errors.

#include "runtime/start/runtime.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include "runtime/exceptions/exceptions.h"
#include "runtime/exceptions/runtime_errors.h"
#include "runtime/heap/other_collector.h"
#include "runtime/heap/stack_roots.h"
#include "runtime/heap/text.h"
#include "runtime/reports/report.h"
#include "runtime/start/exit_actions.h"

using namespace tenure::runtime;
using tenure::abi::Ref;
using tenure::abi::RuntimeErrorCode;

extern "C" {

void tn_gc_collect() {
  // The caller expects that objects it has dropped are collected.
  ClearDeadStack();
  if (OtherCollector* other = LinkedCollector()) return other->Collect();
  Runtime::Get().heap().CollectMajor();
}

void tn_gc_collect_young() {
  if (OtherCollector* other = LinkedCollector()) return other->Collect();
  Runtime::Get().heap().CollectMinor();
}

void tn_gc_disable() {
  if (OtherCollector* other = LinkedCollector()) return other->DisableCollections();
  Runtime::Get().heap().DisableCollections();
}

void tn_gc_enable() {
  if (OtherCollector* other = LinkedCollector()) return other->EnableCollections();
  Runtime::Get().heap().EnableCollections();
}

int64_t tn_gc_statistic(int64_t which) {
  OtherCollector* other = LinkedCollector();
  const tenure::gc::HeapStats stats =
      other != nullptr ? other->stats() : Runtime::Get().heap().stats();
  switch (which) {
    case 0: return static_cast<int64_t>(stats.minor_collections);
    case 1: return static_cast<int64_t>(stats.major_collections);
    case 2: return static_cast<int64_t>(stats.old_bytes);
    case 3: return static_cast<int64_t>(stats.heap_bytes);
    case 4: return static_cast<int64_t>(stats.bytes_allocated);
    case 5: return static_cast<int64_t>(stats.pause_processor_us_total);
    default: return 0;
  }
}

Ref tn_runtime_error_name(int64_t code) {
  return NewText(RuntimeErrorName(static_cast<RuntimeErrorCode>(code)));
}

Ref tn_runtime_error_text(int64_t code) {
  return NewText(RuntimeErrorText(static_cast<RuntimeErrorCode>(code)));
}

void tn_raise_runtime_error(int64_t code) {
  RaiseRuntimeError(static_cast<RuntimeErrorCode>(code), nullptr,
                    {nullptr, 0, __builtin_return_address(0)});
}

void tn_raise_subscript(int64_t subscript, int64_t count) {
  constexpr auto kError = RuntimeErrorCode::kSubscriptOutOfRange;
  char text[160];
  if (count == 0) {
    std::snprintf(text, sizeof text, "%s: %" PRId64 ", but there are no elements",
                  RuntimeErrorText(kError), subscript);
  } else {
    std::snprintf(text, sizeof text, "%s: %" PRId64 " is not in [0..%" PRId64 "]",
                  RuntimeErrorText(kError), subscript, count - 1);
  }
  RaiseRuntimeError(kError, text, {nullptr, 0, __builtin_return_address(0)});
}

void tn_explain_next(const char* words, int64_t length) {
  ExplainNext({words, static_cast<size_t>(length)});
}

void tn_end_if_unread() {
  if (OutputIsUnread()) EndUnread();
}

void tn_dump_stack() { WriteStackTrace(__builtin_return_address(0)); }

void tn_run_exit_actions() { RunExitActions(); }

int64_t tn_type_count() { return Runtime::Get().types().type_count(); }

Ref tn_type_name(int64_t typecode) {
  const auto* type = Runtime::Get().types().ByTypecode(static_cast<uint32_t>(typecode));
  return type == nullptr ? nullptr : NewText(type->name);
}

}  // extern "C"
