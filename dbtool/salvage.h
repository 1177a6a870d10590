// Gets out of a damaged store what can still be read, into a new one.
//
// It works on a copy, on which it first tries an ordinary recovery. Then it takes the records out
// of the files themselves, so that neither damaged inner pages nor a lost directory of them matter.
// Objects keep their places; references to what is lost become NIL.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace tenure::dbtool {

struct SalvagedDatabase {
  std::string name;
  uint64_t objects = 0, pages = 0;
  uint64_t damaged_pages = 0;    // records with a wrong checksum, or contents that cannot be
  uint64_t lost_references = 0;  // NIL now
  bool root_lost = false;
  std::string failure;  // why nothing of it was saved

  bool complete() const {
    return damaged_pages == 0 && lost_references == 0 && !root_lost && failure.empty();
  }
};

struct SalvageReport {
  std::string mended;            // what was wrong with FORMAT; nothing is lost by that
  std::string recovery_problem;  // empty: recovery succeeded, and all commits are there
  uint64_t lost_types = 0;
  std::vector<SalvagedDatabase> databases;

  bool complete() const;
};

// kExists if there is something at `target`, which is complete or not there. The store is not changed. Databases get new uuids, so
// references between them are lost.
Result<SalvageReport> Salvage(const std::string& store, const std::string& target);

}  // namespace tenure::dbtool
