#include "runtime/exceptions/unwind_tables.h"

#include "base/check.h"
#include "runtime/exceptions/dwarf_reader.h"

namespace tenure::runtime {
namespace {

size_t BytesOf(uint8_t encoding) {
  using namespace pointer_encoding;
  switch (encoding & kFormatMask) {
    case kUdata2:
    case kSdata2: return 2;
    case kUdata4:
    case kSdata4: return 4;
    case kAbsolutePointer:
    case kUdata8:
    case kSdata8: return 8;
    default: TN_UNREACHABLE();
  }
}

// Walks the chain of actions of a call site: catch clauses in order, cleanups between.
LandingPad ChooseAction(uintptr_t landing_pad, const uint8_t* action, const uint8_t* types_end,
                        uint8_t types_encoding, ClauseMatcher matches, void* context) {
  LandingPad result;
  for (;;) {
    DwarfReader reader(action);
    const int64_t filter = reader.Sleb128();
    const uint8_t* next_base = reader.at();
    const int64_t next = reader.Sleb128();
    if (filter == 0) {
      if (result.kind == LandingPad::Kind::kNone) {
        result = {LandingPad::Kind::kCleanup, landing_pad, 0};
      }
    } else if (filter > 0 && matches != nullptr) {
      DwarfReader entry(types_end - static_cast<size_t>(filter) * BytesOf(types_encoding));
      const auto* type = reinterpret_cast<const void*>(entry.Pointer(types_encoding));
      if (matches(type, context)) return {LandingPad::Kind::kHandler, landing_pad, filter};
    }
    // Negative filters are C++'s exception specifications; we emit none.
    if (next == 0) return result;
    action = next_base + next;
  }
}

}  // namespace

LandingPad FindLandingPad(const uint8_t* lsda, uintptr_t function, uintptr_t code,
                          ClauseMatcher matches, void* context) {
  if (lsda == nullptr) return {};
  DwarfReader reader(lsda);
  const uint8_t start_encoding = reader.Byte();
  const uintptr_t landing_base =
      start_encoding == pointer_encoding::kOmitted ? function : reader.Pointer(start_encoding);
  const uint8_t types_encoding = reader.Byte();
  const uint8_t* types_end = nullptr;
  if (types_encoding != pointer_encoding::kOmitted) {
    const uint64_t offset = reader.Uleb128();
    types_end = reader.at() + offset;
  }
  const uint8_t site_encoding = reader.Byte();
  const uint64_t sites_bytes = reader.Uleb128();
  const uint8_t* sites_end = reader.at() + sites_bytes;
  const uint8_t* actions = sites_end;

  while (reader.at() < sites_end) {
    const uintptr_t start = reader.Plain(site_encoding);
    const uintptr_t length = reader.Plain(site_encoding);
    const uintptr_t landing = reader.Plain(site_encoding);
    const uint64_t action = reader.Uleb128();
    if (code < function + start) return {};  // the sites are sorted
    if (code - function - start >= length) continue;
    if (landing == 0) return {};
    const uintptr_t landing_pad = landing_base + landing;
    if (action == 0) return {LandingPad::Kind::kCleanup, landing_pad, 0};
    return ChooseAction(landing_pad, actions + action - 1, types_end, types_encoding, matches,
                        context);
  }
  return {};
}

}  // namespace tenure::runtime
