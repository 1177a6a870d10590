#include "store/format/slot_types.h"

#include <algorithm>

#include "store/format/nested_arrays.h"

namespace tenure::store {

using abi::SlotKind;
using abi::SlotRun;
using abi::TypeDescriptor;

std::optional<std::vector<size_t>> ReferentsOfSlots(std::string_view type, size_t slots,
                                                    size_t referents) {
  std::vector<size_t> of(slots);
  if (referents == 0 || slots == 0) return std::nullopt;
  if (referents == 1) return of;
  constexpr std::string_view kArray = "ARRAY ", kOf = " OF ", kRef = "REF ";
  // An array of arrays has only more slots of the same type.
  while (type.starts_with(kArray)) {
    const size_t element = type.find(kOf);
    if (element == std::string_view::npos) return std::nullopt;
    type.remove_prefix(element + kOf.size());
  }
  // Each element has the references one after the other, unless there are arrays within.
  for (size_t at = 0; (at = type.find(kArray, at)) != std::string_view::npos; ++at) {
    if (!type.substr(0, at).ends_with(kRef)) return std::nullopt;
  }
  if (slots % referents != 0) return std::nullopt;
  for (size_t i = 0; i < slots; ++i) of[i] = i % referents;
  return of;
}

RequiredType::RequiredType(std::vector<const TypeDescriptor*> any)
    : first_(any.front()->typecode),
      span_(any.front()->last_subtype - any.front()->typecode),
      others_(std::move(any)) {}

bool RequiredType::AcceptsOther(const TypeDescriptor& type) const {
  return std::any_of(others_.begin(), others_.end(),
                     [&](const TypeDescriptor* other) { return abi::IsSubtype(type, *other); });
}

SlotTypes::SlotTypes(const TypeDescriptor& type) : own_(Require(RequiredType(type))) {
  Add(type, type.slot_runs, type.slot_run_count, &runs_);
  Add(type, type.element_runs, type.element_run_count, &element_runs_);
  if (const abi::ProcedureRuns* const procedures = type.procedure_runs) {
    AddProcedures(std::span(procedures->runs, procedures->run_count), &runs_);
    AddProcedures(std::span(procedures->element_runs, procedures->element_run_count),
                  &element_runs_);
  }
}

void SlotTypes::AddProcedures(std::span<const abi::ProcedureRun> runs,
                              std::vector<TypedSlotRun>* typed) {
  std::erase_if(*typed,
                [](const TypedSlotRun& run) { return run.slots.kind == SlotKind::kProcedure; });
  for (const abi::ProcedureRun& run : runs) {
    typed->push_back(
        {{run.offset, run.count, run.stride, SlotKind::kProcedure}, nullptr, run.shape});
  }
}

const RequiredType* SlotTypes::Require(RequiredType required) {
  required_.push_back(std::make_unique<const RequiredType>(std::move(required)));
  return required_.back().get();
}

void SlotTypes::Add(const TypeDescriptor& type, const SlotRun* runs, uint32_t count,
                    std::vector<TypedSlotRun>* typed) {
  // Larger arrays of records with several references are rare.
  constexpr size_t kMostSlots = 1 << 16;
  struct Slot {
    uint32_t offset;
    const RequiredType* required;
  };
  std::vector<Slot> slots;
  bool transient = false;
  for (uint32_t r = 0; r < count; ++r) {
    transient |= runs[r].kind == SlotKind::kTransientReference;
    if (runs[r].kind != SlotKind::kReference) {
      typed->push_back({runs[r], nullptr});
      continue;
    }
    for (uint32_t i = 0; i < runs[r].count && slots.size() <= kMostSlots; ++i) {
      slots.push_back({runs[r].offset + i * runs[r].stride, nullptr});
    }
  }
  if (slots.size() > kMostSlots) {
    // An array of many: of one declared type, most often.
    std::vector<const TypeDescriptor*> all;
    bool known = type.field_count > 0;
    for (uint32_t f = 0; f < type.field_count; ++f) {
      all.insert(all.end(), type.fields[f].referents,
                 type.fields[f].referents + type.fields[f].referent_count);
    }
    known = known && !all.empty();
    const RequiredType* const any = known ? Require(RequiredType(std::move(all))) : nullptr;
    for (uint32_t r = 0; r < count; ++r) {
      if (runs[r].kind == SlotKind::kReference) typed->push_back({runs[r], any});
    }
    return;
  }
  std::sort(slots.begin(), slots.end(),
            [](const Slot& a, const Slot& b) { return a.offset < b.offset; });
  const auto require = [&](const TypeDescriptor* declared) {
    for (const auto& [known, required] : known_) {
      if (known == declared) return required;
    }
    known_.emplace_back(declared, Require(RequiredType(*declared)));
    return known_.back().second;
  };
  for (uint32_t f = 0; f < type.field_count; ++f) {
    const abi::FieldDescriptor& field = type.fields[f];
    if (field.referent_count == 0) continue;
    const auto at = [&](uint64_t bit) {
      return std::partition_point(slots.begin(), slots.end(), [&](const Slot& slot) {
        return 8 * uint64_t{slot.offset} < bit;
      });
    };
    const auto begin = at(field.bit_offset), end = at(uint64_t{field.bit_offset} + field.bit_size);
    const auto in_field = static_cast<size_t>(end - begin);
    std::optional<std::vector<size_t>> of;
    // A TRANSIENT reference in the field may or may not be among the referents.
    if (!transient || field.referent_count == 1) {
      const char* const text = field.value_type != nullptr ? field.value_type : field.type_name;
      of = ReferentsOfSlots(text, in_field, field.referent_count);
      if (!of && in_field > 0) {
        std::vector<std::string_view> names;
        for (uint32_t k = 0; k < field.referent_count; ++k) {
          names.emplace_back(field.referents[k]->name);
        }
        of = ReferentsInArrays(text, in_field, names);
      }
    }
    if (of) {
      for (size_t i = 0; i < in_field; ++i) {
        begin[static_cast<std::ptrdiff_t>(i)].required = require(field.referents[(*of)[i]]);
      }
    } else if (in_field > 0) {
      const RequiredType* const any = Require(RequiredType(std::vector<const TypeDescriptor*>(
          field.referents, field.referents + field.referent_count)));
      for (auto slot = begin; slot != end; ++slot) slot->required = any;
    }
  }
  for (const Slot& slot : slots) {
    TypedSlotRun* const last = typed->empty() || typed->back().slots.kind != SlotKind::kReference
                                   ? nullptr
                                   : &typed->back();
    if (last != nullptr && last->required == slot.required) {
      SlotRun& run = last->slots;
      const uint32_t stride = run.count == 1 ? slot.offset - run.offset : run.stride;
      if (slot.offset == run.offset + run.count * stride) {
        run.stride = stride;
        ++run.count;
        continue;
      }
    }
    typed->push_back({{slot.offset, 1, 8, SlotKind::kReference}, slot.required});
  }
}

}  // namespace tenure::store
