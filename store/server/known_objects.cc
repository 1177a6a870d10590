#include "store/server/known_objects.h"

namespace tenure::store {

namespace {

constexpr size_t kKnownObjects = 8192;

}  // namespace

std::optional<uint32_t> KnownObjects::TypeOf(DatabaseId database, uint64_t bits) {
  const MutexLock guard(lock_);
  if (known_.empty()) return std::nullopt;
  const Known& known = known_[(bits / 8 * 31 + database.index) % kKnownObjects];
  if (known.bits != bits || known.database != database.index) return std::nullopt;
  return known.type;
}

void KnownObjects::Note(DatabaseId database, uint64_t bits, uint32_t type, uint64_t dead_changes) {
  const MutexLock guard(lock_);
  // Where a collection frees objects, or has done so since the page was read, nothing stays.
  if (dead_.any() || dead_.changes() != dead_changes) return;
  known_.resize(kKnownObjects);
  known_[(bits / 8 * 31 + database.index) % kKnownObjects] = {bits, database.index, type};
}

void KnownObjects::Forget() {
  const MutexLock guard(lock_);
  known_.clear();
}

}  // namespace tenure::store
