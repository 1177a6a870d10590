// Queries in the language of `tenure db query`, and changes by hand as `tenure db set` makes them.
#include <utility>
#include <vector>

#include "dbtool/browse/api.h"
#include "dbtool/browse/cells.h"
#include "dbtool/look/set.h"
#include "dbtool/look/shell.h"
#include "dbtool/query/run.h"

namespace tenure::dbtool {

namespace {

class CellSink final : public RowSink {
 public:
  CellSink(DatabaseView& view, uint64_t most, Json* out) : view_(view), most_(most), out_(*out) {}

  void Begin(const std::vector<std::string>& columns) override {
    out_["columns"] = columns;
    out_["rows"] = Json::array();
  }

  bool Add(const std::vector<Datum>& row) override {
    if (out_["rows"].size() >= most_) {
      out_["more"] = true;
      return false;
    }
    Json cells = Json::array();
    for (const Datum& value : row) cells.push_back(CellOf(view_, value, ""));
    out_["rows"].push_back(std::move(cells));
    return true;
  }

 private:
  DatabaseView& view_;
  const uint64_t most_;
  Json& out_;
};

}  // namespace

// ?q=&most=: the rows of a query.
Status BrowseApi::Query(const HttpRequest& request, Json* out) {
  const std::string& text = request.Query("q");
  const uint64_t most = NumberOf(request, "most", 200, 5000);
  const auto read = [&](DatabaseView& view) -> Status {
    QueryRun run(view.values(), view.views(), view.beginnings());
    QueryProblem problem;
    if (!run.Prepare(text, &problem)) {
      (*out)["problem"] = ProblemOf(problem, text);
      return Status::Ok();
    }
    CellSink sink(view, most, out);
    TN_RETURN_IF_ERROR(run.Run(sink, [&](const Status& damage) { view.Report(damage); }));
    (*out)["plan"] = run.plan();
    return Status::Ok();
  };
  return ReadView(request, out, read, StoreLane::kQueries);
}

// ?text=: what may stand at the text's end.
Status BrowseApi::Complete(const HttpRequest& request, Json* out) {
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    (*out)["completions"] = CompletionsOf(view, request.Query("text"));
    return Status::Ok();
  });
}

// {"path", "value", "dry_run"}: only "dry_run": false changes anything. "before" is the value that
// the page has shown: if the place has another value by now, nothing is changed.
Status BrowseApi::Set(const HttpRequest& request, Json* out) {
  if (!may_change_) {
    return Status(StatusCode::kPermission,
                  "nothing can be changed: start tenure db browse with --read-write");
  }
  if (IsTooDeep(request.body)) return Status(StatusCode::kInvalidArgument, "a change is less deep");
  const Json asked = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  if (!asked.is_object() || !asked.contains("path") || !asked["path"].is_string() ||
      !asked.contains("value") || !asked["value"].is_string()) {
    return Status(StatusCode::kInvalidArgument, "a change has a path and a value");
  }
  const auto path = asked["path"].get<std::string>();
  const auto value = asked["value"].get<std::string>();
  const bool dry_run = !asked.contains("dry_run") || asked["dry_run"] != false;
  const std::string database = DatabaseOf(request);
  const Status status = store_.Change([&](OpenedStore& store) -> Status {
    *out = Json::object();
    const auto set_value = [&](bool dry) -> Result<std::optional<SetResult>> {
      TN_ASSIGN_OR_RETURN(const std::unique_ptr<DatabaseView> view,
                          DatabaseView::Open(store, database, store_.views()));
      SetProblem problem;
      TN_ASSIGN_OR_RETURN(std::optional<SetResult> set,
                          SetValue(store, *view, path, value, dry, &problem));
      if (!set) (*out)["problem"] = ProblemOf(problem.problem, problem.text);
      return set;
    };
    TN_ASSIGN_OR_RETURN(const std::optional<SetResult> tried, set_value(true));
    if (!tried) return Status::Ok();
    (*out)["before"] = tried->before;
    (*out)["after"] = tried->after;
    (*out)["changed"] = false;
    if (dry_run) return Status::Ok();
    if (asked.contains("before") && asked["before"] != tried->before) {
      (*out)["problem"] = {
          {"what", "the value is " + tried->before + " by now"},
          {"shown", "the value is " + tried->before + " by now, and has not been changed"}};
      return Status::Ok();
    }
    TN_ASSIGN_OR_RETURN(const std::optional<SetResult> set, set_value(false));
    (*out)["changed"] = set.has_value();
    return Status::Ok();
  });
  // Without a server no message tells that the database has changed.
  if (status.ok() && !store_.shared() && (*out)["changed"] == true) scanner_.Want(database);
  return status;
}

// Scans the database again.
Status BrowseApi::Scan(const HttpRequest& request, Json* out) {
  scanner_.Want(DatabaseOf(request));
  (*out)["scanning"] = true;
  return Status::Ok();
}

}  // namespace tenure::dbtool
