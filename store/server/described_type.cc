#include "store/server/described_type.h"

#include <charconv>
#include <optional>
#include <utility>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "store/format/nested_arrays.h"
#include "store/format/slot_types.h"
#include "store/format/type_description.h"
#include "store/format/unfinished_import.h"

namespace tenure::store {

namespace {

using abi::kHeaderBytes;

constexpr uint64_t kBytesMost = uint64_t{1} << 32;
constexpr uint64_t kDimensionsMost = 64;
// Places for references in a type beyond which programs ask only whether any of the type's fields
// may have the reference (slot_types.cc), and verification asks nothing.
constexpr size_t kSlotsOneByOne = 1 << 16, kSlotsMost = 1 << 20;
// Fields that lie over the same slots again and again are no program's.
constexpr size_t kSlotsOfFieldsMost = 1 << 22;

// Takes numbers with blanks between them off the text.
bool TakeNumbers(std::string_view* text, std::span<uint64_t> numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) {
      if (!text->starts_with(' ')) return false;
      text->remove_prefix(1);
    }
    const char* const end = text->data() + text->size();
    const auto [after, error] = std::from_chars(text->data(), end, numbers[i]);
    if (error != std::errc() || after == text->data()) return false;
    text->remove_prefix(static_cast<size_t>(after - text->data()));
  }
  return true;
}

bool Fit(const std::vector<DescribedType::Slots>& slots, uint64_t bytes) {
  return std::all_of(slots.begin(), slots.end(), [&](const DescribedType::Slots& run) {
    if (run.kind > 3 || run.offset % 8 != 0 || run.stride % 8 != 0 || run.count == 0) return false;
    if (run.offset > bytes || bytes - run.offset < 8) return false;
    return run.count == 1 ||
           (run.stride >= 8 && run.count - 1 <= (bytes - run.offset - 8) / run.stride);
  });
}

// For a run of traced slots of a type: what each declares.
class SlotNames {
 public:
  explicit SlotNames(DescribedType* type) : type_(*type) {}

  // Divides the traced runs by what their slots declare. False: nobody has such fields.
  bool Divide(std::vector<DescribedType::Slots>* runs, const std::vector<DeclaredField>& fields) {
    struct Slot {
      uint64_t offset;
      const std::vector<TypeName>* declared;
    };
    std::vector<Slot> slots;
    std::vector<DescribedType::Slots> divided;
    bool never = false;
    for (const DescribedType::Slots& run : *runs) {
      if (run.kind != kTraced) {
        divided.push_back(run);
        never |= run.kind != kCode;
        continue;
      }
      for (uint64_t i = 0; i < run.count && slots.size() <= kSlotsMost; ++i) {
        slots.push_back({run.offset + i * run.stride, nullptr});
      }
    }
    std::vector<TypeName> all;
    if (slots.size() > kSlotsOneByOne) {
      for (const DeclaredField& field : fields) {
        all.insert(all.end(), field.refers.begin(), field.refers.end());
      }
    }
    const std::vector<TypeName>* const any = all.empty() ? nullptr : Keep(std::move(all));
    if (slots.size() > kSlotsMost) {
      for (DescribedType::Slots& run : *runs) {
        if (run.kind == kTraced) run.declared = any;
      }
      return true;
    }
    std::sort(slots.begin(), slots.end(),
              [](const Slot& a, const Slot& b) { return a.offset < b.offset; });
    size_t work = 0;
    for (const DeclaredField& field : fields) {
      const size_t referents = field.refers.size();
      if (referents == 0) continue;
      const auto at = [&](uint64_t bit) {
        return std::partition_point(slots.begin(), slots.end(),
                                    [&](const Slot& slot) { return 8 * slot.offset < bit; });
      };
      const auto begin = at(field.bit_offset), end = at(field.bit_offset + field.bits);
      const auto in_field = static_cast<size_t>(end - begin);
      work += in_field + 1;
      if (work > kSlotsOfFieldsMost) return false;
      if (in_field == 0) continue;
      std::optional<std::vector<size_t>> of;
      // A slot that is never stored in the field may or may not be among the referents.
      if (referents == 1 || !never) of = ReferentsOfSlots(field.type, in_field, referents);
      if (!of && !never) {
        std::vector<std::string_view> names;
        for (const TypeName& name : field.refers) names.emplace_back(name.name);
        of = ReferentsInArrays(field.type, in_field, names);
      }
      if (!of) {
        const std::vector<TypeName>* const some = Keep(field.refers);
        for (auto slot = begin; slot != end; ++slot) slot->declared = some;
        continue;
      }
      std::vector<const std::vector<TypeName>*> each;
      for (const TypeName& name : field.refers) each.push_back(Keep({name}));
      for (size_t i = 0; i < in_field; ++i) {
        begin[static_cast<std::ptrdiff_t>(i)].declared = each[(*of)[i]];
      }
    }
    for (const Slot& slot : slots) {
      const std::vector<TypeName>* const declared = slot.declared == nullptr ? any : slot.declared;
      if (!divided.empty() && divided.back().kind == kTraced &&
          divided.back().declared == declared) {
        DescribedType::Slots& run = divided.back();
        const uint64_t stride = run.count == 1 ? slot.offset - run.offset : run.stride;
        if (stride >= 8 && slot.offset == run.offset + run.count * stride) {
          run.stride = stride;
          ++run.count;
          continue;
        }
      }
      divided.push_back({slot.offset, 1, 8, kTraced, declared});
    }
    *runs = std::move(divided);
    return true;
  }

 private:
  // Null: any object may be there.
  const std::vector<TypeName>* Keep(std::vector<TypeName> names) {
    if (std::any_of(names.begin(), names.end(),
                    [](const TypeName& name) { return name.name == "REFANY"; })) {
      return nullptr;
    }
    const std::string key = KeyOf(names);
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == key) return type_.declared[i].get();
    }
    keys_.push_back(key);
    type_.declared.push_back(std::make_unique<const std::vector<TypeName>>(std::move(names)));
    return type_.declared.back().get();
  }
  static std::string KeyOf(const std::vector<TypeName>& names) {
    std::string key;
    for (const TypeName& name : names) {
      key += name.fingerprint + ' ' + name.name + '\n' + name.brand + '\n';
    }
    return key;
  }

  DescribedType& type_;
  std::vector<std::string> keys_;  // of type_.declared
};

bool FillNames(const std::string& description, DescribedType* type) {
  if (!ParseType(description, &type->names)) return false;
  // The fields of an open array are those of its elements.
  const std::vector<DeclaredField> fields = std::exchange(type->names.fields, {});
  SlotNames names(type);
  if (!names.Divide(&type->slots, fields) || !names.Divide(&type->element_slots, fields)) {
    return false;
  }
  type->names.slots.clear();
  type->names.element_slots.clear();
  type->text = description;
  type->mark = type->names.own.name == kUnfinishedImportType;
  return true;
}

}  // namespace

bool ParseDescription(std::string_view text, DescribedType* type) {
  const std::string_view whole = text;
  if (text.find('\0') != std::string_view::npos || !text.ends_with('\n')) return false;
  if (text.starts_with("procedure ")) {
    type->procedure = true;
    return text.find('\n') == text.size() - 1 && text.size() > sizeof "procedure \n";
  }
  if (!FingerprintIn(text)) return false;
  bool has_name = false, has_kind = false, has_payload = false, ended = false;
  struct Field {
    uint64_t offset, bits;
  };
  std::vector<Field> fields;
  while (!text.empty()) {
    if (ended) return false;
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const size_t space = std::min(line.find(' '), line.size());
    const std::string_view key = line.substr(0, space);
    std::string_view value = line.substr(std::min(space + 1, line.size()));
    uint64_t numbers[4];
    if (key == "end") {
      ended = value.empty();
    } else if (key == "name") {
      if (std::exchange(has_name, true)) return false;
    } else if (key == "kind") {
      if (std::exchange(has_kind, true) || (value != "object" && value != "ref")) return false;
    } else if (key == "payload") {
      if (std::exchange(has_payload, true)) return false;
      if (!TakeNumbers(&value, std::span(numbers).first(1)) || !value.empty()) return false;
      type->payload = numbers[0];
    } else if (key == "open") {
      if (type->dimensions != 0) return false;
      if (!TakeNumbers(&value, std::span(numbers).first(2)) || !value.empty()) return false;
      type->dimensions = numbers[0];
      type->element = numbers[1];
      if (type->dimensions == 0 || type->dimensions > kDimensionsMost) return false;
    } else if (key == "slots" || key == "element-slots") {
      if (!TakeNumbers(&value, numbers) || !value.empty() || numbers[3] > 3) return false;
      (key == "slots" ? type->slots : type->element_slots)
          .push_back({numbers[0], numbers[1], numbers[2], static_cast<unsigned>(numbers[3])});
    } else if (key == "field") {
      if (!TakeNumbers(&value, std::span(numbers).first(2)) || !value.starts_with(' ')) {
        return false;
      }
      fields.push_back({numbers[0], numbers[1]});
    }
    // Lines with other keys are only compared, as text, by verification and tools.
  }
  if (!ended || !has_name || !has_payload) return false;
  if (type->payload > kBytesMost || type->element > kBytesMost) return false;
  if (!Fit(type->slots, type->payload) || !Fit(type->element_slots, type->element)) return false;
  if (!type->element_slots.empty() &&
      (type->dimensions == 0 || type->element % 8 != 0 || type->elements_at() % 8 != 0)) {
    return false;
  }
  const uint64_t bits = 8 * std::max(type->payload, type->element);
  const bool inside = std::all_of(fields.begin(), fields.end(), [&](const Field& field) {
    return field.offset <= bits && field.bits <= bits - field.offset;
  });
  return inside && FillNames(std::string(whole), type);
}

std::string DescribedDifference(const std::string& known, const std::string& added) {
  DeclaredType before, now;
  if (!ParseType(known, &before) || !ParseType(added, &now)) return "";
  if (!SameLayout(known, added)) {
    const std::string layout = LayoutDifference(known, added);
    return layout.empty() ? "its objects have another layout" : layout;
  }
  if (before.object != now.object) return "one is an object type, the other a reference";
  const auto same = [](const std::vector<TypeName>& a, const std::vector<TypeName>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const TypeName& x, const TypeName& y) { return x.IsSame(y); });
  };
  if (before.supertypes_known && now.supertypes_known && !same(before.supertypes, now.supertypes)) {
    return "its supertypes are others";
  }
  for (size_t i = 0; i < std::min(before.fields.size(), now.fields.size()); ++i) {
    const std::vector<TypeName>&a = before.fields[i].refers, &b = now.fields[i].refers;
    if (!a.empty() && !b.empty() && !same(a, b)) return "its references lead to other types";
  }
  return "";
}

bool BeginsAs(const DescribedType& super, const DescribedType& target) {
  if (super.procedure || target.procedure || target.payload < super.payload) return false;
  if (super.dimensions != target.dimensions || super.element != target.element) return false;
  // The words of the supertype's payload that are slots, in order.
  const auto words = [&](const std::vector<DescribedType::Slots>& runs, uint64_t end) {
    std::vector<std::pair<uint64_t, unsigned>> all;
    for (const DescribedType::Slots& run : runs) {
      for (uint64_t i = 0; i < run.count && all.size() < kSlotsMost; ++i) {
        const uint64_t at = run.offset + i * run.stride;
        if (at < end) all.emplace_back(at, run.kind);
      }
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  return words(super.slots, super.payload) == words(target.slots, super.payload) &&
         words(super.element_slots, super.element) == words(target.element_slots, super.element);
}

bool HasLayoutOf(const DescribedType& type, const DescribedType& target) {
  return LayoutDifference(type.text, target.text).empty();
}

uint64_t StoredObjectBytes(const DescribedType& type, const std::byte* header, uint64_t room,
                           uint64_t most, uint64_t* payload) {
  unsigned __int128 bytes = type.payload;
  if (type.dimensions != 0) {
    if (kHeaderBytes + type.elements_at() > room) return 0;
    unsigned __int128 elements = type.element;
    for (uint64_t d = 0; d < type.dimensions; ++d) {
      const uint64_t length = WordAt(header, kHeaderBytes + type.payload + 8 * d);
      elements *= length;
      if (length >> 60 != 0 || elements >> 60 != 0) return 0;
    }
    bytes = elements + type.elements_at();
  }
  if (bytes > most) return 0;
  *payload = static_cast<uint64_t>(bytes);
  const uint64_t whole = kHeaderBytes + abi::PayloadRoom(*payload);
  return whole <= most ? whole : 0;
}

}  // namespace tenure::store
