// Checks the requests of programs to a served store, with the rules by which verification and
// programs read the data later (docs/page_format.md): the store accepts nothing that verification
// would report. One rule is left out: whether the object at a reference has a type that may stand
// there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

// The meaning of an object's bytes, from its type's description.
struct DescribedType {
  struct Slots {
    uint64_t offset, count, stride;
    unsigned kind;  // abi::SlotKind
  };

  bool procedure = false;  // names a procedure; all else is empty
  uint64_t payload = 0;
  uint64_t dimensions = 0, element = 0;  // of open arrays; else 0
  std::vector<Slots> slots, element_slots;

  uint64_t elements_at() const { return payload + 8 * dimensions; }
};

// False: it is not one that DescribeType, or Database for a procedure, makes of any type.
bool ParseDescription(std::string_view description, DescribedType* type);

// Any thread.
class RequestCheck {
 public:
  // `store` outlives it.
  explicit RequestCheck(PageServer& store) : store_(store) {}

  // kInvalidArgument, and what makes no sense.
  static Status CheckType(std::span<const std::byte> description);
  // The same for a commit. No other thread may write the pages that the request changes meanwhile.
  Status CheckCommit(const CommitRequest& request);

 private:
  class Pages;

  // Null: there is none.
  Result<std::shared_ptr<const DescribedType>> TypeAt(uint64_t index);
  // Whether the import table has at least `count` entries.
  Result<bool> HasImports(DatabaseId database, uint64_t count);

  PageServer& store_;
  Mutex lock_;
  std::vector<std::shared_ptr<const DescribedType>> types_ TN_GUARDED_BY(lock_);  // by index - 1
  std::map<uint32_t, uint64_t> imports_ TN_GUARDED_BY(lock_);  // at least, by database
};

}  // namespace tenure::store
