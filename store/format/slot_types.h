// The types that an object may have to be referred to from a slot of another object.
//
// A descriptor gives for each field the declared types of its references, and for the whole object
// the offsets of references. The type of each reference follows from both. Where the text does not
// show the bounds of arrays within records, each reference may have any of the field's types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/type_descriptor.h"

namespace tenure::store {

// For each of the `slots` traced references of a field, in order: the index of its declared
// referent in `referents`, or nothing if unknown. `type`: the field's type as text, in which no
// name stands for an array or a record.
std::optional<std::vector<size_t>> ReferentsOfSlots(std::string_view type, size_t slots,
                                                    size_t referents);

// The condition that an object must meet to be referred to from a slot.
class RequiredType {
 public:
  explicit RequiredType(const abi::TypeDescriptor& type)
      : only_(&type), first_(type.typecode), span_(type.last_subtype - type.typecode) {}
  explicit RequiredType(std::vector<const abi::TypeDescriptor*> any);

  bool Accepts(const abi::TypeDescriptor& type) const {
    return type.typecode - first_ <= span_ || (!others_.empty() && AcceptsOther(type));
  }

  // The declared type; null: one of several.
  const abi::TypeDescriptor* only() const { return only_; }

 private:
  bool AcceptsOther(const abi::TypeDescriptor& type) const;

  const abi::TypeDescriptor* only_ = nullptr;
  uint32_t first_, span_;  // typecodes
  std::vector<const abi::TypeDescriptor*> others_;
};

// Slots of one kind and, of references, one declared type; of procedures, one calling shape.
struct TypedSlotRun {
  abi::SlotRun slots;
  const RequiredType* required = nullptr;  // null: any object
  uint32_t shape = 0;  // of procedures, how they are called (abi::ProcedureInfo); 0: not known
};

// All slots of a type's objects. Must not be moved.
class SlotTypes {
 public:
  explicit SlotTypes(const abi::TypeDescriptor& type);
  SlotTypes(const SlotTypes&) = delete;
  SlotTypes& operator=(const SlotTypes&) = delete;

  const std::vector<TypedSlotRun>& runs() const { return runs_; }
  const std::vector<TypedSlotRun>& element_runs() const { return element_runs_; }
  // The condition that exactly the objects of this type meet.
  const RequiredType& own() const { return *own_; }

 private:
  void Add(const abi::TypeDescriptor& type, const abi::SlotRun* runs, uint32_t count,
           std::vector<TypedSlotRun>* typed);
  // Replaces the runs of procedures that lack the procedures' shapes.
  static void AddProcedures(std::span<const abi::ProcedureRun> runs,
                            std::vector<TypedSlotRun>* typed);
  const RequiredType* Require(RequiredType required);

  std::vector<TypedSlotRun> runs_, element_runs_;
  std::vector<std::pair<const abi::TypeDescriptor*, const RequiredType*>> known_;
  std::vector<std::unique_ptr<const RequiredType>> required_;
  const RequiredType* own_;
};

}  // namespace tenure::store
