// The requests of the page: answers as JSON, one function for each address below /api/. README.md
// of this folder lists them.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "dbtool/browse/browsed_store.h"
#include "dbtool/browse/guard.h"
#include "dbtool/browse/http_server.h"
#include "dbtool/browse/scanner.h"
#include "dbtool/values/json.h"

namespace tenure::dbtool {

// Any thread.
class BrowseApi {
 public:
  // All must outlive it. `database`: the one that the page begins with.
  BrowseApi(BrowsedStore& store, Scanner& scanner, const Guard& guard, std::string database,
            bool may_change);

  // Answers a request that the guard has let pass.
  HttpAnswer Answer(const HttpRequest& request);

 private:
  // Fills in *out. kInvalidArgument: the request is wrong.
  using Route = Status (BrowseApi::*)(const HttpRequest& request, Json* out);

  // api_store.cc
  Status State(const HttpRequest& request, Json* out);
  Status Overview(const HttpRequest& request, Json* out);
  Status Names(const HttpRequest& request, Json* out);
  Status Live(const HttpRequest& request, Json* out);
  Status Commits(const HttpRequest& request, Json* out);
  Status Commit(const HttpRequest& request, Json* out);
  // api_objects.cc
  Status Object(const HttpRequest& request, Json* out);
  Status Entries(const HttpRequest& request, Json* out);
  Status Back(const HttpRequest& request, Json* out);
  Status Graph(const HttpRequest& request, Json* out);
  Status Why(const HttpRequest& request, Json* out);
  Result<std::string> WholeText(const HttpRequest& request);
  // api_types.cc
  Status Types(const HttpRequest& request, Json* out);
  Status Type(const HttpRequest& request, Json* out);
  Status Objects(const HttpRequest& request, Json* out);
  // api_pages.cc
  Status Pages(const HttpRequest& request, Json* out);
  Status Page(const HttpRequest& request, Json* out);
  Status Traversal(const HttpRequest& request, Json* out);
  // api_query.cc
  Status Query(const HttpRequest& request, Json* out);
  Status Complete(const HttpRequest& request, Json* out);
  Status Set(const HttpRequest& request, Json* out);
  Status Scan(const HttpRequest& request, Json* out);

  std::string DatabaseOf(const HttpRequest& request) const;
  // Null: there is no index yet.
  std::shared_ptr<const ObjectIndex> IndexOf(const HttpRequest& request);
  // Reads in the lane of views; *out gets the damage as "problems".
  Status ReadView(const HttpRequest& request, Json* out,
                  const std::function<Status(DatabaseView&)>& read,
                  StoreLane lane = StoreLane::kViews);

  static const std::map<std::string, Route> kRoutes, kWrites;

  BrowsedStore& store_;
  Scanner& scanner_;
  const Guard& guard_;
  const std::string database_;
  const bool may_change_;
};

// --- For the files of this folder

// A number of the query, at most `most`; `missing` where there is none.
uint64_t NumberOf(const HttpRequest& request, const char* name, uint64_t missing, uint64_t most);
// {"what", "begin", "end", "text"}: what the page underlines.
Json ProblemOf(const QueryProblem& problem, const std::string& text);
// kNotFound where the index is missing.
Status NotScannedYet();
// kInvalidArgument where it is not a PAGE:OFFSET.
Result<store::PersistentRef> ReferenceOf(const HttpRequest& request);

}  // namespace tenure::dbtool
