#include "stabilize/session/faults.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/check.h"
#include "gc/card_table.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/session/early_changes.h"
#include "stabilize/session/frame_budget.h"
#include "stabilize/session/nesting.h"
#include "stabilize/session/residency.h"
#include "stabilize/state/database_references.h"
#include "stabilize/state/expected_pages.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/open_stores.h"
#include "stabilize/state/page_images.h"
#include "stabilize/state/paranoid_check.h"
#include "stabilize/state/reference_check.h"
#include "stabilize/state/store_marks.h"
#include "store/files/page_copy.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

using abi::kPageBytes;

namespace {

// When this many pages of a group of neighbours are written, the others will be written too.
constexpr uint64_t kManyWritten = 3;

FaultAnswer Failed(FaultAnswer::Error error, Status status) {
  return {FaultAnswer::Kind::kFailed, error, status};
}

FaultAnswer FailedBy(Status status) {
  switch (status.code()) {
    case StatusCode::kTypeMismatch: return Failed(FaultAnswer::Error::kTypeMismatch, status);
    case StatusCode::kConflict:
    case StatusCode::kAborted: return Failed(FaultAnswer::Error::kAborted, status);
    default: return Failed(FaultAnswer::Error::kFailure, status);
  }
}

FaultAnswer AbortedAnswer() {
  return Failed(FaultAnswer::Error::kAborted,
                Status(StatusCode::kAborted, "another thread has met the end of the transaction"));
}

constexpr FaultAnswer kResolved = {FaultAnswer::Kind::kResolved, FaultAnswer::Error::kNone, {}};

const DisplacedObject* DisplacedAt(SessionState& session, const GovernedPage& page,
                                   const void* address) {
  abi::Ref last = nullptr;  // that begins before the byte
  for (abi::Ref place : page.objects) {
    if (BeginOf(place) <= address && place > last) last = place;
  }
  if (last == nullptr) return nullptr;
  const DisplacedObject* const object = session.displaced.Find(last);
  return address < BeginOf(last) + object->bytes ? object : nullptr;
}

PageRun PagesToOpen(SessionState& session, Database& database, PageId page) {
  PageFrames& frames = database.frames();
  const PageRun last = database.last_opened();
  const bool forward = last.pages > 0 && page == last.first + last.pages;
  PageRun run{page, 1};
  // A page of a shared store that is only perhaps written would be kept from other programs; a
  // child notes each page.
  uint64_t most = session.options.pages_opened_together;
  // The others would be closed at once.
  if (const uint64_t bound = session.options.twin_bytes; bound != 0) {
    most = std::min(most, std::max(bound / kPageBytes / 2, uint64_t{1}));
  }
  if (database.server().capabilities().shared || session.depth() > 0 || most == 1) return run;

  const auto may = [&](PageId neighbour) {
    if (!frames.Covers(neighbour) || frames.At(neighbour).state != FrameState::kClean ||
        frames.At(neighbour).kept_writable) {
      return false;
    }
    // Objects come home only to pages that are not open.
    return session.displaced.WithHomeOn(&database, neighbour) == nullptr;
  };
  // Pages that the last commit changed together will probably be changed together again.
  const bool again =
      database.changed_version() != 0 && frames.At(page).version == database.changed_version();
  const PageId group = PageFrames::FirstNeighbour(page);
  uint64_t written = 0;
  for (PageId near = group; near < group + PageFrames::kNeighbours; near = near + 1) {
    written += frames.Covers(near) && frames.At(near).state == FrameState::kDirty;
  }
  const bool dense = written >= kManyWritten;
  const auto likely = [&](PageId neighbour) {
    if (!may(neighbour)) return false;
    if (again && frames.At(neighbour).version == database.changed_version()) return true;
    return dense && PageFrames::FirstNeighbour(neighbour) == group;
  };
  while (run.pages < most && run.first.number > 1 && likely(PageId{run.first.number - 1})) {
    run = {PageId{run.first.number - 1}, run.pages + 1};
  }
  while (run.pages < most && likely(run.first + run.pages)) ++run.pages;
  const uint64_t wanted = forward ? std::min(2 * last.pages, most) : 1;
  while (run.pages < wanted && may(run.first + run.pages)) ++run.pages;
  // Asking the system for the memory of the frames costs as much as protecting a page.
  return run.pages == 1 || HasRoom(session, most) ? run : PageRun{page, 1};
}

Status OpenForWriting(SessionState& session, Database& database, PageId page) {
  TN_RETURN_IF_ERROR(database.server().WantWrite(database.id(), std::span(&page, 1)));
  TN_RETURN_IF_ERROR(MakeRoom(session, 1));  // for the twin
  const PageRun run = PagesToOpen(session, database, page);
  const auto each = [&](auto&& visit) {
    for (uint64_t i = 0; i < run.pages; ++i) visit(run.first + i);
  };
  each([&](PageId opened) {
    PageCopy twin = NewPageCopy();
    std::memcpy(twin.get(), database.AliasOf(opened), kPageBytes);
    database.SetTwin(opened, std::move(twin));
    ++session.counters.twins_made;
  });
  const Status status = database.mapping().SetAccess(database.FrameOf(run.first), run.pages,
                                                     Access::kRead, Access::kWrite);
  if (!status.ok()) {
    each([&](PageId opened) { database.DropTwin(opened); });
    return status;
  }
  each([&](PageId opened) {
    Frame& frame = database.frames().At(opened);
    frame.state = FrameState::kDirty;
    frame.closed_by_clock = false;
    frame.level = session.depth();
    if (session.depth() > 0)
      session.open.innermost().frames.push_back({&database, opened, nullptr, 0});
    database.AddDirty(opened);
    database.Remember(opened);
    NoteOpened(database, opened);
  });
  database.SetLastOpened(run);
  session.counters.pages_opened_together += run.pages - 1;
  return NoteTwins(session, database, run, page);
}

// A store to a marked frame traps, so that its barrier may be missing: what it changes is found by
// comparison.
void KeepImageOfMarked(Database& database, PageId page) {
  const Frame& frame = database.frames().At(page);
  if (frame.marks == 0 || frame.twin != nullptr) return;
  PageCopy twin = NewPageCopy();
  std::memcpy(twin.get(), database.AliasOf(page), kPageBytes);
  database.SetTwin(page, std::move(twin));
}

// The name of the type of the object at an address of the page; empty when it is not known here.
std::string TypeNameAt(Database& database, PageId page, const void* address) {
  const Frame& frame = database.frames().At(page);
  if (frame.run.large()) {
    const Result<const abi::TypeDescriptor*> type = database.TypeOf(frame.run.type);
    return type.ok() ? (*type)->name : "";
  }
  std::string name;
  const auto offset = reinterpret_cast<uintptr_t>(address) % kPageBytes;
  if (frame.state == FrameState::kClosed || frame.state == FrameState::kClean ||
      frame.state == FrameState::kDirty) {
    auto* const image = reinterpret_cast<std::byte*>(database.AliasOf(page));
    ForEachObjectInImage(image, [&](const abi::TypeDescriptor& type, abi::Ref object) {
      const auto begin = static_cast<size_t>(static_cast<std::byte*>(object) - image);
      const bool holds =
          begin <= offset + abi::kHeaderBytes && offset < begin + abi::PayloadBytes(type, object);
      if (holds) name = type.name;
    });
  }
  return name;
}

// The answer to a use of a persistent object outside of a transaction; `type` is the object's,
// empty when unknown.
FaultAnswer NotInProgress(bool is_write, const std::string& type) {
  const std::string object =
      type.empty() ? "a persistent object" : "a persistent object of type " + type;
  return Failed(FaultAnswer::Error::kTransactionNotInProgress,
                Failure(StatusCode::kNotFound,
                        object + (is_write ? " is written" : " is read") +
                            " outside of every transaction: begin a transaction first"));
}

FaultAnswer HandleFrameFault(SessionState& session, Database& database, const void* address,
                             bool is_write, uint64_t top, const PageAnswers& answers) {
  // Asked first: databases may have been closed when the transactions were aborted.
  if (session.open.readers().aborted() && session.open.readers().HasTop(top))
    return AbortedAnswer();
  if (!database.open()) {
    return FailedBy(database.ClosedFailure());
  }
  const PageId page = database.PageAt(address);
  if (!database.frames().Covers(page)) {
    return FailedBy(Failure(StatusCode::kCorrupt, "database " + database.Path() + " has no page " +
                                                      std::to_string(page.number)));
  }
  if (const FaultAnswer may = MayTouch(session, is_write, top);
      may.kind != FaultAnswer::Kind::kResolved) {
    if (may.error != FaultAnswer::Error::kTransactionNotInProgress) return may;
    return NotInProgress(is_write, TypeNameAt(database, page, address));
  }
  // The state may have changed since the trap: another thread met the same one. Then only the
  // access is repeated.
  session.allowance.Keep(&database, page);
  database.frames().At(page).closed_by_clock = false;
  const FrameState state = database.frames().At(page).state;
  const bool absent = database.frames().At(page).absent();
  if (absent || (is_write && state != FrameState::kDirty)) {
    if (!answers.status().ok()) return FailedBy(answers.status());
  }
  if (state == FrameState::kClosed) {
    const Status status =
        database.mapping().SetAccess(database.FrameOf(page), 1, Access::kNone, Access::kRead);
    if (!status.ok()) return FailedBy(status);
    database.frames().At(page).state = FrameState::kClean;
  } else if (state == FrameState::kSpilled) {
    if (Status status = Unspill(session, database, page); !status.ok()) return FailedBy(status);
  } else if (absent) {
    ++session.counters.read_faults;
    const PageReply* const here = answers.ContentsOf(database, page);
    const Status status = here != nullptr
                              ? MakeResident(session, database, page, std::span(&page, 1), here)
                              : MakeResident(session, database, page);
    if (!status.ok()) return FailedBy(status);
  } else if (!is_write) {
    // Another thread has met the same trap; or the system has taken the page out of the mapping, to
    // write it to its swap space.
    const Frame& frame = database.frames().At(page);
    // A write to a page that was compared early needs a twin first.
    const bool needs_twin = frame.twin == nullptr && frame.changed_early != nullptr;
    const bool writable =
        frame.state == FrameState::kDirty && frame.level == session.depth() && !needs_twin;
    const Status status = database.mapping().SetAccess(database.FrameOf(page), 1, Access::kNone,
                                                       writable ? Access::kWrite : Access::kRead);
    if (!status.ok()) return FailedBy(status);
    if (frame.state == FrameState::kClean && frame.kept_writable) {
      database.frames().At(page).kept_writable = false;
      database.frames().At(page).was_kept_writable = true;
    }
  }
  if (is_write) {
    ++session.counters.write_faults;
    const bool dirty = database.frames().At(page).state == FrameState::kDirty;
    if (dirty) KeepImageOfMarked(database, page);
    const Status status =
        dirty ? ReopenForWriting(session, database, page) : OpenForWriting(session, database, page);
    if (!status.ok()) return FailedBy(status);
  }
  return kResolved;
}

// Opens the page: a store to it may go on.
Status OpenGoverned(SessionState& session, GovernedPage& page) {
  Status status;
  switch (page.state) {
    // Another thread has met the same trap; or mappings have run short since.
    case GovernedState::kOpen: status = session.governed.MakeWritable(page); break;
    case GovernedState::kDirty: status = ReopenForWriting(session, page); break;
    case GovernedState::kProtected:
      status = session.governed.Open(page, session.in_transaction() && !session.in_read_only()
                                               ? GovernedState::kDirty
                                               : GovernedState::kOpen);
      if (status.ok() && session.in_transaction() && session.depth() > 0) {
        session.open.innermost().governed.push_back({page.begin, nullptr, 0});
      }
      break;
  }
  if (status.ok()) status = session.governed.KeepWithinQuota(page);
  return status;
}

// A store to a transient neighbour of displaced objects opens the page without permission: the
// neighbourhood is chance. If a displaced object is then stored to as well, the commit finds that
// and asks for the permission; at the end of a read-only transaction such a store is undone.
FaultAnswer HandleGovernedFault(SessionState& session, GovernedPage& page, const void* address,
                                uint64_t top, const PageAnswers& answers) {
  ++session.counters.write_faults;
  if (const DisplacedObject* const object = DisplacedAt(session, page, address)) {
    if (const FaultAnswer may = MayTouch(session, /*is_write=*/true, top);
        may.kind != FaultAnswer::Kind::kResolved) {
      if (may.error != FaultAnswer::Error::kTransactionNotInProgress) return may;
      return NotInProgress(/*is_write=*/true, abi::ObjectHeader::Of(object->place)->type()->name);
    }
    const Status status = answers.status().ok() ? WantWriteOf(*object) : answers.status();
    if (!status.ok()) return FailedBy(status);
  }
  if (const Status status = OpenGoverned(session, page); !status.ok()) return FailedBy(status);
  return kResolved;
}

// Whether the database's store has failed by a sync of commits that the program has made earlier.
bool HasFailedBefore(SessionState& session, Database& database) {
  return database.open() && session.in_transaction() && !session.open.abort_pending() &&
         !database.server().failed().ok() && session.ordered.Server() == database.store().server;
}

}  // namespace

bool MayTouchNow(SessionState& session, bool is_write, uint64_t top) {
  if (session.open.readers().aborted() && session.open.readers().HasTop(top)) return false;
  return MayTouch(session, is_write, top).kind == FaultAnswer::Kind::kResolved;
}

FaultAnswer MayTouch(SessionState& session, bool is_write, uint64_t top) {
  if (!session.open.IsOpenTop(top)) {
    return NotInProgress(is_write, "");
  }
  if (session.open.abort_pending() || !session.in_transaction()) return AbortedAnswer();
  if (is_write && session.open.innermost().read_only) {
    return Failed(FaultAnswer::Error::kReadOnly, WriteInReadOnly());
  }
  return kResolved;
}

std::optional<PageRequest> RequestOfFault(SessionState& session, const void* address, bool is_write,
                                          uint64_t top) {
  if (Database* const database = session.DatabaseAt(address)) {
    if (!IsShared(*database)) return std::nullopt;
    const PageId page = database->PageAt(address);
    if (!database->frames().Covers(page) || !MayTouchNow(session, is_write, top)) {
      return std::nullopt;
    }
    const FrameState state = database->frames().At(page).state;
    const bool contents = database->frames().At(page).absent();
    const bool write =
        is_write && (contents || state == FrameState::kClean || state == FrameState::kClosed);
    if (!contents && !write) return std::nullopt;
    return PageRequest{database, {page, 1}, contents, false, write};
  }
  GovernedPage* const governed = session.governed.Find(address);
  if (governed == nullptr) return std::nullopt;
  const DisplacedObject* const object = DisplacedAt(session, *governed, address);
  if (object == nullptr || !IsShared(*object->database) ||
      !MayTouchNow(session, /*is_write=*/true, top)) {
    return std::nullopt;
  }
  const Placed home = object->at_home();
  const PageRun pages{home.first_page(), home.last_page().number - home.first_page().number + 1};
  return PageRequest{object->database, pages, false, false, true};
}

FaultAnswer HandleFault(SessionState& session, const void* address, bool is_write, uint64_t top,
                        const PageAnswers& answers) {
  const auto note_end = [&](const FaultAnswer& answer) {
    if (answer.error != FaultAnswer::Error::kAborted) return;
    // The transaction cannot be committed any more, so it is over now. Memory is put back when the
    // other threads are stopped: a store of theirs into a page that is being put back would stay.
    if (session.in_transaction()) session.open.SetAbortPending(true);
    if (session.open.readers().HasTop(top)) session.open.readers().Remove(top);
  };
  if (Database* database = session.DatabaseAt(address)) {
    FaultAnswer answer = HandleFrameFault(session, *database, address, is_write, top, answers);
    if (answer.kind == FaultAnswer::Kind::kFailed && HasFailedBefore(session, *database)) {
      // If the server's commits have taken place the program need not learn of the failure.
      AwaitPageRequests(session);
      (void)AwaitOrdered(session);
      answer = session.commits.lost().ok()
                   ? HandleFrameFault(session, *database, address, is_write, top, {})
                   : Failed(FaultAnswer::Error::kAborted,
                            Status(StatusCode::kAborted, session.commits.lost().text()));
    }
    note_end(answer);
    return answer;
  }
  if (GovernedPage* page = session.governed.Find(address)) {
    const FaultAnswer answer = HandleGovernedFault(session, *page, address, top, answers);
    note_end(answer);
    return answer;
  }
  if (session.missing.Contains(address)) {
    const MissingTargets::Target* target = session.missing.At(address);
    return Failed(
        FaultAnswer::Error::kMissing,
        target == nullptr ? Status(StatusCode::kNotFound, "there is no such object") : target->why);
  }
  return {};
}

Status StoreBeside(SessionState& session, void** place, void* word) {
  GovernedPage* const page = session.governed.Find(place);
  const bool opens = page != nullptr && !page->writable;
  if (opens) TN_RETURN_IF_ERROR(OpenGoverned(session, *page));
  __atomic_store_n(place, word, __ATOMIC_RELAXED);
  return opens ? session.governed.Protect(*page) : Status::Ok();
}

Status WantWriteOf(const DisplacedObject& object) {
  PageServer& server = object.database->server();
  if (!server.capabilities().shared) return Status::Ok();
  const Placed home = object.at_home();
  for (PageId at = home.first_page(); at <= home.last_page(); at = at + 1) {
    TN_RETURN_IF_ERROR(server.WantWrite(object.database->id(), std::span(&at, 1)));
  }
  return Status::Ok();
}

}  // namespace tenure::stabilize
