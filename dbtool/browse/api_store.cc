// The store as a whole: its state, sizes and names, its users, and its latest commits.
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "dbtool/browse/api.h"
#include "dbtool/browse/cells.h"
#include "dbtool/browse/references.h"
#include "dbtool/serve/serving.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"

namespace tenure::dbtool {

using store::PersistentRef;
using store::RecentCommit;

namespace {

Json FilesOf(const std::string& path) {
  Json files = Json::array();
  const Result<std::vector<std::string>> names = store::EntriesOf(path);
  if (!names.ok()) return files;
  for (const std::string& name : *names) {
    struct stat info;
    if (!store::IsStoreFile(name) || stat((path + "/" + name).c_str(), &info) != 0) continue;
    files.push_back({{"name", name},
                     {"bytes", static_cast<uint64_t>(info.st_size)},
                     {"allocated", static_cast<uint64_t>(info.st_blocks) * 512}});
  }
  return files;
}

// How many pages were written last by the commits of each range of versions.
Json VersionsOf(const ObjectIndex& index) {
  constexpr uint64_t kBins = 40;
  uint64_t first = UINT64_MAX, last = 0;
  for (const IndexedPage& page : index.pages()) {
    if (page.version == 0) continue;
    first = std::min(first, page.version);
    last = std::max(last, page.version);
  }
  if (last == 0) return Json();
  const uint64_t width = (last - first) / kBins + 1;
  std::vector<uint64_t> bins((last - first) / width + 1);
  for (const IndexedPage& page : index.pages()) {
    if (page.version != 0) ++bins[(page.version - first) / width];
  }
  return {{"first", first}, {"last", last}, {"width", width}, {"pages", bins}};
}

Json PartyJson(const store::ServingReport::Party& party) {
  return {{"process", party.process}, {"program", party.program}};
}

Json LineOfCommit(const RecentCommit& commit, const std::string& database) {
  Json line = PartyJson(commit.party);
  line["at"] = static_cast<double>(commit.at) / 1000;
  line["version"] = commit.version;
  line["databases"] = Json::array();
  for (const RecentCommit::Part& part : commit.parts) {
    line["databases"].push_back(part.database);
    if (part.database != database) continue;
    line["root"] = part.root;
    line["new_pages"] = part.new_pages;
    line["whole_pages"] = part.whole_pages;
    line["changed_pages"] = part.changed_pages;
    line["removed_pages"] = part.removed_pages;
    line["bytes"] = part.bytes;
  }
  return line;
}

bool Contains(std::string text, std::string part) {
  const auto small = [](std::string* of) {
    std::ranges::transform(*of, of->begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  };
  small(&text);
  small(&part);
  return text.find(part) != std::string::npos;
}

}  // namespace

Status BrowseApi::State(const HttpRequest& request, Json* out) {
  const std::string database = DatabaseOf(request);
  std::vector<std::string> names;
  const Status listed = store_.Use(StoreLane::kViews, [&](OpenedStore& store) -> Status {
    TN_ASSIGN_OR_RETURN(names, store.server->ListDatabases());
    return Status::Ok();
  });
  if (!listed.ok()) (*out)["failed"] = listed.text();
  const ScanState scan = scanner_.StateOf(database);
  *out = {{"store", store_.path()},        {"access", NameOf(store_.access())},
          {"may_change", may_change_},     {"write_token", guard_.write_token()},
          {"databases", std::move(names)}, {"database", database}};
  if (!listed.ok()) (*out)["failed"] = listed.text();
  if (store_.access() == StoreAccess::kCopy) {
    (*out)["holder"] = store_.holder();
    (*out)["copied_at"] = store_.copied_at();
  }
  Json state = {{"running", scan.running},
                {"pages", scan.pages},
                {"of_pages", scan.of_pages},
                {"objects", scan.objects},
                {"problem", scan.problem}};
  if (scan.index != nullptr) {
    state["done"] = {{"at", scan.finished_at},
                     {"seconds", scan.seconds},
                     {"objects", scan.index->objects()},
                     {"damaged_pages", scan.index->damaged_pages()},
                     {"problems", scan.index->problems()}};
    const Result<store::RecentCommits> commits = store_.RecentCommits(0);
    if (commits.ok()) {
      // A server that was started again counts anew.
      state["done"]["commits_since"] = commits->total - std::min(scan.commits, commits->total);
      scanner_.Refresh(database, commits->total);
    }
  }
  (*out)["scan"] = std::move(state);
  return Status::Ok();
}

Status BrowseApi::Overview(const HttpRequest& request, Json* out) {
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  TN_RETURN_IF_ERROR(ReadView(request, out, [&](DatabaseView& view) -> Status {
    TN_ASSIGN_OR_RETURN(const store::PageId last,
                        view.source().server().MaxPage(view.source().database()));
    (*out)["last_page"] = last.number;
    (*out)["root"] = CellOf(view, view.beginnings().root, "root");
    (*out)["name_count"] = view.beginnings().bound.size();
    Json types = Json::array();
    if (index != nullptr) {
      for (const auto& [number, totals] : index->types()) {
        const StoredType* const type = view.source().types().At(number);
        if (type == nullptr) continue;
        types.push_back({{"index", number},
                         {"name", type->name},
                         {"objects", totals.objects},
                         {"bytes", totals.bytes}});
      }
    }
    (*out)["types"] = std::move(types);
    return Status::Ok();
  }));
  (*out)["files"] = FilesOf(store_.path());
  if (index == nullptr) return Status::Ok();
  uint64_t pages = 0;
  for (const IndexedPage& page : index->pages()) pages += page.kind != PageKind::kNone ? 1 : 0;
  (*out)["pages"] = pages;
  (*out)["objects"] = index->objects();
  (*out)["bytes"] = index->bytes();
  (*out)["free_bytes"] = index->free_bytes();
  (*out)["references"] = index->references();
  (*out)["dangling"] = index->dangling();
  (*out)["unreached"] = index->objects() - index->reached();
  (*out)["versions"] = VersionsOf(*index);
  return Status::Ok();
}

Status BrowseApi::Names(const HttpRequest& request, Json* out) {
  const uint64_t offset = NumberOf(request, "offset", 0, UINT64_MAX);
  const uint64_t limit = NumberOf(request, "limit", 50, 500);
  const std::string& search = request.Query("search");
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    const Beginnings& beginnings = view.beginnings();
    (*out)["root"] = CellOf(view, beginnings.root, "root");
    Json names = Json::array();
    uint64_t found = 0;
    for (const auto& [name, value] : beginnings.bound) {
      if (!search.empty() && !Contains(name, search)) continue;
      if (found++ < offset || names.size() >= limit) continue;
      Json cell = CellOf(view, value, "names[" + Quoted(name) + "]");
      cell["name"] = name;
      names.push_back(std::move(cell));
    }
    (*out)["names"] = std::move(names);
    (*out)["found"] = found;
    (*out)["count"] = beginnings.bound.size();
    return Status::Ok();
  });
}

Status BrowseApi::Live(const HttpRequest&, Json* out) {
  const Result<store::ServingReport> report = store_.Serving();
  if (report.status().code() == StatusCode::kNotSupported) {
    (*out)["served"] = false;
    return Status::Ok();
  }
  if (!report.ok()) return report.status();
  *out = JsonOf(*report);
  (*out)["served"] = true;
  (*out)["own_process"] = static_cast<int64_t>(getpid());
  return Status::Ok();
}

Status BrowseApi::Commits(const HttpRequest& request, Json* out) {
  const auto limit = static_cast<uint32_t>(NumberOf(request, "limit", 500, 500));
  const Result<store::RecentCommits> recent = store_.RecentCommits(limit);
  if (recent.status().code() == StatusCode::kNotSupported) {
    (*out)["served"] = false;
    return Status::Ok();
  }
  if (!recent.ok()) return recent.status();
  (*out)["served"] = true;
  (*out)["total"] = recent->total;
  Json commits = Json::array();
  for (const RecentCommit& commit : recent->commits) {
    commits.push_back(LineOfCommit(commit, DatabaseOf(request)));
  }
  (*out)["commits"] = std::move(commits);
  return Status::Ok();
}

// The commit's writes as they are now: the objects in its changed regions, and their references to
// objects on its new pages, through which the new objects became part of the database.
Status BrowseApi::Commit(const HttpRequest& request, Json* out) {
  constexpr size_t kMostLines = 200;
  const uint64_t version = NumberOf(request, "version", 0, UINT64_MAX);
  TN_ASSIGN_OR_RETURN(const store::RecentCommits recent, store_.RecentCommits(UINT32_MAX));
  const auto found = std::ranges::find(recent.commits, version, &RecentCommit::version);
  if (found == recent.commits.end()) {
    return Status(StatusCode::kNotFound, "the server does not remember this commit");
  }
  const auto part =
      std::ranges::find(found->parts, DatabaseOf(request), &RecentCommit::Part::database);
  TN_RETURN_IF_ERROR(ReadView(request, out, [&](DatabaseView& view) -> Status {
    Json changed = Json::array(), captured = Json::array();
    if (part == found->parts.end()) return Status::Ok();
    const std::vector<uint64_t>& fresh = part->new_page_numbers;
    uint64_t last_seen = 0;
    for (const RecentCommit::Region& region : part->regions) {
      const Result<const store::PageRecord*> read =
          view.source().ReadPage(store::PageId{region.page});
      if (!read.ok()) {
        if (read.status().code() == StatusCode::kConflict) return read.status();
        continue;
      }
      const store::PageRecord record = **read;
      std::vector<PersistentRef> objects;
      uint64_t free_bytes = 0;
      if (record.run.large()) {
        objects.push_back(PersistentRef::Object(store::PageId{region.page - record.run.index}, 8));
      } else {
        const auto collect = [&](const StoredObject& object) {
          const uint64_t begin = object.at.offset() - 8;
          const uint64_t end = object.at.offset() + object.payload.size();
          if (begin < uint64_t{region.offset} + region.bytes && end > region.offset) {
            objects.push_back(object.at);
          }
          return true;
        };
        const Result<bool> all = ForEachObjectOn(store::PageId{region.page}, record.contents,
                                                 view.source().types(), &free_bytes, collect);
        if (!all.ok()) continue;
      }
      for (const PersistentRef at : objects) {
        const bool is_new = at.bits != std::exchange(last_seen, at.bits);
        if (is_new && changed.size() >= kMostLines) continue;
        if (is_new) {
          Json line = ObjectLine(view, at);
          line["page_version"] = record.version;
          changed.push_back(std::move(line));
        }
        const Result<ObjectPtr> object = view.source().Load(at);
        if (!object.ok()) continue;
        const auto take = [&](uint64_t offset, PersistentRef to) {
          if (captured.size() >= kMostLines) return false;
          if (!std::binary_search(fresh.begin(), fresh.end(), to.page().number)) return true;
          captured.push_back({{"by", Show(at)},
                              {"by_type", (*object)->type().name},
                              {"slot", NameOfSlot((*object)->type(), offset)},
                              {"object", ObjectLine(view, to)}});
          return true;
        };
        // Reads only the region of a large object.
        uint64_t begin = 0, end = UINT64_MAX;
        if (record.run.large()) {
          const uint64_t place = uint64_t{record.run.index} * abi::kPageBytes + region.offset;
          begin = std::max(place, abi::kHeaderBytes) - abi::kHeaderBytes;
          end = std::max(place + region.bytes, abi::kHeaderBytes) - abi::kHeaderBytes;
        }
        TN_RETURN_IF_ERROR(ForEachReference(*object, take, begin, end));
      }
    }
    (*out)["changed"] = std::move(changed);
    (*out)["captured"] = std::move(captured);
    return Status::Ok();
  }));
  const Json line = LineOfCommit(*found, DatabaseOf(request));
  for (const auto& [name, value] : line.items()) (*out)[name] = value;
  if (part == found->parts.end()) return Status::Ok();
  (*out)["new_page_numbers"] = part->new_page_numbers;
  (*out)["regions_known"] = part->regions.size();
  return Status::Ok();
}

}  // namespace tenure::dbtool
