#include "dbtool/browse/object_index.h"

#include <algorithm>
#include <utility>

#include "abi/object_header.h"

namespace tenure::dbtool {

using store::PageId;
using store::PersistentRef;

PersistentRef ObjectIndex::PlaceOf(Id object) const {
  // The last page whose first object is not behind this one.
  const auto behind =
      std::upper_bound(pages_.begin(), pages_.end(), object,
                       [](Id id, const IndexedPage& page) { return id < page.first_object; });
  const auto page = static_cast<uint64_t>(behind - pages_.begin()) - 1;
  return PersistentRef::Object(PageId{page}, offsets_[object]);
}

ObjectIndex::Id ObjectIndex::Find(PersistentRef place) const {
  if (!place.is_object()) return kNone;
  const uint64_t page = place.page().number;
  if (page == 0 || page >= pages_.size()) return kNone;
  const size_t first = pages_[page].first_object;
  const size_t last = page + 1 < pages_.size() ? pages_[page + 1].first_object : offsets_.size();
  const auto begin = offsets_.begin() + static_cast<ptrdiff_t>(first);
  const auto end = offsets_.begin() + static_cast<ptrdiff_t>(last);
  const auto found = std::lower_bound(begin, end, place.offset());
  if (found == end || *found != place.offset()) return kNone;
  return static_cast<Id>(found - offsets_.begin());
}

std::span<const ObjectIndex::Id> ObjectIndex::Sources(Id object) const {
  const uint32_t begin = sources_begin_[object];
  return std::span(sources_).subspan(begin, sources_begin_[object + 1] - begin);
}

std::vector<ObjectIndex::LargeObject>::const_iterator ObjectIndex::LargeAt(Id object) const {
  const auto found = std::ranges::lower_bound(large_, object, {}, &LargeObject::object);
  return found != large_.end() && found->object == object ? found : large_.end();
}

std::span<const ObjectIndex::LargeReference> ObjectIndex::ReferencesOf(Id object) const {
  const auto large = LargeAt(object);
  if (large == large_.end()) return {};
  const auto next = std::next(large);
  const size_t end = next == large_.end() ? large_references_.size() : next->begin;
  return std::span(large_references_).subspan(large->begin, end - large->begin);
}

std::span<const ObjectIndex::LargeReference> ObjectIndex::References(Id object, Id to) const {
  const auto found = std::ranges::equal_range(ReferencesOf(object), to, {}, &LargeReference::to);
  return {found.begin(), found.end()};
}

std::span<const ObjectIndex::Id> ObjectIndex::OfType(uint32_t type) const {
  const auto found = of_type_.find(type);
  if (found == of_type_.end()) return {};
  return std::span(by_type_).subspan(found->second.first, found->second.second);
}

void IndexBuilder::BeginPage(PageId page, PageKind kind, uint64_t version) {
  EndPage();
  IndexedPage none;
  none.first_object = static_cast<uint32_t>(index_.objects());
  index_.pages_.resize(page.number + 1, none);
  IndexedPage& entry = index_.pages_.back();
  entry.kind = kind;
  entry.version = version;
}

bool IndexBuilder::AddObject(size_t offset, uint32_t type, uint64_t bytes) {
  if (index_.objects() >= ObjectIndex::kNone - 1 || targets_.size() >= UINT32_MAX) return false;
  targets_begin_.push_back(static_cast<uint32_t>(targets_.size()));
  index_.offsets_.push_back(static_cast<uint16_t>(offset));
  index_.type_of_.push_back(type);
  if (index_.pages_.back().kind == PageKind::kLarge) {
    index_.large_.push_back({static_cast<ObjectIndex::Id>(index_.objects() - 1), 0});
  }
  index_.bytes_ += bytes;
  TypeTotals& totals = index_.types_[type];
  ++totals.objects;
  totals.bytes += bytes;
  bytes_of_page_[type] += bytes;
  return true;
}

void IndexBuilder::AddReference(uint64_t offset, PersistentRef to) {
  targets_.push_back(to.bits);
  if (index_.pages_.back().kind != PageKind::kLarge) return;
  large_words_.push_back(static_cast<uint32_t>(offset / 8));
}

void IndexBuilder::EndPage() {
  IndexedPage& page = index_.pages_.back();
  uint64_t used = 0, most = 0;
  for (const auto& [type, bytes] : bytes_of_page_) {
    used += bytes;
    if (bytes <= most) continue;
    most = bytes;
    page.type = type;
  }
  page.used_bytes = static_cast<uint16_t>(std::min<uint64_t>(used, abi::kPageBytes));
  bytes_of_page_.clear();
}

void IndexBuilder::AddDamage(PageId page, const std::string& problem) {
  constexpr size_t kProblemsKept = 200;
  if (index_.pages_.size() <= page.number) BeginPage(page, PageKind::kDamaged, 0);
  index_.pages_[page.number].kind = PageKind::kDamaged;
  ++index_.damaged_pages_;
  if (index_.problems_.size() < kProblemsKept) index_.problems_.push_back(problem);
}

ObjectIndex IndexBuilder::Finish(std::span<const PersistentRef> starts) {
  EndPage();
  std::vector<ObjectIndex::Id> targets(targets_.size());
  for (size_t i = 0; i < targets_.size(); ++i) {
    targets[i] = index_.Find(PersistentRef{targets_[i]});
    if (targets[i] == ObjectIndex::kNone) ++index_.dangling_;
  }
  targets_ = {};
  targets_begin_.push_back(static_cast<uint32_t>(targets.size()));
  KeepLargeReferences(targets);
  FindSources(targets);
  FindPaths(targets, starts);
  SortByType();
  return std::move(index_);
}

void IndexBuilder::KeepLargeReferences(const std::vector<ObjectIndex::Id>& targets) {
  std::vector<ObjectIndex::LargeReference>& kept = index_.large_references_;
  kept.reserve(large_words_.size());
  size_t next_word = 0;
  for (ObjectIndex::LargeObject& large : index_.large_) {
    large.begin = kept.size();
    for (uint32_t i = targets_begin_[large.object]; i < targets_begin_[large.object + 1]; ++i) {
      const uint32_t word = large_words_[next_word++];
      if (targets[i] != ObjectIndex::kNone) kept.push_back({targets[i], word});
    }
    std::sort(kept.begin() + static_cast<ptrdiff_t>(large.begin), kept.end());
  }
  large_words_ = {};
}

void IndexBuilder::FindSources(const std::vector<ObjectIndex::Id>& targets) {
  const size_t objects = index_.objects();
  std::vector<uint32_t>& begin = index_.sources_begin_;
  std::vector<ObjectIndex::Id>& sources = index_.sources_;
  begin.assign(objects + 1, 0);
  for (const ObjectIndex::Id target : targets) {
    if (target != ObjectIndex::kNone) ++begin[target + 1];
  }
  for (size_t i = 0; i < objects; ++i) begin[i + 1] += begin[i];
  sources.resize(begin[objects]);
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (size_t source = 0; source < objects; ++source) {
    for (uint32_t i = targets_begin_[source]; i < targets_begin_[source + 1]; ++i) {
      if (targets[i] == ObjectIndex::kNone) continue;
      uint32_t& at = next[targets[i]];
      // Sources come in ascending order: one that refers twice has just been added.
      if (at > begin[targets[i]] && sources[at - 1] == source) continue;
      sources[at++] = static_cast<ObjectIndex::Id>(source);
    }
  }
  uint32_t kept = 0;
  for (size_t i = 0; i < objects; ++i) {
    const uint32_t from = begin[i];
    begin[i] = kept;
    for (uint32_t at = from; at < next[i]; ++at) sources[kept++] = sources[at];
  }
  begin[objects] = kept;
  sources.resize(kept);
  sources.shrink_to_fit();
}

void IndexBuilder::FindPaths(const std::vector<ObjectIndex::Id>& targets,
                             std::span<const PersistentRef> starts) {
  std::vector<ObjectIndex::Id>& parents = index_.parents_;
  parents.assign(index_.objects(), ObjectIndex::kNone);
  std::vector<ObjectIndex::Id> reached;
  const auto reach = [&](ObjectIndex::Id object, ObjectIndex::Id by) {
    if (object == ObjectIndex::kNone || parents[object] != ObjectIndex::kNone) return;
    parents[object] = by;
    reached.push_back(object);
  };
  for (const PersistentRef start : starts) {
    const ObjectIndex::Id object = index_.Find(start);
    reach(object, object);
  }
  for (size_t at = 0; at < reached.size(); ++at) {
    const ObjectIndex::Id object = reached[at];
    for (uint32_t i = targets_begin_[object]; i < targets_begin_[object + 1]; ++i) {
      reach(targets[i], object);
    }
  }
  index_.reached_ = reached.size();
}

void IndexBuilder::SortByType() {
  targets_begin_ = {};
  size_t begin = 0;
  std::map<uint32_t, size_t> next;
  for (const auto& [type, totals] : index_.types_) {
    index_.of_type_[type] = {begin, totals.objects};
    next[type] = begin;
    begin += totals.objects;
  }
  index_.by_type_.resize(index_.objects());
  for (size_t i = 0; i < index_.objects(); ++i) {
    index_.by_type_[next[index_.type_of_[i]]++] = static_cast<ObjectIndex::Id>(i);
  }
}

}  // namespace tenure::dbtool
