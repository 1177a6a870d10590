// The objects that an import has read, in an unnamed file until all of them are known: an import
// takes no more memory for objects than its largest one needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "store/format/persistent_ref.h"

namespace tenure::dbtool {

struct ImportedObject {
  uint64_t line = 0;          // of the export
  store::PersistentRef name;  // as exported
  uint64_t type = 0;          // as exported
  std::vector<std::byte> data;
  std::vector<std::pair<uint64_t, uint64_t>> references;  // offset; the object's name
  std::vector<std::pair<uint64_t, uint64_t>> imports, procedures;
};

class ImportSpill {
 public:
  ImportSpill() = default;
  ~ImportSpill();
  ImportSpill(const ImportSpill&) = delete;
  ImportSpill& operator=(const ImportSpill&) = delete;

  // Makes the file, in TMPDIR or /tmp. Call before all other functions.
  Status Open();
  Status Write(const ImportedObject& object);
  // Calls visit for all objects, in the order in which they were written, until visit fails.
  // Returns the failure of visit or of the file.
  Status ForEach(const std::function<Status(ImportedObject& object)>& visit);

 private:
  std::string name_;
  FILE* file_ = nullptr;
};

}  // namespace tenure::dbtool
