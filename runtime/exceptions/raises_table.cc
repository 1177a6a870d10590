#include "runtime/exceptions/raises_table.h"

#include <algorithm>
#include <vector>

namespace tenure::runtime {
namespace {

// Sorted by address. Never destroyed: exceptions are raised until the process ends.
std::vector<const abi::RaisesEntry*>& Table() {
  static auto* table = new std::vector<const abi::RaisesEntry*>;
  return *table;
}

uintptr_t CodeOf(const abi::RaisesEntry* entry) { return reinterpret_cast<uintptr_t>(entry->code); }

}  // namespace

void InstallRaisesTable(const abi::ProgramInfo& program) {
  std::vector<const abi::RaisesEntry*>& table = Table();
  table.clear();
  for (uint32_t u = 0; u < program.unit_count; ++u) {
    const abi::UnitInfo& unit = *program.units[u];
    for (uint32_t r = 0; r < unit.raises_count; ++r) table.push_back(&unit.raises[r]);
  }
  std::sort(table.begin(), table.end(),
            [](const auto* a, const auto* b) { return CodeOf(a) < CodeOf(b); });
}

const abi::RaisesEntry* FindRaisesEntry(uintptr_t function) {
  const std::vector<const abi::RaisesEntry*>& table = Table();
  const auto found =
      std::lower_bound(table.begin(), table.end(), function,
                       [](const auto* entry, uintptr_t code) { return CodeOf(entry) < code; });
  return found != table.end() && CodeOf(*found) == function ? *found : nullptr;
}

bool Allows(const abi::RaisesEntry& entry, const abi::ExceptionDescriptor& exception) {
  if ((exception.flags & abi::kExceptionImplicit) != 0) return true;
  for (uint32_t i = 0; i < entry.allowed_count; ++i) {
    if (entry.allowed[i] == &exception) return true;
  }
  return false;
}

}  // namespace tenure::runtime
