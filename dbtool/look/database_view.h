// One database, open for looking at: what `show`, `query`, `set` and the shell work with.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "dbtool/query/check.h"
#include "dbtool/query/run.h"
#include "dbtool/values/container.h"
#include "dbtool/values/value.h"

namespace tenure::dbtool {

class DatabaseView {
 public:
  // The store and the views must outlive it. `database` is its name.
  static Result<std::unique_ptr<DatabaseView>> Open(OpenedStore& store, const std::string& database,
                                                    const Views& views);

  ObjectSource& source() { return source_; }
  Values& values() { return values_; }
  const Views& views() const { return views_; }
  const Beginnings& beginnings() const { return beginnings_; }
  // Damage that was met, each once, in words.
  const std::vector<std::string>& problems() const { return problems_; }
  uint64_t problem_count() const { return problem_count_; }
  void Report(const Status& status);

 private:
  DatabaseView(store::PageServer& server, store::DatabaseId id, const StoredTypes& types,
               const Views& views)
      : source_(server, id, types), values_(source_), views_(views) {}

  ObjectSource source_;
  Values values_;
  const Views& views_;
  Beginnings beginnings_;
  std::vector<std::string> problems_;  // the first ones
  std::set<std::string> reported_;
  uint64_t problem_count_ = 0;
};

// Reads a store while others may use it. Calls read(), which must do nothing but read the store and
// gather its output, until no other program's commit comes between; what it does to the store's
// pages is then all of one moment. A store that this process has alone is read once.
Status ReadAtOneMoment(OpenedStore& store, const std::function<Status()>& read);

}  // namespace tenure::dbtool
