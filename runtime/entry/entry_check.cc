// Entry points of compiled code for failed checks and assertions.

#include <algorithm>
#include <cstring>
#include <string>

#include "abi/entry_points.h"
#include "runtime/exceptions/runtime_errors.h"
#include "runtime/reports/check_text.h"
#include "runtime/traps/traps.h"

using namespace tenure::runtime;
using tenure::abi::CheckSite;
using tenure::abi::RuntimeErrorCode;

namespace {

// A raise leaves this frame without running destructors, so the text lies in the frame.
struct Detail {
  char text[2048];
};

void Fill(Detail& detail, const std::string& text) {
  const size_t length = std::min(text.size(), sizeof detail.text - 1);
  std::memcpy(detail.text, text.data(), length);
  detail.text[length] = '\0';
}

__attribute__((noinline)) void FillForCheck(Detail& detail, const CheckSite& site, int64_t a,
                                            int64_t b, int64_t c) {
  Fill(detail, CheckText(site, a, b, c));
}

__attribute__((noinline)) void FillForAssertion(Detail& detail, const CheckSite& site,
                                                tenure::abi::Ref message, const uint64_t* values) {
  Fill(detail, AssertionText(site, message, values));
}

}  // namespace

extern "C" void tn_check_failed(const CheckSite* site, int64_t a, int64_t b, int64_t c) {
  const void* const code = __builtin_return_address(0);
  RequireStackRoom(code);
  Detail detail;
  FillForCheck(detail, *site, a, b, c);
  RaiseRuntimeError(static_cast<RuntimeErrorCode>(site->error), detail.text,
                    {site->file, site->line, code});
}

extern "C" void tn_assertion_failed(const CheckSite* site, tenure::abi::Ref message,
                                    const uint64_t* values) {
  const void* const code = __builtin_return_address(0);
  RequireStackRoom(code);
  Detail detail;
  FillForAssertion(detail, *site, message, values);
  RaiseRuntimeError(RuntimeErrorCode::kAssertFailed, detail.text, {site->file, site->line, code});
}
