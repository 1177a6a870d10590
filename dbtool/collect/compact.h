// Rewrites databases, and puts the new ones in the place of the old, all or none. Nothing of the
// old ones is changed before; space for the new ones is needed. References from other databases go
// on leading to the same objects, since they are by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dbtool/stored/object_reader.h"
#include "dbtool/stored/stored_objects.h"

namespace tenure::dbtool {

// An object that a conversion makes for this slot to refer to. It has no references.
struct MadeObject {
  uint64_t slot = 0;
  const StoredType* type = nullptr;
  std::vector<std::byte> payload;
  bool shared = false;  // there is one for all that are equal
};

struct Converted {
  std::vector<std::byte> payload;  // slots for references have the old references in them
  std::vector<MadeObject> made;
};

// The conversion of one type's objects. An open array keeps its lengths; the two types have no
// fields before them.
struct Conversion {
  const StoredType* to = nullptr;
  // Other objects are read with the reader, which makes the payload of this object invalid.
  std::function<Converted(const StoredObject& object, ObjectReader& reader)> convert;
};

struct RewriteOptions {
  uint64_t pages_at_once = 2048;  // that a commit writes
  // Encodes objects of a type; null: objects of this type are copied unchanged.
  std::function<const Conversion*(const StoredType& type)> conversion = {};
  // Why objects of a type cannot be in the new databases; asked when the first one is met.
  std::function<Status(const StoredType& type)> refusal = {};
  // Asked before the new databases take their places; not ok: they do not.
  std::function<Status()> problem = {};
  // Checks and converts everything and writes nothing; the result is the same.
  bool only_try = false;
  // The directory of the store, to find out before writing whether the disk has room for the new
  // databases; empty: this is found out while they are written.
  std::string directory = {};
  // Whether a look for room may run the conversions once more.
  bool may_rerun_conversions = true;
};

struct RewriteTotals {
  uint64_t objects = 0, converted = 0;
  uint64_t pages_before = 0, pages = 0;
};

// Objects come in the order of a breadth-first traversal from the root and then from the exports,
// small ones as a commit lays them (store/format/clustering.h). Unreachable objects are left out.
// The store is closed afterwards, also after a failure. kCorrupt if a database is damaged; kNoSpace
// says how much room is needed. After a failure nothing has been changed.
Result<RewriteTotals> Rewrite(OpenedStore& store, const std::vector<std::string>& databases,
                              const RewriteOptions& options);

}  // namespace tenure::dbtool
