// Saves the readable objects of a damaged store into a new one.
//
// Works on a copy, on which it first tries an ordinary recovery. Then it reads the records out of
// the files themselves, so damaged inner pages and a lost directory of pages do not matter. Objects
// keep their places; references to lost objects become NIL.
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
  bool other_file = false;     // an older file than the store had last, or one of another copy
  std::string failure;         // why nothing was saved
  // References to other databases of the store that lead to nothing now.
  std::vector<std::string> broken;

  bool complete() const {
    return damaged_pages == 0 && lost_references == 0 && lost_exports == 0 && !root_lost &&
           !identity_lost && !other_file && failure.empty() && broken.empty();
  }
};

struct SalvageReport {
  std::vector<std::string> unreadable;  // parts of files that were left out, with the reasons
  std::string mended;                   // the damage of FORMAT; no data are lost by it
  std::string recovery_problem;         // empty: recovery succeeded, and all commits are there
  // The number of this store's parts of commits of several stores that wait for their outcome.
  uint64_t lost_prepared = 0;
  uint64_t lost_types = 0;
  std::vector<SalvagedDatabase> databases;

  bool complete() const;
};

// Makes `target` completely or not at all; kExists if there is something at `target`. kFormat if
// the store is of a later version. The store is not changed. Other databases may still refer to the
// databases, but the store is a new one.
Result<SalvageReport> Salvage(const std::string& store, const std::string& target);

}  // namespace tenure::dbtool
