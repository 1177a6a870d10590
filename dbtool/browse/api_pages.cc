// The map of pages: what lies on each, and which ones a traversal touches.
#include <algorithm>
#include <chrono>
#include <deque>
#include <unordered_set>
#include <utility>
#include <vector>

#include "abi/heap_constants.h"
#include "dbtool/browse/api.h"
#include "dbtool/browse/cells.h"
#include "dbtool/browse/references.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::PageId;
using store::PersistentRef;

namespace {

// How long a traversal goes on.
constexpr std::chrono::milliseconds kPatience(150);

const char* NameOf(PageKind kind) {
  switch (kind) {
    case PageKind::kNone: return "none";
    case PageKind::kSmall: return "objects";
    case PageKind::kLarge: return "large object";
    case PageKind::kFurther: return "more of a large object";
    case PageKind::kDamaged: return "damaged";
  }
  return "";
}

}  // namespace

// ?most=: at most this many cells of the map; each is one page or several adjacent ones. A cell has
// the type with the most bytes, the fullness in percent, and 1 if one of its pages is damaged.
Status BrowseApi::Pages(const HttpRequest& request, Json* out) {
  const uint64_t most = std::max<uint64_t>(NumberOf(request, "most", 4000, 20'000), 1);
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  if (index == nullptr) return NotScannedYet();
  const std::vector<IndexedPage>& pages = index->pages();
  const uint64_t count = pages.size() - 1;
  const uint64_t of_cell = std::max<uint64_t>((count + most - 1) / most, 1);
  Json types = Json::array(), fullness = Json::array(), damaged = Json::array();
  std::map<uint32_t, uint64_t> used_types;
  for (uint64_t first = 1; first <= count; first += of_cell) {
    const uint64_t end = std::min(count + 1, first + of_cell);
    std::map<uint32_t, uint64_t> bytes;
    uint64_t used = 0, there = 0;
    bool is_damaged = false;
    for (uint64_t page = first; page < end; ++page) {
      const IndexedPage& entry = pages[page];
      if (entry.kind == PageKind::kNone) continue;
      ++there;
      used += entry.used_bytes;
      bytes[entry.type] += entry.used_bytes;
      is_damaged = is_damaged || entry.kind == PageKind::kDamaged;
    }
    const auto largest = std::ranges::max_element(
        bytes, [](const auto& a, const auto& b) { return a.second < b.second; });
    const uint32_t type = largest == bytes.end() ? 0 : largest->first;
    used_types[type] += there;
    types.push_back(type);
    fullness.push_back(there == 0 ? 0 : used * 100 / (there * abi::kPageBytes));
    damaged.push_back(is_damaged ? 1 : there == 0 ? 2 : 0);
  }
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    std::vector<std::pair<uint32_t, uint64_t>> sorted(used_types.begin(), used_types.end());
    std::ranges::stable_sort(sorted,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    Json legend = Json::array();
    for (const auto& [number, cells] : sorted) {
      const StoredType* const type = view.source().types().At(number);
      if (number == 0 || type == nullptr) continue;
      legend.push_back({{"index", number}, {"name", type->name}, {"pages", cells}});
    }
    (*out)["count"] = count;
    (*out)["pages_of_cell"] = of_cell;
    (*out)["types"] = types;
    (*out)["fullness"] = fullness;
    (*out)["states"] = damaged;
    (*out)["legend"] = std::move(legend);
    return Status::Ok();
  });
}

// ?page=: what lies on the page now.
Status BrowseApi::Page(const HttpRequest& request, Json* out) {
  const uint64_t number = NumberOf(request, "page", 0, store::kPageNumberLimit);
  if (number == 0) return Status(StatusCode::kInvalidArgument, "pages are numbered from 1");
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    (*out)["page"] = number;
    if (index != nullptr && number < index->pages().size()) {
      (*out)["kind"] = NameOf(index->pages()[number].kind);
    }
    const Result<const store::PageRecord*> read = view.source().ReadPage(PageId{number});
    if (!read.ok()) {
      if (read.status().code() != StatusCode::kCorrupt) return read.status();
      (*out)["damaged"] = read.status().text();
      return Status::Ok();
    }
    const store::PageRecord record = **read;
    (*out)["version"] = record.version;
    Json objects = Json::array();
    if (record.run.large()) {
      (*out)["part"] = record.run.index;
      (*out)["parts"] = record.run.pages;
      const PersistentRef at =
          PersistentRef::Object(PageId{number - record.run.index}, abi::kHeaderBytes);
      Json line = ObjectLine(view, at);
      const Result<ObjectPtr> object = view.source().Load(at);
      if (object.ok()) line["bytes"] = (*object)->bytes() + abi::kHeaderBytes;
      objects.push_back(std::move(line));
    } else {
      std::vector<std::pair<PersistentRef, uint64_t>> found;
      uint64_t free_bytes = 0;
      const Result<bool> all = ForEachObjectOn(
          PageId{number}, record.contents, view.source().types(), &free_bytes,
          [&](const StoredObject& object) {
            found.emplace_back(object.at, object.payload.size() + abi::kHeaderBytes);
            return true;
          });
      if (!all.ok()) (*out)["damaged"] = all.status().text();
      for (const auto& [at, bytes] : found) {
        Json line = ObjectLine(view, at);
        line["bytes"] = bytes;
        line["offset"] = at.offset();
        objects.push_back(std::move(line));
      }
      (*out)["free_bytes"] = free_bytes;
    }
    (*out)["objects"] = std::move(objects);
    return Status::Ok();
  });
}

// ?path=&most=&order=: a traversal of the objects reached from the path, breadth first or
// (order=depth) depth first: the pages that it touches, in order, and how many pages it would touch
// if the objects lay side by side.
Status BrowseApi::Traversal(const HttpRequest& request, Json* out) {
  const std::string& path = request.Query("path");
  const uint64_t most = NumberOf(request, "most", 2000, 20'000);
  const bool depth_first = request.Query("order") == "depth";
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    QueryProblem problem;
    TN_ASSIGN_OR_RETURN(const std::optional<Datum> start, ValueAt(view, path, &problem));
    if (!start) {
      (*out)["problem"] = ProblemOf(problem, path);
      return Status::Ok();
    }
    if (start->kind != DatumKind::kReference) {
      return store::Failure(StatusCode::kInvalidArgument,
                            path + " is not a reference to an object");
    }
    std::unordered_set<uint64_t> seen{start->reference.bits}, touched;
    std::deque<PersistentRef> waiting{start->reference};
    std::vector<uint64_t> pages;  // in the order of the first touch
    uint64_t objects = 0, bytes = 0, changes = 0, last_page = 0;
    bool all_read = true;
    const auto began = std::chrono::steady_clock::now();
    while (!waiting.empty() && objects < most) {
      if (std::chrono::steady_clock::now() - began > kPatience) break;
      const PersistentRef at = depth_first ? waiting.back() : waiting.front();
      if (depth_first) {
        waiting.pop_back();
      } else {
        waiting.pop_front();
      }
      const Result<ObjectPtr> object = view.source().Load(at);
      if (!object.ok()) {
        if (object.status().code() == StatusCode::kConflict) return object.status();
        view.Report(object.status());
        continue;
      }
      ++objects;
      const uint64_t size = (*object)->bytes() + abi::kHeaderBytes;
      bytes += size;
      if (at.page().number != last_page) ++changes;
      last_page = at.page().number;
      const uint64_t parts = (at.offset() - abi::kHeaderBytes + size - 1) / abi::kPageBytes + 1;
      for (uint64_t i = 0; i < parts; ++i) {
        if (touched.insert(last_page + i).second) pages.push_back(last_page + i);
      }
      std::vector<PersistentRef> next;
      const auto take = [&](uint64_t, PersistentRef to) {
        if (seen.size() >= 4 * most) return false;
        if (seen.insert(to.bits).second) next.push_back(to);
        return true;
      };
      TN_RETURN_IF_ERROR(ForEachReference(*object, take, 0, kBytesLookedThrough));
      all_read = all_read && (size <= kBytesLookedThrough || (*object)->type().pure());
      if (depth_first) std::ranges::reverse(next);
      waiting.insert(waiting.end(), next.begin(), next.end());
    }
    (*out)["objects"] = objects;
    (*out)["complete"] = waiting.empty() && all_read;
    (*out)["bytes"] = bytes;
    (*out)["touched"] = pages.size();
    (*out)["least_pages"] = (bytes + abi::kPageBytes - 1) / abi::kPageBytes;
    (*out)["page_changes"] = changes;
    (*out)["pages"] = pages;
    return Status::Ok();
  });
}

}  // namespace tenure::dbtool
