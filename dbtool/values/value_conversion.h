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
#include "dbtool/stored/stored_types.h"
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
  // Fields of records within fields have paths: "plan.mark", also those of an array's elements. A
  // stored path has the names that the store has, renamed or not.
  struct Options {
    // Whether what is to be converted lies in a value that NEW has made: only there a field that is
    // new in a record, or an element that is new in an array, has a default.
    bool has_defaults = true;
    std::string stored_name = {};  // of the field
    // What a field of a record is to be called; the name itself if there is nothing of it.
    std::function<std::string(const std::string& stored_path, const std::string& name)> renamed =
        {};
    // Whether values may be lost: of a field of a record that the new record does not have or for
    // which there is no rule, or of elements that a new array does not have.
    std::function<bool(const std::string& stored_path)> may_be_lost = {};
    // Whether the field of a record with this path, for which there is no rule, is set afterwards.
    std::function<bool(const std::string& path)> is_set = {};
  };
  // Values without a place in the new type.
  struct Loss {
    std::string stored_path;
    std::string part;  // of an array, in words: "elements 5 to 7"; empty: all
  };
  // A value that the new type does not have.
  struct Misfit {
    std::string path;  // of the new field, or of one inside of it
    std::string why;   // in words
  };
  // A field for which there is no rule.
  struct Unruled {
    std::string path, stored_path;
  };

  // kTypeMismatch names the field for which there is no rule, which `unruled` gets.
  static Result<ValueConversion> Make(const PlacedField& from, const PlacedField& to,
                                      const store::TypeKeys& types, const Options& options,
                                      Unruled* unruled = nullptr);

  // Writes the value at `to_bit`, where a value made by NEW lies. Adds to *misfits each part, and
  // for the elements of an array each part of the first of them, whose value the new type cannot
  // have: it stays as NEW has made it.
  void Convert(std::span<const std::byte> from, uint64_t from_bit, std::span<std::byte> to,
               uint64_t to_bit, std::vector<Misfit>* misfits) const {
    Convert(root_, from, from_bit, to, to_bit, misfits);
  }
  // Whether bit `bit` of the new value is left as NEW has made it.
  bool Leaves(uint64_t bit) const { return Leaves(root_, bit); }
  // Whether the value is copied bit by bit.
  bool copies() const { return root_.way == Way::kCopy; }
  // Whether values with the same order and the same hash, as a program computes them from ordinals
  // and references, have both afterwards: all numbers stay the same, and no field comes or goes.
  // `stored_path`: of a part of the value. Where the value is a reference, that says nothing of its
  // object.
  bool KeepsOrder(const std::string& stored_path) const { return KeepsOrder(root_, stored_path); }
  // The types of the values; null: the store does not explain them.
  const ValueTypePtr& from() const { return root_.from; }
  const ValueTypePtr& to() const { return root_.to; }
  // What is lost, and may not be or may be.
  const std::vector<Loss>& lost() const { return lost_; }
  const std::vector<Loss>& allowed_losses() const { return allowed_; }
  // The paths of the fields that Options::is_set leaves to others.
  const std::vector<std::string>& left() const { return left_; }

 private:
  // kDefault: the value stays as NEW has made it; kLost: and there was another one.
  enum class Way : uint8_t {
    kCopy,
    kOrdinal,
    kElement,
    kReal,
    kSet,
    kArray,
    kRecord,
    kDefault,
    kLost
  };

  // Offsets are from the beginning of the value that this one is a part of.
  struct Step {
    Way way = Way::kCopy;
    uint64_t from_bit = 0, to_bit = 0, from_bits = 0, to_bits = 0;
    std::string path, stored_path;
    ValueTypePtr from, to;
    std::vector<Step> parts;  // of a record; one, of an array with elements
  };
  class Maker;

  static void Convert(const Step& step, std::span<const std::byte> from, uint64_t from_bit,
                      std::span<std::byte> to, uint64_t to_bit, std::vector<Misfit>* misfits);
  static bool Leaves(const Step& step, uint64_t bit);
  static bool KeepsOrder(const Step& step, const std::string& path);

  Step root_;
  std::vector<Loss> lost_, allowed_;
  std::vector<std::string> left_;
};

// Whether the bits are a value of the type: each ordinal in its range, a set without elements that
// there are not, zeros between the fields of a record. At most 64 bits.
bool IsValueOf(const ValueType& type, uint64_t bits);

}  // namespace tenure::dbtool
