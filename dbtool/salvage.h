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
  uint64_t damaged_pages = 0;     // records with a wrong checksum, or contents that cannot be
  uint64_t lost_references = 0;   // NIL now
  uint64_t wrong_references = 0;  // of these, such as led to an object that may not stand there
  uint64_t lost_exports = 0;      // objects that other databases refer to
  bool root_lost = false;
  bool identity_lost = false;  // other databases do not find it any more
  std::string failure;         // why nothing of it was saved
  // References to other databases of the store that lead to nothing now.
  std::vector<std::string> broken;

  bool complete() const {
    return damaged_pages == 0 && lost_references == 0 && lost_exports == 0 && !root_lost &&
           !identity_lost && failure.empty() && broken.empty();
  }
};

struct SalvageReport {
  std::string mended;            // what was wrong with FORMAT; nothing is lost by that
  std::string recovery_problem;  // empty: recovery succeeded, and all commits are there
  // Of commits of several stores that wait for their outcome, their parts in this one.
  uint64_t lost_prepared = 0;
  uint64_t lost_types = 0;
  std::vector<SalvagedDatabase> databases;

  bool complete() const;
};

// kExists if there is something at `target`, which is complete or not there; kFormat if the store
// is of a later version. The store is not changed. Databases stay what they were for those that
// refer to them, but the store is a new one.
Result<SalvageReport> Salvage(const std::string& store, const std::string& target);

}  // namespace tenure::dbtool
