// Objects: what they have, where they lead, what leads to them.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "dbtool/browse/api.h"
#include "dbtool/browse/cells.h"
#include "dbtool/browse/references.h"
#include "dbtool/look/show.h"
#include "dbtool/values/container.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using store::PersistentRef;

namespace {

// How long a search in a container goes on before it answers where to go on.
constexpr std::chrono::milliseconds kPatience(120);

std::string Small(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

Json DescribeContainer(DatabaseView& view, const ObjectPtr& object) {
  const std::unique_ptr<Container> container = Container::Of(view.values(), view.views(), object);
  if (container == nullptr) return Json();
  Json of = {{"keyed", container->keyed()},
             {"has_values", container->has_values()},
             {"ordered", container->ascending()}};
  const View* const form = view.views().For(object->type());
  // The length of a list that does not have it costs a walk along all of the list.
  const bool counts = form == nullptr || object->type().open() || form->form != ViewForm::kList ||
                      !form->Field("size").empty();
  if (!counts) return of;
  const Result<uint64_t> size = container->Size();
  if (size.ok()) of["size"] = *size;
  return of;
}

// The objects around one, nearest first, and the references between them.
class Surroundings {
 public:
  // `index` may be null: then only the targets of objects' references are found.
  Surroundings(DatabaseView& view, const ObjectIndex* index, uint64_t most)
      : view_(view), index_(index), most_(most) {}

  Status Explore(PersistentRef center) {
    Add(center, 0);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Node node = nodes_[i];
      TN_RETURN_IF_ERROR(FollowReferences(i, node));
      if (index_ != nullptr) TN_RETURN_IF_ERROR(FollowBack(i, node));
    }
    return Status::Ok();
  }

  void Put(Json* out) {
    Json nodes = Json::array();
    for (const Node& node : nodes_) {
      Json line = ObjectLine(view_, node.at);
      line["depth"] = node.depth;
      line["more"] = node.more;
      if (node.unread) line["unread"] = true;
      line["more_back"] = node.more_back;
      nodes.push_back(std::move(line));
    }
    (*out)["nodes"] = std::move(nodes);
    (*out)["links"] = std::move(links_);
  }

 private:
  // Neighbours of one object in one direction: of the center, and of others.
  static constexpr uint64_t kOfCenter = 12, kOfOthers = 4;

  static constexpr uint64_t kLookedAt = 200;  // of one object's references, texts among them

  struct Node {
    PersistentRef at;
    int depth = 0;
    uint64_t more = 0, more_back = 0;  // neighbours that are left out
    bool unread = false;               // there may be more references than are counted
  };
  struct Reference {
    uint64_t offset = 0;
    PersistentRef to;
  };
  struct References {
    std::vector<Reference> first;  // kLookedAt at most
    uint64_t count = 0;            // of all, as far as that is known
    bool unread = false;           // there may be more
  };

  bool Add(PersistentRef at, int depth) {
    if (known_.contains(at.bits)) return true;
    if (nodes_.size() >= most_) return false;
    known_.insert(at.bits);
    nodes_.push_back({at, depth});
    return true;
  }

  // An object that cannot be read has no references.
  Result<References> ReferencesOf(const Node& node) {
    References found;
    const Result<ObjectPtr> object = Load(node.at);
    if (object.status().code() == StatusCode::kConflict) return object.status();
    if (!object.ok()) return found;
    const auto take = [&](uint64_t offset, PersistentRef to) {
      if (found.first.size() < kLookedAt) found.first.push_back({offset, to});
      return ++found.count <= kLookedAt;
    };
    TN_RETURN_IF_ERROR(ForEachReference(*object, take, 0, kBytesLookedThrough));
    const bool all = found.count <= kLookedAt && (*object)->bytes() <= kBytesLookedThrough;
    if (all) return found;
    const ObjectIndex::Id id = index_ == nullptr ? ObjectIndex::kNone : index_->Find(node.at);
    const bool known = id != ObjectIndex::kNone && index_->IsLarge(id);
    if (known) {
      found.count = std::max<uint64_t>(found.count, index_->ReferencesOf(id).size());
    } else if ((*object)->bytes() <= kBytesLookedThrough) {
      found.count = 0;
      TN_RETURN_IF_ERROR(ForEachReference(*object, [&](uint64_t, PersistentRef) {
        ++found.count;
        return true;
      }));
    } else {
      found.unread = true;
    }
    return found;
  }

  Result<ObjectPtr> Load(PersistentRef at) {
    Result<ObjectPtr> object = view_.source().Load(at);
    if (!object.ok() && object.status().code() != StatusCode::kConflict) {
      view_.Report(object.status());
    }
    return object;
  }

  void Link(const StoredType& type, PersistentRef from, uint64_t offset, PersistentRef to) {
    if (!linked_.emplace(from.bits, to.bits).second) return;
    links_.push_back(
        {{"source", Show(from)}, {"target", Show(to)}, {"slot", NameOfSlot(type, offset)}});
  }

  Status FollowReferences(size_t i, const Node& node) {
    TN_ASSIGN_OR_RETURN(const References references, ReferencesOf(node));
    const uint64_t most = node.depth == 0 ? kOfCenter : kOfOthers;
    uint64_t shown = 0, passed = 0;  // passed: shown, or a text
    for (const Reference& reference : references.first) {
      if (shown >= most) break;
      // Where no object can be added, only links among those that are there are of interest.
      if (nodes_.size() >= most_ && !known_.contains(reference.to.bits)) continue;
      // Texts stand in what refers to them.
      const Result<ObjectPtr> to = view_.source().Load(reference.to);
      if (to.ok() && IsText(view_, (*to)->type())) {
        ++passed;
        continue;
      }
      if (!Add(reference.to, node.depth + 1)) continue;
      ++shown;
      ++passed;
      const Result<ObjectPtr> from = Load(node.at);
      if (!from.ok()) return from.status();
      Link((*from)->type(), node.at, reference.offset, reference.to);
    }
    nodes_[i].more = references.count - passed;
    nodes_[i].unread = references.unread;
    return Status::Ok();
  }

  Status FollowBack(size_t i, const Node& node) {
    const ObjectIndex::Id id = index_->Find(node.at);
    if (id == ObjectIndex::kNone) return Status::Ok();
    const std::span<const ObjectIndex::Id> sources = index_->Sources(id);
    const uint64_t most = node.depth == 0 ? kOfCenter : kOfOthers;
    uint64_t shown = 0;
    for (const ObjectIndex::Id source : sources) {
      const PersistentRef from = index_->PlaceOf(source);
      if (shown >= most || !Add(from, node.depth + 1)) break;
      ++shown;
      const Result<ObjectPtr> object = Load(from);
      if (object.status().code() == StatusCode::kConflict) return object.status();
      if (!object.ok()) continue;
      TN_ASSIGN_OR_RETURN(const SlotsBetween slots, SlotsTo(index_, *object, node.at, 1));
      // The reference may have gone since the scan.
      if (!slots.offsets.empty()) Link((*object)->type(), from, slots.offsets[0], node.at);
    }
    nodes_[i].more_back = sources.size() - shown;
    return Status::Ok();
  }

  DatabaseView& view_;
  const ObjectIndex* const index_;
  const uint64_t most_;
  std::vector<Node> nodes_;
  std::set<uint64_t> known_;
  std::set<std::pair<uint64_t, uint64_t>> linked_;
  Json links_ = Json::array();
};

// The text of an object that is one; at most kMost characters.
void AddText(const ObjectPtr& object, Json* out) {
  constexpr uint64_t kMost = 20'000;
  const auto text = ReadText(object, kMost);
  if (!text.ok() || !*text) return;
  (*out)["characters"] = Utf8Of(**text);
  (*out)["length"] = (*text)->length;
  (*out)["more_characters"] = (*text)->length - (*text)->characters.size();
}

}  // namespace

// ?path=: what is at the path; of a reference the object.
Status BrowseApi::Object(const HttpRequest& request, Json* out) {
  const std::string& path = request.Query("path");
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    QueryProblem problem;
    TN_ASSIGN_OR_RETURN(const std::optional<Datum> value, ValueAt(view, path, &problem));
    if (!value) {
      (*out)["problem"] = ProblemOf(problem, path);
      return Status::Ok();
    }
    (*out)["path"] = path;
    (*out)["cell"] = CellOf(view, *value, path);
    if (value->kind != DatumKind::kReference) return Status::Ok();
    TN_ASSIGN_OR_RETURN(const ObjectPtr object, view.source().Load(value->reference));
    const StoredType& type = object->type();
    Json of = {{"ref", Show(object->at())},
               {"type", type.name},
               {"type_index", type.index},
               {"bytes", object->bytes() + 8},
               {"page", object->at().page().number}};
    of["supertypes"] = Json::array();
    for (const store::TypeName& name : type.supertypes) of["supertypes"].push_back(name.name);
    of["summary"] = SummaryOf(view, object);
    if (view.values().ShapeOf(type).is_text) AddText(object, &of);
    of["fields"] = FieldCells(view, object);
    if (Json container = DescribeContainer(view, object); !container.is_null()) {
      of["container"] = std::move(container);
    }
    if (index != nullptr) {
      const ObjectIndex::Id id = index->Find(object->at());
      if (id != ObjectIndex::kNone) {
        of["back"] = index->Sources(id).size();
        of["reached"] = index->Parent(id) != ObjectIndex::kNone;
      }
    }
    (*out)["object"] = std::move(of);
    return Status::Ok();
  });
}

// ?ref=: all characters of a text.
Result<std::string> BrowseApi::WholeText(const HttpRequest& request) {
  TN_ASSIGN_OR_RETURN(const PersistentRef at, ReferenceOf(request));
  std::string whole;
  Json ignored;
  TN_RETURN_IF_ERROR(ReadView(request, &ignored, [&](DatabaseView& view) -> Status {
    TN_ASSIGN_OR_RETURN(const Datum text, view.values().Resolve(OfReference(at)));
    if (text.kind != DatumKind::kText) {
      return store::Failure(StatusCode::kNotFound, Show(at) + " is not a text");
    }
    whole = text.text;
    return Status::Ok();
  }));
  return whole;
}

// ?ref=&limit=&search=, and where to go on: offset= of elements, slot= of hash tables, node=, its
// offset= and skip= of lists, after= of ordered keys, offset= of others. The answer's "next" is the
// rest of the query of the next page.
Status BrowseApi::Entries(const HttpRequest& request, Json* out) {
  TN_ASSIGN_OR_RETURN(const PersistentRef at, ReferenceOf(request));
  const uint64_t limit = NumberOf(request, "limit", 50, 1000);
  const uint64_t offset = NumberOf(request, "offset", 0, UINT64_MAX / 2);
  const std::string search = Small(request.Query("search"));
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    TN_ASSIGN_OR_RETURN(const ObjectPtr object, view.source().Load(at));
    const std::unique_ptr<Container> container = Container::Of(view.values(), view.views(), object);
    if (container == nullptr) {
      return store::Failure(StatusCode::kNotFound, Show(at) + " is not a container");
    }
    container->problem = [&](const Status& status) { view.Report(status); };
    const View* const form = view.views().For(object->type());
    const bool list = form != nullptr && !object->type().open() && form->form == ViewForm::kList;
    const bool places = container->indexed() && !list;
    KeyRange range;
    uint64_t skip = 0, place = offset;
    if (places) {
      range.from = OfNumber(offset);
    } else if (list && request.query.contains("node")) {
      range.first_node = ParseReference(request.Query("node"));
      skip = NumberOf(request, "skip", 0, UINT64_MAX / 2);
      place = offset + skip;
    } else if (container->hashed()) {
      range.first_slot = NumberOf(request, "slot", 0, UINT64_MAX);
    } else if (container->ascending() && request.query.contains("after")) {
      QueryProblem problem;
      TN_ASSIGN_OR_RETURN(range.from, ValueAt(view, request.Query("after"), &problem));
      range.from_open = true;
    } else {
      skip = offset;
    }
    const auto began = std::chrono::steady_clock::now();
    Json entries = Json::array();
    Json next;
    uint64_t seen = 0, slot = 0;
    std::string last_key;
    ShowLimits whole;
    whole.characters = UINT64_MAX;
    const auto go_on = [&](const Entry& entry) {
      if (list) {
        next = {{"node", Show(entry.node)}, {"offset", place}};
      } else if (places || !(container->hashed() || container->ascending())) {
        next = {{"offset", place}};
      } else if (container->hashed()) {
        next = {{"slot", entry.slot}};
      } else {
        next = {{"after", last_key}};
      }
    };
    TN_RETURN_IF_ERROR(container->ForEach(range, [&](const Entry& entry) {
      if (seen < skip) {
        // A list has no other way to its middle.
        const bool late = list && std::chrono::steady_clock::now() - began > kPatience;
        if (late) {
          next = {
              {"node", Show(entry.node)}, {"offset", place - skip + seen}, {"skip", skip - seen}};
          (*out)["searching"] = true;
          return false;
        }
        ++seen;
        return true;
      }
      // Entries of one chain stay together.
      const bool may_end = !container->hashed() || entry.slot != slot;
      const bool late = !search.empty() && std::chrono::steady_clock::now() - began > kPatience;
      if (may_end && seen > skip && (entries.size() >= limit || late)) {
        go_on(entry);
        if (late) (*out)["searching"] = true;
        return false;
      }
      slot = entry.slot;
      const uint64_t number = place++;
      ++seen;
      std::string key = container->keyed() ? view.values().Text(entry.key, whole) : "";
      if (container->ascending()) last_key = key;
      const std::string path =
          Show(at) + "[" + (container->keyed() ? key : std::to_string(number)) + "]";
      if (!search.empty()) {
        const std::string text = (container->keyed() ? key + " " : "") +
                                 (container->has_values() ? Describe(view, entry.value, {}) : "");
        if (Small(text).find(search) == std::string::npos) return true;
      }
      Json line = Json::object();
      if (container->keyed()) {
        line["key"] = CellOf(view, entry.key, "");
      } else {
        line["index"] = number;
      }
      if (container->has_values()) {
        const bool found_by_key = key.size() < 1000 && !key.starts_with('<');
        line["value"] = CellOf(view, entry.value, found_by_key ? path : "");
      }
      entries.push_back(std::move(line));
      return true;
    }));
    (*out)["entries"] = std::move(entries);
    (*out)["looked_at"] = seen - std::min(seen, skip);
    if (!next.is_null()) (*out)["next"] = std::move(next);
    return Status::Ok();
  });
}

// ?ref=&offset=: the objects that refer to the object according to the last scan, as they are now.
Status BrowseApi::Back(const HttpRequest& request, Json* out) {
  constexpr uint64_t kAtOnce = 50;
  constexpr size_t kSlotsShown = 10;
  TN_ASSIGN_OR_RETURN(const PersistentRef at, ReferenceOf(request));
  const uint64_t offset = NumberOf(request, "offset", 0, UINT64_MAX / 2);
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  if (index == nullptr) return NotScannedYet();
  const ObjectIndex::Id id = index->Find(at);
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    Json lines = Json::array();
    std::span<const ObjectIndex::Id> sources;
    if (id != ObjectIndex::kNone) sources = index->Sources(id);
    for (uint64_t i = offset; i < sources.size() && lines.size() < kAtOnce; ++i) {
      const PersistentRef from = index->PlaceOf(sources[i]);
      Json line = ObjectLine(view, from);
      Json names = Json::array();
      SlotsBetween slots;
      const Result<ObjectPtr> object = view.source().Load(from);
      if (object.ok()) {
        TN_ASSIGN_OR_RETURN(slots, SlotsTo(index.get(), *object, at, kSlotsShown));
        for (const uint64_t slot : slots.offsets) {
          names.push_back(NameOfSlot((*object)->type(), slot));
        }
      }
      line["slots"] = std::move(names);
      line["slot_count"] = slots.count;
      lines.push_back(std::move(line));
    }
    (*out)["back"] = std::move(lines);
    (*out)["count"] = sources.size();
    return Status::Ok();
  });
}

// ?ref=&most=: the objects around one, in both directions.
Status BrowseApi::Graph(const HttpRequest& request, Json* out) {
  TN_ASSIGN_OR_RETURN(const PersistentRef center, ReferenceOf(request));
  const uint64_t most = NumberOf(request, "most", 40, 200);
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    TN_RETURN_IF_ERROR(view.source().Load(center).status());
    Surroundings around(view, index.get(), most);
    TN_RETURN_IF_ERROR(around.Explore(center));
    around.Put(out);
    return Status::Ok();
  });
}

// ?ref=: the shortest path from the root, or from an export, according to the last scan.
Status BrowseApi::Why(const HttpRequest& request, Json* out) {
  constexpr size_t kMostSteps = 500;
  TN_ASSIGN_OR_RETURN(const PersistentRef at, ReferenceOf(request));
  const std::shared_ptr<const ObjectIndex> index = IndexOf(request);
  if (index == nullptr) return NotScannedYet();
  ObjectIndex::Id id = index->Find(at);
  if (id == ObjectIndex::kNone) {
    return store::Failure(StatusCode::kNotFound,
                          "the last scan has found no object at " + Show(at));
  }
  std::vector<PersistentRef> path;
  if (index->Parent(id) != ObjectIndex::kNone) {
    path.push_back(at);
    for (; index->Parent(id) != id; id = index->Parent(id)) {
      path.push_back(index->PlaceOf(index->Parent(id)));
    }
    std::ranges::reverse(path);
  }
  return ReadView(request, out, [&](DatabaseView& view) -> Status {
    Json steps = Json::array();
    (*out)["reached"] = !path.empty();
    (*out)["length"] = path.size();
    TN_ASSIGN_OR_RETURN(const PersistentRef root,
                        view.source().server().Root(view.source().database()));
    for (size_t i = 0; i < path.size(); ++i) {
      // The middle of a very long path is left out.
      if (path.size() > kMostSteps && i == kMostSteps / 2) {
        steps.push_back({{"left_out", path.size() - kMostSteps}});
        i += path.size() - kMostSteps;
      }
      Json step = ObjectLine(view, path[i]);
      if (i == 0) {
        step["through"] = path[0] == root ? "the root" : "another database";
      } else {
        step["through"] = "";
        const Result<ObjectPtr> from = view.source().Load(path[i - 1]);
        if (from.ok()) {
          TN_ASSIGN_OR_RETURN(const SlotsBetween slots, SlotsTo(index.get(), *from, path[i], 1));
          if (!slots.offsets.empty()) {
            step["through"] = NameOfSlot((*from)->type(), slots.offsets[0]);
          }
        }
        step["since_changed"] = step["through"] == "";
      }
      steps.push_back(std::move(step));
    }
    (*out)["path"] = std::move(steps);
    return Status::Ok();
  });
}

}  // namespace tenure::dbtool
