#include "dbtool/values/value_conversion.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

#include "dbtool/values/bits.h"
#include "dbtool/values/object_shape.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

std::string Shortened(const std::string& text) {
  constexpr size_t kMost = 120;
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

// The number that the bits of an ordinal stand for.
__int128 NumberOf(const ValueType& type, uint64_t bits) {
  const bool negative = type.first < 0 && type.bits > 0 && (bits >> (type.bits - 1) & 1) != 0;
  return static_cast<__int128>(bits) - (negative ? static_cast<__int128>(1) << type.bits : 0);
}

// Ordinals of one class have a value in common if they have its number, or its name, in common.
enum class OrdinalClass : uint8_t { kNumber, kTruth, kCharacter, kName, kNone };
OrdinalClass ClassOf(const ValueType& type) {
  switch (type.kind) {
    case ValueKind::kInteger: return OrdinalClass::kNumber;
    case ValueKind::kBoolean: return OrdinalClass::kTruth;
    case ValueKind::kCharacter:
    case ValueKind::kWideCharacter: return OrdinalClass::kCharacter;
    case ValueKind::kEnumeration: return OrdinalClass::kName;
    default: return OrdinalClass::kNone;
  }
}

bool SameBase(const ValueType& from, const ValueType& to) {
  return from.kind == to.kind && from.names == to.names;
}

// The value of `to` that is this one of `from`, of the same class; nothing: there is none.
std::optional<__int128> SameOrdinal(const ValueType& from, const ValueType& to, __int128 value) {
  __int128 now = value;
  if (ClassOf(from) == OrdinalClass::kName) {
    if (value < 0 || value >= static_cast<__int128>(from.names.size())) return std::nullopt;
    const auto found = std::ranges::find(to.names, from.names[static_cast<size_t>(value)]);
    if (found == to.names.end()) return std::nullopt;
    now = found - to.names.begin();
  }
  if (now < to.first || now > to.last) return std::nullopt;
  return now;
}

std::optional<StoredSlot> SlotAt(const std::vector<std::pair<uint64_t, StoredSlot>>& slots,
                                 uint64_t bit) {
  const auto found =
      std::ranges::lower_bound(slots, bit, {}, &std::pair<uint64_t, StoredSlot>::first);
  return found == slots.end() || found->first != bit ? std::nullopt : std::optional(found->second);
}

// The number of element `place` of `before` among those of `now`, both counted from 0; nothing:
// there is none. For sets and arrays with these index types.
std::optional<uint64_t> PlaceIn(const ValueType& before, const ValueType& now, uint64_t place) {
  const std::optional<__int128> same = SameOrdinal(before, now, before.first + place);
  return same ? std::optional(static_cast<uint64_t>(*same - now.first)) : std::nullopt;
}

uint64_t CountOf(const ValueType& index) {
  return index.last < index.first ? 0 : static_cast<uint64_t>(index.last - index.first + 1);
}

// Whether each value that `before` and `now` have in common has the same ordinal in both.
bool HasSameOrdinals(const ValueType& before, const ValueType& now) {
  if (ClassOf(before) != OrdinalClass::kName) return true;
  for (__int128 value = before.first; value <= before.last; ++value) {
    const std::optional<__int128> same = SameOrdinal(before, now, value);
    if (same && *same != value) return false;
  }
  return true;
}

// Whether each element of `before` has the same place in `now`, if it has one.
bool HasSamePlaces(const ValueType& before, const ValueType& now) {
  return before.first == now.first && HasSameOrdinals(before, now);
}

// Names the elements that an array with the index type `before` has and one with `now` lacks;
// empty: none.
std::string ElementsGone(const ValueType& before, const ValueType& now) {
  std::vector<std::pair<__int128, __int128>> runs;
  const auto add = [&](__int128 first, __int128 last) {
    if (first > last) return;
    if (!runs.empty() && runs.back().second + 1 == first) {
      runs.back().second = last;
    } else {
      runs.emplace_back(first, last);
    }
  };
  if (ClassOf(before) != OrdinalClass::kName) {
    add(before.first, std::min(before.last, now.first - 1));
    add(std::max({before.first, now.last + 1, now.first}), before.last);
  } else {
    for (uint64_t i = 0; i < CountOf(before); ++i) {
      if (!PlaceIn(before, now, i)) add(before.first + i, before.first + i);
    }
  }
  constexpr size_t kMost = 5;
  std::string text;
  for (size_t i = 0; i < runs.size() && i < kMost; ++i) {
    const auto& [first, last] = runs[i];
    text += (i == 0 ? "" : ", ") + OrdinalText(before, first);
    if (last > first) text += " to " + OrdinalText(before, last);
  }
  if (runs.size() > kMost) text += ", ...";
  const bool one = runs.size() == 1 && runs[0].first == runs[0].second;
  return text.empty() ? text : (one ? "element " : "elements ") + text;
}

store::TypeKey KeyOf(const store::TypeName& name) {
  return {std::strtoull(name.fingerprint.c_str(), nullptr, 16), name.name, name.brand};
}

}  // namespace

std::vector<std::pair<uint64_t, StoredSlot>> SlotsIn(const std::vector<SlotRun>& slots,
                                                     const StoredField& field) {
  std::vector<std::pair<uint64_t, StoredSlot>> found;
  for (const SlotRun& run : slots) {
    for (uint64_t i = 0; i < run.count; ++i) {
      const uint64_t bit = 8 * (run.offset + i * run.stride);
      if (bit >= field.bit_offset && bit < field.bit_offset + field.bit_size) {
        found.emplace_back(bit - field.bit_offset, run.kind);
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

class ValueConversion::Maker {
 public:
  Maker(const PlacedField& from, const PlacedField& to, const store::TypeKeys& types,
        const Options& options, Unruled* unruled)
      : from_(from),
        to_(to),
        types_(types),
        options_(options),
        unruled_(unruled),
        from_slots_(SlotsIn(from.slots, from.field)),
        to_slots_(SlotsIn(to.slots, to.field)) {}

  Result<ValueConversion> Run() {
    from_type_ = KnownTypeOf(from_.field, from_.slots);
    to_type_ = KnownTypeOf(to_.field, to_.slots);
    ValueConversion made;
    if (from_type_ == nullptr || to_type_ == nullptr) {
      // What the store does not explain can only be the same.
      if (!IsSameUnexplained()) {
        NoteUnruled(to_.field.name, options_.stored_name);
        return NoRule(to_.field.name, from_.field.type, to_.field.type);
      }
      made.root_.path = to_.field.name;
      made.root_.stored_path = options_.stored_name;
      made.root_.from_bits = made.root_.to_bits = to_.field.bit_size;
      return made;
    }
    TN_ASSIGN_OR_RETURN(
        made.root_, Of(from_type_, 0, to_type_, 0, {to_.field.name, options_.stored_name, true}));
    made.lost_ = std::move(lost_);
    made.allowed_ = std::move(allowed_);
    made.left_ = std::move(left_);
    return made;
  }

 private:
  // Where a value is: its paths, and whether it is the whole field.
  struct Where {
    std::string path, stored_path;
    bool whole = false;
  };

  static Status NoRule(const std::string& path, const std::string& from, const std::string& to) {
    return store::Failure(StatusCode::kTypeMismatch,
                          (path.empty() ? "its value" : "field " + path) + " from " +
                              Shortened(from) + " to " + Shortened(to));
  }

  void NoteUnruled(const std::string& path, const std::string& stored_path) {
    if (unruled_ != nullptr) *unruled_ = {path, stored_path};
  }

  // A value for which there is no rule. In a record it may be given up, or left to others. Within
  // an array it is given up with the whole of it.
  Result<Step> None(Step step, const Where& where) {
    if (MayGiveUp(step, where)) {
      allowed_.push_back({step.stored_path, ""});
      step.way = Way::kLost;
      return step;
    }
    if (!where.whole && options_.has_defaults && options_.is_set && options_.is_set(step.path)) {
      left_.push_back(step.path);
      step.way = Way::kLost;
      return step;
    }
    NoteUnruled(step.path, step.stored_path);
    return NoRule(step.path, step.from->text, step.to->text);
  }

  // Whether a value may stay as NEW has made it. The whole field is given up by the caller.
  bool MayGiveUp(const Step& step, const Where& where) const {
    return !where.whole && options_.has_defaults && options_.may_be_lost &&
           options_.may_be_lost(step.stored_path);
  }

  struct Losses {
    size_t lost, allowed, left;
  };
  Losses SoFar() const { return {lost_.size(), allowed_.size(), left_.size()}; }

  // A part of the value has no rule: `failure`. The value may be given up as a whole.
  Result<Step> PartFailed(Step step, const Where& where, const Losses& before, Status failure) {
    if (!MayGiveUp(step, where)) return failure;
    lost_.resize(before.lost);
    allowed_.resize(before.allowed);
    left_.resize(before.left);
    allowed_.push_back({step.stored_path, ""});
    step.parts.clear();
    step.way = Way::kLost;
    return step;
  }

  void Lose(const std::string& stored_path, const std::string& part) {
    const bool may_be = options_.may_be_lost && options_.may_be_lost(stored_path);
    (may_be ? allowed_ : lost_).push_back({stored_path, part});
  }

  bool IsSameUnexplained() const {
    const StoredField &from = from_.field, &to = to_.field;
    const bool same_text = from.value.empty() || to.value.empty()
                               ? from.type == to.type
                               : store::SameValue(from.value, to.value);
    const bool reference = to_slots_.size() == 1 && to_slots_[0].second == StoredSlot::kReference &&
                           to.bit_size == 64 && to.type == "REFANY";
    return from.bit_size == to.bit_size && from_slots_ == to_slots_ &&
           (reference ||
            (same_text && store::ReferToTheSame(from_.type.description, from.name,
                                                to_.type.description, to.name, types_)));
  }

  // `from_at`, `to_at`: of the values, from the beginning of the fields.
  Result<Step> Of(const ValueTypePtr& from, uint64_t from_at, const ValueTypePtr& to,
                  uint64_t to_at, const Where& where) {
    Step step;
    step.path = where.path;
    step.stored_path = where.stored_path;
    step.from = from;
    step.to = to;
    step.from_bits = from->bits;
    step.to_bits = to->bits;
    const bool same_bits = from->bits == to->bits;
    if (from->ordinal() && to->ordinal() && ClassOf(*from) == ClassOf(*to)) {
      const bool named = ClassOf(*from) == OrdinalClass::kName;
      step.way = named ? Way::kElement : Way::kOrdinal;
      if (same_bits && SameBase(*from, *to) && from->first == to->first && from->last == to->last) {
        step.way = Way::kCopy;
      }
      return step;
    }
    if (from->kind == ValueKind::kReal && to->kind == ValueKind::kLongReal) {
      step.way = Way::kReal;
      return step;
    }
    if (from->kind != to->kind) return None(std::move(step), where);
    switch (to->kind) {
      case ValueKind::kReal:
      case ValueKind::kLongReal: return step;
      case ValueKind::kSet: return Set(std::move(step), where);
      case ValueKind::kArray: return Array(std::move(step), from_at, to_at, where);
      case ValueKind::kRecord: return Record(std::move(step), from_at, to_at, where);
      case ValueKind::kReference: return Reference(std::move(step), from_at, to_at, where);
      case ValueKind::kProcedure:
        if (from->text == to->text) return step;
        break;
      default: break;
    }
    return None(std::move(step), where);
  }

  Result<Step> Set(Step step, const Where& where) {
    const ValueType &before = *step.from->index, &now = *step.to->index;
    if (ClassOf(before) != ClassOf(now)) return None(std::move(step), where);
    if (step.from_bits == step.to_bits && SameBase(before, now) && before.first == now.first &&
        before.last == now.last) {
      return step;
    }
    step.way = Way::kSet;
    return step;
  }

  Result<Step> Array(Step step, uint64_t from_at, uint64_t to_at, const Where& where) {
    const ValueType &before = *step.from->index, &now = *step.to->index;
    const uint64_t count = step.from->count(), now_count = step.to->count();
    if (ClassOf(before) != ClassOf(now)) return None(std::move(step), where);
    const std::string gone = ElementsGone(before, now);
    const bool comes = now_count > count || !ElementsGone(now, before).empty();
    if (comes && !options_.has_defaults) return None(std::move(step), where);
    if (count == 0 || now_count == 0) {
      // No element says what a value of the type would become.
      if (!gone.empty()) Lose(step.stored_path, gone);
      step.way = gone.empty() ? Way::kDefault : Way::kLost;
      if (count == now_count && step.from_bits == step.to_bits) step.way = Way::kCopy;
      return step;
    }
    const Losses losses = SoFar();
    Result<Step> element = Of(step.from->element, from_at, step.to->element, to_at, where);
    if (!element.ok()) return PartFailed(std::move(step), where, losses, element.status());
    const bool same_index =
        SameBase(before, now) && before.first == now.first && count == now_count;
    if (same_index && element->way == Way::kCopy &&
        step.from->element_bits == step.to->element_bits && step.from_bits == step.to_bits) {
      return step;
    }
    if (!gone.empty()) Lose(step.stored_path, gone);
    step.way = Way::kArray;
    step.parts.push_back(*std::move(element));
    return step;
  }

  Result<Step> Record(Step step, uint64_t from_at, uint64_t to_at, const Where& where) {
    const Losses losses = SoFar();
    const std::vector<ValueField>&before = step.from->fields, &now = step.to->fields;
    const auto inner = [](const std::string& path, const std::string& name) {
      return path.empty() ? name : path + "." + name;
    };
    // What the stored fields are to be called.
    std::vector<std::string> names;
    for (const ValueField& from : before) {
      names.push_back(options_.renamed
                          ? options_.renamed(inner(step.stored_path, from.name), from.name)
                          : from.name);
      if (std::count(names.begin(), names.end(), names.back()) == 1) continue;
      NoteUnruled(step.path, step.stored_path);
      return store::Failure(StatusCode::kTypeMismatch,
                            "two stored fields are to be called " + inner(step.path, names.back()));
    }
    bool copies = step.from_bits == step.to_bits && before.size() == now.size();
    for (const ValueField& to : now) {
      const auto found = std::ranges::find(names, to.name);
      if (found == names.end()) {
        copies = false;
        if (options_.has_defaults) continue;
        NoteUnruled(inner(step.path, to.name), step.stored_path);
        return store::Failure(
            StatusCode::kTypeMismatch,
            "field " + inner(step.path, to.name) +
                " is new, and the program, which was built by an older tenure, "
                "does not tell the default of an array's elements: build it anew");
      }
      const ValueField& from = before[static_cast<size_t>(found - names.begin())];
      Result<Step> part = Of(from.type, from_at + from.bit_offset, to.type, to_at + to.bit_offset,
                             {inner(step.path, to.name), inner(step.stored_path, from.name)});
      if (!part.ok()) return PartFailed(std::move(step), where, losses, part.status());
      part->from_bit = from.bit_offset;
      part->to_bit = to.bit_offset;
      copies = copies && part->way == Way::kCopy && part->from_bit == part->to_bit;
      step.parts.push_back(*std::move(part));
    }
    for (size_t i = 0; i < before.size(); ++i) {
      if (std::ranges::find(now, names[i], &ValueField::name) != now.end()) continue;
      const std::string stored = inner(step.stored_path, before[i].name);
      if (names[i] != before[i].name) {
        NoteUnruled(step.path, step.stored_path);
        return store::Failure(StatusCode::kTypeMismatch, "the program's type has no field " +
                                                             inner(step.path, names[i]) + ", as " +
                                                             stored + " is to be called");
      }
      Lose(stored, "");
      copies = false;
    }
    if (copies) {
      step.parts.clear();
    } else {
      step.way = Way::kRecord;
    }
    return step;
  }

  Result<Step> Reference(Step step, uint64_t from_at, uint64_t to_at, const Where& where) {
    const auto before = SlotAt(from_slots_, from_at), now = SlotAt(to_slots_, to_at);
    const bool keeps = before == StoredSlot::kReference;
    if (now == StoredSlot::kTransient || now == StoredSlot::kUntraced) {
      // A reference that is not saved any more. One that never was has no value.
      if (keeps) Lose(step.stored_path, "");
      step.way = keeps ? Way::kLost : Way::kDefault;
      return step;
    }
    if (now != StoredSlot::kReference || !before) return None(std::move(step), where);
    if (!keeps) {
      step.way = Way::kDefault;
      return step;
    }
    if (step.to->text == "REFANY") return step;
    const store::TypeName* const was = ReferentOf(from_.field, *from_type_, step.from.get());
    const store::TypeName* const is = ReferentOf(to_.field, *to_type_, step.to.get());
    // An older store lacks the referents.
    const bool same = from_.field.refers.empty() ? step.from->text == step.to->text
                      : was != nullptr && is != nullptr
                          ? store::SameReferent(KeyOf(*was), KeyOf(*is), types_)
                          : step.from->text == step.to->text &&
                                store::ReferToTheSame(from_.type.description, from_.field.name,
                                                      to_.type.description, to_.field.name, types_);
    if (!same) return None(std::move(step), where);
    return step;
  }

  const PlacedField &from_, &to_;
  const store::TypeKeys& types_;
  const Options& options_;
  Unruled* const unruled_;
  const std::vector<std::pair<uint64_t, StoredSlot>> from_slots_, to_slots_;
  ValueTypePtr from_type_, to_type_;
  std::vector<Loss> lost_, allowed_;
  std::vector<std::string> left_;
};

Result<ValueConversion> ValueConversion::Make(const PlacedField& from, const PlacedField& to,
                                              const store::TypeKeys& types, const Options& options,
                                              Unruled* unruled) {
  return Maker(from, to, types, options, unruled).Run();
}

void ValueConversion::Convert(const Step& step, std::span<const std::byte> from, uint64_t from_bit,
                              std::span<std::byte> to, uint64_t to_bit,
                              std::vector<Misfit>* misfits) {
  const auto misfit = [&](const std::string& value) {
    // The elements of an array have one path.
    if (std::ranges::find(*misfits, step.path, &Misfit::path) != misfits->end()) return;
    misfits->push_back(
        {step.path, (step.path.empty() ? "its value, " : "the value of field " + step.path + ", ") +
                        value + ", is not one of the program's " + Shortened(step.to->text)});
  };
  switch (step.way) {
    case Way::kDefault:
    case Way::kLost: return;
    case Way::kCopy: CopyBits(from, from_bit, to, to_bit, step.to_bits); return;
    case Way::kReal: {
      const auto real = std::bit_cast<float>(static_cast<uint32_t>(BitsAt(from, from_bit, 32)));
      PutBits(to, to_bit, 64, std::bit_cast<uint64_t>(static_cast<double>(real)));
      return;
    }
    case Way::kOrdinal:
    case Way::kElement: {
      const __int128 value = NumberOf(*step.from, BitsAt(from, from_bit, step.from_bits));
      const std::optional<__int128> now = SameOrdinal(*step.from, *step.to, value);
      if (!now) return misfit(OrdinalText(*step.from, value));
      PutBits(to, to_bit, step.to_bits, static_cast<uint64_t>(*now));
      return;
    }
    case Way::kSet: {
      const ValueType& index = *step.from->index;
      std::vector<uint64_t> places;
      for (uint64_t i = 0; i < CountOf(index) && i < step.from_bits; ++i) {
        if (BitsAt(from, from_bit + i, 1) == 0) continue;
        const std::optional<uint64_t> place = PlaceIn(index, *step.to->index, i);
        if (!place) return misfit("with the element " + OrdinalText(index, index.first + i));
        places.push_back(*place);
      }
      for (uint64_t at = 0; at < step.to_bits; at += 64) {
        PutBits(to, to_bit + at, std::min<uint64_t>(64, step.to_bits - at), 0);
      }
      for (const uint64_t place : places) PutBits(to, to_bit + place, 1, 1);
      return;
    }
    case Way::kArray:
      for (uint64_t i = 0; i < step.from->count(); ++i) {
        const std::optional<uint64_t> place = PlaceIn(*step.from->index, *step.to->index, i);
        if (!place) continue;  // it is lost
        Convert(step.parts[0], from, from_bit + i * step.from->element_bits, to,
                to_bit + *place * step.to->element_bits, misfits);
      }
      return;
    case Way::kRecord:
      for (const Step& part : step.parts) {
        Convert(part, from, from_bit + part.from_bit, to, to_bit + part.to_bit, misfits);
      }
      return;
  }
}

bool ValueConversion::Leaves(const Step& step, uint64_t bit) {
  if (step.way == Way::kDefault || step.way == Way::kLost) return true;
  if (step.way == Way::kArray) {
    if (step.to->element_bits == 0) return true;
    const uint64_t element = bit / step.to->element_bits;
    return !PlaceIn(*step.to->index, *step.from->index, element) ||
           Leaves(step.parts[0], bit % step.to->element_bits);
  }
  if (step.way != Way::kRecord) return false;
  const auto part = std::ranges::find_if(step.parts, [&](const Step& one) {
    return bit >= one.to_bit && bit < one.to_bit + one.to_bits;
  });
  return part == step.parts.end() || Leaves(*part, bit - part->to_bit);
}

bool ValueConversion::KeepsOrder(const Step& step, const std::string& path) {
  // Ignores steps beside the part that is asked for.
  const auto begins = [](const std::string& whole, const std::string& part) {
    return part.empty() || whole == part || whole.starts_with(part + ".");
  };
  if (!begins(step.stored_path, path) && !begins(path, step.stored_path)) return true;
  switch (step.way) {
    case Way::kCopy:
    case Way::kOrdinal:
    case Way::kDefault: return true;
    case Way::kLost:
    case Way::kReal: return false;
    case Way::kElement: return HasSameOrdinals(*step.from, *step.to);
    case Way::kSet: return HasSamePlaces(*step.from->index, *step.to->index);
    case Way::kArray:
      return HasSamePlaces(*step.from->index, *step.to->index) &&
             step.from->count() == step.to->count() && KeepsOrder(step.parts[0], path);
    case Way::kRecord: break;
  }
  const bool inside = begins(step.stored_path, path);
  return (!inside || (step.from->fields.size() == step.to->fields.size() &&
                      step.parts.size() == step.to->fields.size())) &&
         std::ranges::all_of(step.parts, [&](const Step& part) { return KeepsOrder(part, path); });
}

namespace {

// Bits of the values in it that have a meaning; false: one of them has an impossible value.
bool TakeUsed(const ValueType& type, uint64_t bits, uint64_t offset, uint64_t* used) {
  const auto mask = [](uint64_t count) {
    return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
  };
  if (type.bits > 64 || offset > 64 - type.bits) return false;
  if (type.bits == 0) return true;
  const uint64_t own = bits >> offset & mask(type.bits);
  if (type.kind == ValueKind::kRecord) {
    return std::ranges::all_of(type.fields, [&](const ValueField& field) {
      return TakeUsed(*field.type, bits, offset + field.bit_offset, used);
    });
  }
  if (type.kind == ValueKind::kArray) {
    for (uint64_t i = 0; type.element_bits != 0 && i < type.count(); ++i) {
      if (!TakeUsed(*type.element, bits, offset + i * type.element_bits, used)) return false;
    }
    return true;
  }
  *used |= mask(type.bits) << offset;
  if (type.ordinal()) {
    const __int128 value = NumberOf(type, own);
    return value >= type.first && value <= type.last;
  }
  if (type.kind == ValueKind::kSet) {
    const __int128 count = type.index->last - type.index->first + 1;
    return count >= 64 || (own & ~mask(count < 0 ? 0 : static_cast<uint64_t>(count))) == 0;
  }
  return true;
}

}  // namespace

bool IsValueOf(const ValueType& type, uint64_t bits) {
  uint64_t used = 0;
  return TakeUsed(type, bits, 0, &used) && (bits & ~used) == 0;
}

}  // namespace tenure::dbtool
