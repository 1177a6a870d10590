#include "dbtool/browse/api.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "dbtool/browse/page_files.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

const std::map<std::string, BrowseApi::Route> BrowseApi::kRoutes = {
    {"state", &BrowseApi::State},       {"overview", &BrowseApi::Overview},
    {"names", &BrowseApi::Names},       {"live", &BrowseApi::Live},
    {"commits", &BrowseApi::Commits},   {"commit", &BrowseApi::Commit},
    {"object", &BrowseApi::Object},     {"entries", &BrowseApi::Entries},
    {"back", &BrowseApi::Back},         {"graph", &BrowseApi::Graph},
    {"why", &BrowseApi::Why},           {"types", &BrowseApi::Types},
    {"type", &BrowseApi::Type},         {"objects", &BrowseApi::Objects},
    {"pages", &BrowseApi::Pages},       {"page", &BrowseApi::Page},
    {"query", &BrowseApi::Query},       {"traversal", &BrowseApi::Traversal},
    {"complete", &BrowseApi::Complete},
};

const std::map<std::string, BrowseApi::Route> BrowseApi::kWrites = {
    {"set", &BrowseApi::Set},
    {"scan", &BrowseApi::Scan},
};

BrowseApi::BrowseApi(BrowsedStore& store, Scanner& scanner, const Guard& guard,
                     std::string database, bool may_change)
    : store_(store),
      scanner_(scanner),
      guard_(guard),
      database_(std::move(database)),
      may_change_(may_change) {}

HttpAnswer BrowseApi::Answer(const HttpRequest& request) {
  HttpAnswer answer;
  Json json = Json::object();
  const auto refuse = [&](unsigned status, const std::string& why) {
    answer.status = status;
    json["error"] = why;
    answer.body = LineOf(json);
    return answer;
  };
  const std::string_view prefix = "/api/";
  if (!request.path.starts_with(prefix)) {
    const PageFile* const file = PageFileAt(request.path);
    if (file == nullptr) return refuse(404, "there is no " + request.path);
    if (request.method != "GET") return refuse(405, "this is only read");
    answer.type = file->type;
    answer.file = file->content;
    return answer;
  }
  const std::string name = request.path.substr(prefix.size());
  const bool writes = kWrites.contains(name);
  // The only answer that is no JSON: a browser shows it by itself, however long it is.
  const bool is_text = name == "text";
  if (!writes && !is_text && !kRoutes.contains(name))
    return refuse(404, "there is no " + request.path);
  if (!writes && request.method != "GET") return refuse(405, "this is only read");
  std::string why;
  if (writes && request.method != "POST") return refuse(405, "a GET changes nothing");
  if (writes && !guard_.MayWrite(request, &why)) return refuse(403, why);
  const auto began = std::chrono::steady_clock::now();
  Status status;
  if (is_text) {
    Result<std::string> text = WholeText(request);
    status = text.status();
    if (text.ok()) answer.body = *std::move(text);
  } else {
    const Route route = writes ? kWrites.at(name) : kRoutes.at(name);
    status = (this->*route)(request, &json);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  answer.headers.emplace_back("Server-Timing", "view;dur=" + std::to_string(took.count()));
  if (!status.ok()) {
    switch (status.code()) {
      case StatusCode::kInvalidArgument: return refuse(400, status.text());
      case StatusCode::kPermission: return refuse(403, status.text());
      case StatusCode::kNotFound: return refuse(404, status.text());
      default: return refuse(500, status.text());
    }
  }
  if (is_text) {
    answer.type = "text/plain; charset=utf-8";
    return answer;
  }
  if (json.contains("problem") && json["problem"].is_object()) answer.status = 400;
  answer.body = LineOf(json);
  return answer;
}

std::string BrowseApi::DatabaseOf(const HttpRequest& request) const {
  const std::string& name = request.Query("db");
  return name.empty() ? database_ : name;
}

std::shared_ptr<const ObjectIndex> BrowseApi::IndexOf(const HttpRequest& request) {
  return scanner_.StateOf(DatabaseOf(request)).index;
}

Status BrowseApi::ReadView(const HttpRequest& request, Json* out,
                           const std::function<Status(DatabaseView&)>& read, StoreLane lane) {
  return store_.Read(lane, DatabaseOf(request), [&](DatabaseView& view) -> Status {
    *out = Json::object();
    TN_RETURN_IF_ERROR(read(view));
    (*out)["pages_read"] = view.source().pages_read();
    if (view.problem_count() != 0) {
      (*out)["problems"] = view.problems();
      (*out)["problem_count"] = view.problem_count();
    }
    return Status::Ok();
  });
}

uint64_t NumberOf(const HttpRequest& request, const char* name, uint64_t missing, uint64_t most) {
  const std::string& text = request.Query(name);
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return missing;
  return std::min(number, most);
}

Json ProblemOf(const QueryProblem& problem, const std::string& text) {
  return {{"what", problem.what},
          {"begin", problem.begin},
          {"end", problem.end},
          {"text", text},
          {"shown", ShowProblem(problem, text)}};
}

Status NotScannedYet() {
  return Status(StatusCode::kNotFound, "the first scan of the database is not done yet");
}

Result<store::PersistentRef> ReferenceOf(const HttpRequest& request) {
  const store::PersistentRef at = ParseReference(request.Query("ref"));
  if (at.nil()) {
    return store::Failure(StatusCode::kInvalidArgument,
                          "an object is named by PAGE:OFFSET, not '" + request.Query("ref") + "'");
  }
  return at;
}

}  // namespace tenure::dbtool
