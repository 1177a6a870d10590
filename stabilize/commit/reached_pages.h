// With breadth-first order: pages that are encoded while the objects on them are reached, and that
// the server may write before the commit is sent.
#pragma once

#include <cstddef>
#include <vector>

#include "stabilize/commit/placement.h"

namespace tenure::stabilize {

// Of the commit `id`, with the session's lock.
class ReachedPages {
 public:
  ReachedPages(Placement& placement, ChangeSet& changes, const CommitId& id)
      : placement_(placement), changes_(changes), id_(id) {}

  // Where an object is to be encoded that is reached now, after those before number `reached`;
  // null: later, by Stabilizer::Encode.
  std::byte* PlaceOf(const DisplacedObject& object, size_t reached) {
    if (!placement_.encodes_reached() || object.bytes > abi::kPageBytes) return nullptr;
    DatabaseChanges& changes = changes_.Of(*object.database);
    // Pages are filled, and objects get their homes, one after the other.
    while (const std::byte* const page = placement_.TakeClosed(reached)) {
      if (changes_.size() == 1) Prewrite(changes.database->store(), page);
    }
    const PageId page = object.home.page();
    if (last_.changes != &changes || last_.page != page) {
      last_ = {&changes, page, changes.pages[page.number].encoded};
    }
    return last_.encoded != nullptr ? last_.encoded + object.at_home().offset() : nullptr;
  }
  // The commit has ended.
  void End() {
    if (prewrites_to_ != nullptr) prewrites_to_->server->EndPrewrite();
  }

 private:
  // The encoded page will not change any more: its server may begin to write it.
  void Prewrite(OpenStoreState& store, const std::byte* encoded) {
    // This many pages are worth a thread's time.
    constexpr size_t kPagesTogether = 64;
    finished_.push_back(encoded);
    if (finished_.size() < kPagesTogether) return;
    prewrites_to_ = &store;
    prewrites_to_->server->Prewrite(id_, finished_);
    finished_.clear();
  }

  Placement& placement_;
  ChangeSet& changes_;
  const CommitId& id_;
  // Where an object was encoded last.
  struct {
    const DatabaseChanges* changes = nullptr;
    PageId page;
    std::byte* encoded = nullptr;
  } last_;
  std::vector<const std::byte*> finished_;  // and not prewritten yet
  OpenStoreState* prewrites_to_ = nullptr;  // whose server may be another one afterwards
};

}  // namespace tenure::stabilize
