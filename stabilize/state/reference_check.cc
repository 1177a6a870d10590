#include "stabilize/state/reference_check.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "stabilize/frames/store_names.h"
#include "stabilize/state/page_images.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;

namespace {

// A page usually has at most kFew expectations from references of other pages. When there are
// kMany, as many as a page can have objects, equal ones are merged.
constexpr size_t kFew = 64, kMany = kPageBytes / 8;

ObjectStarts StartsOn(const std::byte* image, const LargeRun& run) {
  ObjectStarts starts;
  if (run.large()) {
    if (run.index == 0) starts.set(kHeaderBytes / 8);
    return starts;
  }
  ForEachObjectInImage(const_cast<std::byte*>(image),
                       [&](const abi::TypeDescriptor& type, abi::Ref object) {
                         if ((type.flags & kTypeUnknown) != 0) return;
                         const auto* const at = static_cast<const std::byte*>(object);
                         starts.set(static_cast<size_t>(at - image) / 8);
                       });
  return starts;
}

// The type of the object whose payload is there.
const abi::TypeDescriptor& TypeAt(const void* payload) {
  return *abi::ObjectHeader::Of(payload)->type();
}

inline bool Fits(const RequiredType* required, const void* payload) {
  return required == nullptr || required->Accepts(TypeAt(payload));
}

std::string Place(PersistentRef object) {
  return "page " + std::to_string(object.page().number) + " offset " +
         std::to_string(object.offset());
}

// The failure of a reference to a place where no object begins, one of a type that the program
// lacks, or one of the wrong type. `image`: of the page in memory; null: there is no such page.
Status NoObject(Database& database, PersistentRef object, const std::byte* image,
                const LargeRun& run = {}) {
  Status unknown;
  if (image != nullptr && !run.large()) {
    ForEachObjectInImage(const_cast<std::byte*>(image),
                         [&](const abi::TypeDescriptor& type, abi::Ref at) {
                           if (at != image + object.offset() || (type.flags & kTypeUnknown) == 0)
                             return;
                           unknown = database.TypeOf(database.IndexOf(type)).status();
                         });
  }
  if (!unknown.ok()) return unknown;
  return Failure(StatusCode::kCorrupt,
                 "a reference to " + Place(object) + ", where no object begins");
}
Status WrongObject(PersistentRef object, const RequiredType* required, const void* payload) {
  const abi::TypeDescriptor* const declared = required->only();
  return Failure(StatusCode::kCorrupt,
                 "a reference to " + Place(object) + ", where an object of type " +
                     TypeAt(payload).name + " begins" +
                     (declared == nullptr ? ", which may not stand there"
                                          : std::string(", as to a ") + declared->name));
}

Status Damaged(PageId page, const std::string& where, const Status& status) {
  if (status.code() == StatusCode::kTypeMismatch) return status;
  return Failure(status.code(),
                 "page " + std::to_string(page.number) + " is damaged: " + where + status.text(),
                 static_cast<int64_t>(page.number));
}

void Expect(SessionState& session, Frame& frame, ExpectedObject object) {
  if (frame.expected == nullptr) {
    frame.expected = std::make_unique<std::vector<ExpectedObject>>();
    frame.expected->reserve(kFew);
  }
  std::vector<ExpectedObject>& all = *frame.expected;
  if (!all.empty() && all.back() == object) return;
  if (all.size() >= kMany && all.size() == all.capacity()) {
    std::sort(all.begin(), all.end());
    const auto end = std::unique(all.begin(), all.end());
    session.expected -= std::min(session.expected, static_cast<uint64_t>(all.end() - end));
    all.erase(end, all.end());
  }
  all.push_back(object);
  ++session.expected;
}

// Whether a page that is here refers to the address, where this is, or nothing, and may not.
bool IsWrongFor(SessionState& session, const void* object, const void* payload) {
  for (const auto& database : session.databases) {
    if (!database->open()) continue;
    PageFrames& frames = database->frames();
    for (PageId page = frames.NextUsed(PageId{1}); page.number < frames.end();
         page = frames.NextUsed(page + 1)) {
      if (!frames.At(page).in_memory()) continue;
      bool wrong = false;
      const auto look = [&](const abi::TypeDescriptor& type, const std::byte* at, size_t begin,
                            size_t end) {
        const SlotTypes& slots = database->SlotTypesOf(type);
        ForEachSlotOfRuns(
            type, std::span(slots.runs()), std::span(slots.element_runs()), begin, end,
            [](const TypedSlotRun& run) -> const abi::SlotRun& { return run.slots; },
            [&](size_t offset, const TypedSlotRun& run) {
              const void* stored;
              std::memcpy(&stored, at + (offset - begin), sizeof stored);
              if (run.slots.kind != abi::SlotKind::kReference || stored != object) return;
              wrong |= payload == nullptr || !Fits(run.required, payload);
            });
      };
      std::byte* const image = database->AliasOf(page);
      const LargeRun run = frames.At(page).run;
      if (!run.large()) {
        ForEachObjectInImage(image, [&](const abi::TypeDescriptor& type, abi::Ref at) {
          look(type, static_cast<const std::byte*>(at), 0, abi::PayloadBytes(type, at));
        });
      } else if (const auto type = database->TypeOf(run.type); type.ok()) {
        const PayloadPart part = PayloadOnPage(run);
        look(**type, image + part.on_page, part.begin, part.end);
      }
      if (wrong) return true;
    }
  }
  return false;
}

Status CheckExpectedAt(SessionState& session, Database& database, PageId page,
                       const std::byte* image, const LargeRun& run, const ObjectStarts& starts) {
  Frame& frame = database.frames().At(page);
  if (frame.expected == nullptr) return Status::Ok();
  for (const ExpectedObject& expected : *frame.expected) {
    const PersistentRef object = PersistentRef::Object(page, expected.offset());
    const void* payload = session.displaced.PlaceOf(&database, object);
    if (payload == nullptr && starts.test(expected.offset() / 8)) {
      payload = image + expected.offset();
    }
    if (payload != nullptr && Fits(expected.required(), payload)) continue;
    // Others may have changed both pages since.
    if (database.server().capabilities().shared &&
        !IsWrongFor(session, database.AddressOf(object), payload)) {
      continue;
    }
    return Damaged(page, "there is ",
                   payload == nullptr ? NoObject(database, object, image, run)
                                      : WrongObject(object, expected.required(), payload));
  }
  session.expected -= std::min<uint64_t>(session.expected, frame.expected->size());
  frame.expected.reset();
  return Status::Ok();
}

}  // namespace

// An object at home in the database, perhaps not there: `object` says where.
Status CheckReference(SessionState& session, Database& database, PersistentRef object,
                      const RequiredType* required) {
  PageFrames& frames = database.frames();
  if (!object.well_formed_object() || !frames.Covers(object.page())) {
    return NoObject(database, object, nullptr);
  }
  if (const abi::Ref place = session.displaced.PlaceOf(&database, object)) {
    return Fits(required, place) ? Status::Ok() : WrongObject(object, required, place);
  }
  Frame& frame = frames.At(object.page());
  if (!frame.in_memory()) {
    Expect(session, frame, {object.offset(), required});
    return Status::Ok();
  }
  const std::byte* const image = database.AliasOf(object.page());
  const size_t word = object.offset() / 8;
  if (frame.starts == nullptr || !frame.starts->test(word)) {
    // Objects may have come since.
    frame.starts = std::make_unique<const ObjectStarts>(StartsOn(image, frame.run));
    if (!frame.starts->test(word)) return NoObject(database, object, image, frame.run);
  }
  const void* const payload = image + object.offset();
  // An object that a failed commit has copied there is a free place again.
  if (abi::ObjectHeader::Of(payload)->is_filler()) return NoObject(database, object, nullptr);
  return Fits(required, payload) ? Status::Ok() : WrongObject(object, required, payload);
}

Status CheckFound(SessionState& session, Database& database, PageId page, const std::byte* image,
                  const LargeRun& run) {
  auto starts = std::make_unique<const ObjectStarts>(StartsOn(image, run));
  // Most references of a page lead to the same page, or to one whose state is known: a page has
  // some hundred, so these cost no more than this.
  PageFrames& frames = database.frames();
  const auto base = reinterpret_cast<uintptr_t>(database.FrameOf(PageId{0}));
  const uint64_t bytes = frames.end() * kPageBytes;
  const bool all_at_home = session.displaced.home_pages() == 0;
  const std::byte* const alias = database.AliasOf(PageId{0});
  const auto is_plain = [&](const FoundReference& found) {
    const uint64_t bits = reinterpret_cast<uintptr_t>(found.object) - base;
    if (bits >= bytes) return false;
    const size_t word = bits % kPageBytes / 8;
    if (bits / kPageBytes == page.number) {
      return starts->test(word) && Fits(found.required, image + bits % kPageBytes);
    }
    Frame& frame = frames.At(PageId{bits / kPageBytes});
    if (frame.absent()) {
      if (!all_at_home) return false;
      const ExpectedObject expected(bits % kPageBytes, found.required);
      std::vector<ExpectedObject>* const all = frame.expected.get();
      if (all == nullptr || all->size() == all->capacity()) {
        Expect(session, frame, expected);
      } else if (!(all->back() == expected)) {
        all->push_back(expected);
        ++session.expected;
      }
      return true;
    }
    if (frame.state == FrameState::kSpilled || frame.starts == nullptr) return false;
    return frame.starts->test(word) && !abi::ObjectHeader::Of(alias + bits)->is_filler() &&
           Fits(found.required, alias + bits);
  };
  for (const FoundReference& found : session.found) {
    if (is_plain(found)) continue;
    Database* const target =
        database.Contains(found.object) ? &database : session.DatabaseAt(found.object);
    Status status;
    if (target == nullptr) {
      // Displaced, or missing.
      if (session.heap.Contains(found.object) && !Fits(found.required, found.object)) {
        status = Failure(StatusCode::kCorrupt, std::string("a reference to an object of type ") +
                                                   TypeAt(found.object).name +
                                                   ", which may not stand there");
      }
    } else {
      const PersistentRef object = target->HomeAt(found.object);
      if (target == &database && object.page() == page) {
        if (!starts->test(object.offset() / 8)) {
          status = NoObject(database, object, image, run);
        } else if (!Fits(found.required, image + object.offset())) {
          status = WrongObject(object, found.required, image + object.offset());
        }
      } else if (&target->store() == &database.store()) {
        status = CheckReference(session, *target, object, found.required);
      } else {
        // The noted condition must live as long as the other store.
        const RequiredType* required = nullptr;
        if (found.required != nullptr && found.required->only() != nullptr) {
          required = &target->SlotTypesOf(*found.required->only()).own();
        }
        status = CheckReference(session, *target, object, required);
      }
    }
    if (!status.ok()) {
      return Damaged(page, "at offset " + std::to_string(found.offset) + " ", status);
    }
  }
  TN_RETURN_IF_ERROR(CheckExpectedAt(session, database, page, image, run, *starts));
  database.frames().At(page).starts = std::move(starts);
  return Status::Ok();
}

Status CheckExpected(SessionState& session, Database& database, PageId page, const std::byte* image,
                     const LargeRun& run) {
  return CheckExpectedAt(session, database, page, image, run, StartsOn(image, run));
}

void ExpectSame(SessionState& session, Database& database, PageId page) {
  if (!database.server().capabilities().shared) return;
  Frame& frame = database.frames().At(page);
  if (frame.run.large()) {
    // The pages of a large object come back together or not at all.
    return;
  }
  std::byte* const image = database.AliasOf(page);
  ForEachObjectInImage(image, [&](const abi::TypeDescriptor& type, abi::Ref object) {
    if ((type.flags & kTypeUnknown) != 0) return;
    const auto offset = static_cast<std::byte*>(object) - image;
    Expect(session, frame, {static_cast<size_t>(offset), &database.SlotTypesOf(type).own()});
  });
}

}  // namespace tenure::stabilize
