// Checks a whole database as the store has it, without a program's types and without the code that
// decodes pages for programs: every page's checksum; that objects and free places tile it; that
// types are in the store's type table and lengths fit; that runs of large objects are whole; that
// every reference, the root included, lands on the start of an object, of a type that may stand
// there as far as descriptions say (ReferentsOfSlots); that free places, TRANSIENT slots and what
// follows a large object are zero.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

struct VerifyReport {
  static constexpr size_t kProblemsKept = 20;

  uint64_t pages = 0;
  uint64_t objects = 0;  // large ones included
  uint64_t large_objects = 0;
  uint64_t references = 0;  // not NIL
  uint64_t imports = 0;     // entries of the tables of references to and from other databases
  uint64_t exports = 0;
  std::vector<bool> used_imports;  // by number - 1: whether a reference names the entry
  // Where such references are, each place in objects of a type once: `offset` bytes from the
  // beginning of the payload, or of an element's.
  struct Use {
    uint64_t type = 0;
    bool element = false;
    uint64_t offset = 0;

    auto operator<=>(const Use&) const = default;
  };
  std::vector<std::set<Use>> import_uses;  // by number - 1
  uint64_t free_bytes = 0;                 // of ordinary pages
  uint64_t problem_count = 0;
  std::vector<std::string> problems;  // the first ones, "page P offset O: ..."

  bool ok() const { return problem_count == 0; }
};

// Reads the database once, and pages with references to later ones twice. No commit may change it
// meanwhile. Takes memory of about 150 bytes a page. Damage is in the report; a failure of the
// server ends the walk.
//
// `on_small_page`, unless empty, is called for each page that is no part of a large object and
// whose objects could be found, in order, with their number.
Result<VerifyReport> VerifyDatabase(
    PageServer& server, DatabaseId database,
    const std::function<void(PageId page, size_t objects)>& on_small_page = {});

}  // namespace tenure::store
