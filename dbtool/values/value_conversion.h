// How the bits of a stored value become those of a value of another type. The one place that
// decides whether two types of values have the same layout: it compares the places of all fields
// and elements, at all depths. Where they differ, it converts field by field: fields of records by
// their names, elements of enumerations by their names, in sets and as indexes of arrays too,
// numbers and characters by their values, references if they may refer to the same types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dbtool/stored_types.h"
#include "dbtool/values/value_type.h"
#include "store/format/type_description.h"

namespace tenure::dbtool {

// The slots in a field: bit offset from the field's start, and kind.
std::vector<std::pair<uint64_t, StoredSlot>> SlotsIn(const std::vector<SlotRun>& slots,
                                                     const StoredField& field);

// A field, or the element of an open array, in its type.
struct PlacedField {
  const StoredType& type;
  const StoredField& field;
  const std::vector<SlotRun>& slots;  // of the type's payload, or of its elements
};

class ValueConversion {
 public:
  struct Options {
    // Whether what is to be converted lies in a value that NEW has made: only there a field that is
    // new in a record, or an element that is new in an array, has a default.
    bool has_defaults = true;
    // Whether the value of a field of a record, which the new record does not have, may be lost.
    std::function<bool(const std::string& path)> may_be_lost = {};
  };

  // kTypeMismatch names the field for which there is no rule: fields of records within fields are
  // called "plan.mark", also those of an array's elements.
  static Result<ValueConversion> Make(const PlacedField& from, const PlacedField& to,
                                      const store::TypeKeys& types, const Options& options);

  // Writes the value at `to_bit`, where a value made by NEW lies. Otherwise, in words, which value
  // the new type cannot have.
  std::string Convert(std::span<const std::byte> from, uint64_t from_bit, std::span<std::byte> to,
                      uint64_t to_bit) const {
    return Convert(root_, from, from_bit, to, to_bit);
  }
  // Whether bit `bit` of the new value is left as NEW has made it.
  bool Leaves(uint64_t bit) const { return Leaves(root_, bit); }
  // Whether the value is copied bit by bit.
  bool copies() const { return root_.way == Way::kCopy; }
  // Whether values with the same order and the same hash, as a program computes them from ordinals
  // and references, have both afterwards: all numbers stay the same, and no field comes or goes.
  // `path`: of a part of the value. Where the value is a reference, that says nothing of its
  // object.
  bool KeepsOrder(const std::string& path) const { return KeepsOrder(root_, path); }
  // The types of the values; null: the store does not explain them.
  const ValueTypePtr& from() const { return root_.from; }
  const ValueTypePtr& to() const { return root_.to; }
  // The paths of fields of records whose values are lost, allowed or not.
  const std::vector<std::string>& lost() const { return lost_; }
  const std::vector<std::string>& allowed_losses() const { return allowed_; }

 private:
  enum class Way : uint8_t { kCopy, kOrdinal, kElement, kReal, kSet, kArray, kRecord, kDefault };

  // Offsets are from the beginning of the value that this one is a part of.
  struct Step {
    Way way = Way::kCopy;
    uint64_t from_bit = 0, to_bit = 0, from_bits = 0, to_bits = 0;
    std::string path;
    ValueTypePtr from, to;
    std::vector<Step> parts;  // of a record; one, of an array
  };
  class Maker;

  static std::string Convert(const Step& step, std::span<const std::byte> from, uint64_t from_bit,
                             std::span<std::byte> to, uint64_t to_bit);
  static bool Leaves(const Step& step, uint64_t bit);
  static bool KeepsOrder(const Step& step, const std::string& path);

  Step root_;
  std::vector<std::string> lost_, allowed_;
};

// Whether the bits are a value of the type: each ordinal in its range, a set without elements that
// there are not, zeros between the fields of a record. At most 64 bits.
bool IsValueOf(const ValueType& type, uint64_t bits);

}  // namespace tenure::dbtool
