// Ways through containers of each form: hash tables, chains, lists, trees and B+ trees.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "dbtool/values/container.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::PersistentRef;

namespace {

constexpr int kMostDepth = 200;  // of trees; deeper ones lead to themselves

bool IsAscii(const Datum& bound) {
  return std::ranges::all_of(bound.text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

// Other texts have several stored forms, and the container's order is that of one of them.
bool IsPlainBound(const std::optional<Datum>& bound) {
  return !bound || bound->kind != DatumKind::kText || IsAscii(*bound);
}

}  // namespace

Status Container::VisitSlots(const KeyRange& range,
                             const std::function<bool(const Entry&)>& visit) {
  const Datum* const key = hashed_ && range.first_slot == 0 ? range.only() : nullptr;
  if (key != nullptr && (key->kind == DatumKind::kInteger || key->kind == DatumKind::kText)) {
    return Report(VisitHashed(*key, visit));
  }
  Result<Datum> slots = ArrayIn(object_, view_->Field("slots"));
  if (!slots.ok()) return Report(slots.status());
  if (slots->none()) return Status::Ok();
  const uint64_t count = slots->type->count();
  // Reported once for all keys that share a damaged page.
  int64_t told = -1;
  for (uint64_t i = range.first_slot; i < count; ++i) {
    const auto take = [&]() -> Result<bool> {
      TN_ASSIGN_OR_RETURN(const Datum slot, values_.Element(*slots, i));
      if (slot.kind != DatumKind::kRecord) return Damaged(*slot.at, "slots are not records");
      TN_ASSIGN_OR_RETURN(const std::optional<Datum> mark,
                          values_.FieldOf(slot, view_->Field("mark")));
      if (!mark) return Damaged(*slot.at, "slots have no field " + view_->Field("mark"));
      if (view_->IsUnused(mark->number)) return true;
      TN_ASSIGN_OR_RETURN(Entry entry, EntryOf(slot));
      entry.slot = i;
      bool inside = true;
      TN_RETURN_IF_ERROR(Inside(range, entry, &inside));
      return !inside || visit(entry);
    };
    const Result<bool> more = take();
    if (!more.ok()) {
      if (more.status().number() != told || told <= 0) TN_RETURN_IF_ERROR(Report(more.status()));
      told = more.status().number();
      continue;
    }
    if (!*more) break;
  }
  return Status::Ok();
}

Status Container::VisitChains(const KeyRange& range,
                              const std::function<bool(const Entry&)>& visit) {
  Result<Datum> buckets = ArrayIn(object_, view_->Field("buckets"));
  if (!buckets.ok()) return Report(buckets.status());
  if (buckets->none()) return Status::Ok();
  std::unordered_set<uint64_t> seen;
  const uint64_t count = buckets->type->count();
  for (uint64_t i = range.first_slot; i < count; ++i) {
    const auto follow = [&]() -> Result<bool> {
      TN_ASSIGN_OR_RETURN(Datum next, values_.Element(*buckets, i));
      while (next.kind == DatumKind::kReference) {
        if (!seen.insert(next.reference.bits).second) {
          return Damaged(*object_, "a chain leads to itself");
        }
        TN_ASSIGN_OR_RETURN(const ObjectPtr node, values_.source().Load(next.reference));
        TN_ASSIGN_OR_RETURN(Entry entry, EntryOfNode(node));
        entry.slot = i;
        bool inside = true;
        TN_RETURN_IF_ERROR(Inside(range, entry, &inside));
        if (inside && !visit(entry)) return false;
        TN_ASSIGN_OR_RETURN(next, FieldOf(node, view_->Field("next")));
      }
      return true;
    };
    const Result<bool> more = follow();
    if (!more.ok()) {
      TN_RETURN_IF_ERROR(Report(more.status()));
      continue;
    }
    if (!*more) break;
  }
  return Status::Ok();
}

Status Container::VisitList(const KeyRange& range, const std::function<bool(const Entry&)>& visit) {
  const auto follow = [&]() -> Status {
    ObjectPtr node = object_;
    if (range.first_node) {
      TN_ASSIGN_OR_RETURN(node, values_.source().Load(*range.first_node));
    } else if (const std::string& first = view_->Field("first"); !first.empty()) {
      TN_ASSIGN_OR_RETURN(node, ObjectIn(object_, first));
    }
    // A second walker at half the speed meets the first one in a circle.
    uint64_t at = 0;
    PersistentRef behind = node == nullptr ? PersistentRef() : node->at();
    while (node != nullptr) {
      if (range.to && static_cast<__int128>(at) > range.to->number) break;
      if (!range.from || static_cast<__int128>(at) >= range.from->number) {
        TN_ASSIGN_OR_RETURN(Entry entry, EntryOfNode(node));
        entry.node = node->at();
        entry.place = at;
        if (!visit(entry)) break;
      }
      ++at;
      TN_ASSIGN_OR_RETURN(node, ObjectIn(node, view_->Field("next")));
      if (node == nullptr) break;
      if (node->at() == behind) return Damaged(*object_, "the list leads to itself");
      // Brent's way to find a circle.
      if ((at & (at - 1)) == 0) behind = node->at();
    }
    return Status::Ok();
  };
  return Report(follow());
}

struct Container::TreeWalk {
  const KeyRange& range;
  const std::function<bool(const Entry&)>& visit;
  const bool pruned;  // by the order of keys
  std::unordered_set<uint64_t> seen;
  bool ended = false;
};

Status Container::VisitTree(const KeyRange& range, const std::function<bool(const Entry&)>& visit) {
  TreeWalk walk{range, visit, ordered_ && IsPlainBound(range.from) && IsPlainBound(range.to), {}};
  Result<Datum> root = FieldOf(object_, view_->Field("root"));
  if (!root.ok()) return Report(root.status());
  return VisitNode(walk, *root, 0);
}

Status Container::VisitNode(TreeWalk& walk, const Datum& node, int depth) {
  if (walk.ended || node.kind != DatumKind::kReference) return Status::Ok();
  if (depth > 10 * kMostDepth || !walk.seen.insert(node.reference.bits).second) {
    return Report(Damaged(*object_, "the tree leads to itself"));
  }
  const Result<ObjectPtr> loaded = values_.source().Load(node.reference);
  if (!loaded.ok()) return Report(loaded.status());
  const ObjectPtr& object = *loaded;
  const Result<Entry> entry = EntryOfNode(object);
  const Result<Datum> left = FieldOf(object, view_->Field("left"));
  const Result<Datum> right = FieldOf(object, view_->Field("right"));
  if (!left.ok() || !right.ok()) return Report(left.ok() ? right.status() : left.status());
  const Result<int> place =
      entry.ok() ? PlaceOf(walk.range, entry->key) : Result<int>(entry.status());
  const int where = place.ok() ? *place : 0;
  const bool down = walk.range.descending;
  const bool first = !walk.pruned || (down ? where <= 0 : where >= 0);
  const bool second = !walk.pruned || (down ? where >= 0 : where <= 0);
  if (first) TN_RETURN_IF_ERROR(VisitNode(walk, down ? *right : *left, depth + 1));
  if (!place.ok()) {
    TN_RETURN_IF_ERROR(Report(place.status()));
  } else if (where == 0 && !walk.ended) {
    walk.ended = !walk.visit(*entry);
  }
  if (second) TN_RETURN_IF_ERROR(VisitNode(walk, down ? *left : *right, depth + 1));
  return Status::Ok();
}

// Descends from the root for each part of the range instead of following the leaves' links: then a
// damaged page hides only the part below it.
Status Container::VisitBPlusTree(const KeyRange& range,
                                 const std::function<bool(const Entry&)>& visit) {
  const bool pruned = ordered_ && IsPlainBound(range.from) && IsPlainBound(range.to);
  std::unordered_set<uint64_t> seen;
  bool ended = false;
  std::function<Status(const Datum&, int)> go = [&](const Datum& at, int depth) -> Status {
    if (ended || at.kind != DatumKind::kReference) return Status::Ok();
    if (depth > kMostDepth || !seen.insert(at.reference.bits).second) {
      return Damaged(*object_, "the tree leads to itself");
    }
    TN_ASSIGN_OR_RETURN(const ObjectPtr node, values_.source().Load(at.reference));
    const bool leaf = values_.ShapeOf(node->type()).Find(view_->Field("items")) != nullptr;
    TN_ASSIGN_OR_RETURN(const Datum array,
                        ArrayIn(node, view_->Field(leaf ? "items" : "branches")));
    TN_ASSIGN_OR_RETURN(const int64_t stored_count, NumberIn(node, view_->Field("count")));
    const uint64_t room = array.none() ? 0 : array.type->count();
    const uint64_t count = static_cast<uint64_t>(std::clamp<__int128>(stored_count, 0, room));
    const auto key_at = [&](uint64_t i) -> Result<Datum> {
      TN_ASSIGN_OR_RETURN(const Datum record, values_.Element(array, i));
      if (record.kind != DatumKind::kRecord) return Damaged(*node, "parts are not records");
      TN_ASSIGN_OR_RETURN(const std::optional<Datum> key,
                          values_.FieldOf(record, view_->Field("key")));
      if (!key) return Damaged(*node, "parts have no key");
      return *key;
    };
    // In a leaf: the first item in the range and the first one behind it. In a branch: the items
    // whose keys are compared; all keys below a branch are at least its own, and the key of the
    // first item is not used.
    const auto first_not = [&](const KeyRange& bound, int before) -> Result<uint64_t> {
      uint64_t low = leaf ? 0 : 1, high = std::max(count, low);
      while (low < high) {
        const uint64_t middle = (low + high) / 2;
        TN_ASSIGN_OR_RETURN(const Datum key, key_at(middle));
        TN_ASSIGN_OR_RETURN(const int place, PlaceOf(bound, key));
        if (place <= before) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    };
    uint64_t begin = 0, end = count;
    if (pruned && range.from) {
      const KeyRange from{range.from, {}, leaf ? range.from_open : true, false};
      TN_ASSIGN_OR_RETURN(begin, first_not(from, -1));
      if (!leaf) --begin;
    }
    if (pruned && range.to) {
      const KeyRange to{{}, range.to, false, range.to_open};
      TN_ASSIGN_OR_RETURN(end, first_not(to, 0));
    }
    end = std::min(end, count);
    const auto take = [&](uint64_t i) -> Status {
      TN_ASSIGN_OR_RETURN(const Datum record, values_.Element(array, i));
      if (leaf) {
        TN_ASSIGN_OR_RETURN(const Entry entry, EntryOf(record));
        bool inside = true;
        if (!pruned) TN_RETURN_IF_ERROR(Inside(range, entry, &inside));
        if (inside) ended = !visit(entry);
        return Status::Ok();
      }
      TN_ASSIGN_OR_RETURN(const std::optional<Datum> below,
                          values_.FieldOf(record, view_->Field("child")));
      if (!below) return Damaged(*node, "branches have no child");
      return go(*below, depth + 1);
    };
    for (uint64_t i = begin; i < end && !ended; ++i) {
      const uint64_t at = range.descending ? end - 1 - (i - begin) : i;
      TN_RETURN_IF_ERROR(Report(take(at)));
    }
    return Status::Ok();
  };
  const Result<Datum> root = FieldOf(object_, view_->Field("root"));
  if (!root.ok()) return Report(root.status());
  return Report(go(*root, 0));
}

// The entries with this key, which is a number or a text, in a table of the library.
Status Container::VisitHashed(const Datum& key, const std::function<bool(const Entry&)>& visit) {
  std::vector<uint64_t> hashes;
  if (key.kind == DatumKind::kInteger) {
    const auto number = static_cast<uint64_t>(key.number);
    hashes.push_back(number ^ number >> 32);
  } else {
    // The text may have been stored as UTF-8 or as characters.
    std::u16string bytes;
    for (const char c : key.text) bytes += static_cast<unsigned char>(c);
    hashes.push_back(HashOfText(bytes));
    const std::optional<std::u16string> codes = CodesOfUtf8(key.text);
    if (codes && *codes != bytes) hashes.push_back(HashOfText(*codes));
  }
  TN_ASSIGN_OR_RETURN(const Datum slots, ArrayIn(object_, view_->Field("slots")));
  TN_ASSIGN_OR_RETURN(const int64_t shift, NumberIn(object_, view_->Field("shift")));
  const uint64_t count = slots.none() ? 0 : slots.type->count();
  const auto bits = static_cast<uint64_t>(shift);
  const uint64_t factor = (bits & ~uint64_t{63}) << 1 | 1;
  for (const uint64_t hash : hashes) {
    // As stdlib/data/Table.mg places them.
    uint64_t tag = hash * 0x9E3779B97F4A7C15;
    if (tag <= 1) tag += 2;
    uint64_t at = tag * factor >> (bits & 63);
    for (uint64_t step = 0; step < count && at < count; ++step, at = (at + 1) % count) {
      TN_ASSIGN_OR_RETURN(const Datum slot, values_.Element(slots, at));
      TN_ASSIGN_OR_RETURN(const std::optional<Datum> mark,
                          values_.FieldOf(slot, view_->Field("mark")));
      if (!mark || mark->number == 0) break;
      if (static_cast<uint64_t>(mark->number) != tag) continue;
      TN_ASSIGN_OR_RETURN(Entry entry, EntryOf(slot));
      entry.slot = at;
      TN_ASSIGN_OR_RETURN(const int place, PlaceOf({key, key, false, false}, entry.key));
      if (place == 0 && !visit(entry)) return Status::Ok();
    }
  }
  return Status::Ok();
}

}  // namespace tenure::dbtool
