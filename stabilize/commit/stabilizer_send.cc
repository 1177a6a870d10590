// The last steps of a commit, when every object has its home: encode, send, and take the answer.
#include <algorithm>
#include <bit>
#include <bitset>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/copy_bytes.h"
#include "base/process_fence.h"
#include "stabilize/commit/confirmed_reads.h"
#include "stabilize/commit/stabilizer.h"
#include "stabilize/frames/mapping_quota.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/database_references.h"
#include "stabilize/state/frame_contents.h"
#include "stabilize/state/open_stores.h"
#include "stabilize/state/store_marks.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"
#include "store/server/store_path.h"

namespace tenure::stabilize {

using abi::kPageBytes;
using abi::ObjectHeader;
using abi::Ref;
using abi::TypeDescriptor;

namespace {

// Regions closer than this are sent as one: a region costs the log about as much as this many
// words.
constexpr size_t kJoinWords = 4;

// A commit with at least this many fresh pages gives their encoded memory to the page server.
constexpr size_t kManyFresh = 16;

// The parts of a page that are sent when these words have changed.
template <size_t kWords>
void AppendParts(const std::bitset<kWords>& changed, std::vector<PagePart>* parts) {
  for (size_t word = changed._Find_first(); word < kWords;) {
    size_t last = word, next = changed._Find_next(word);
    for (; next < kWords && next - last <= kJoinWords; next = changed._Find_next(next)) last = next;
    parts->push_back({static_cast<uint32_t>(word * 8), static_cast<uint32_t>((last + 1) * 8)});
    word = next;
  }
}

// Makes pages of a database readable; neighbours that come one behind the other together.
class ReadableRun {
 public:
  ReadableRun(Database& database, Access from) : database_(database), from_(from) {}
  Status Add(PageId page) {
    Status status;
    if (run_.pages == 0 || page != run_.first + run_.pages) {
      status = Flush();
      run_.first = page;
    }
    ++run_.pages;
    return status;
  }
  Status Flush() {
    const PageRun run = std::exchange(run_, {PageId{0}, 0});
    if (run.pages == 0) return Status::Ok();
    return database_.mapping().SetAccess(database_.FrameOf(run.first), run.pages, from_,
                                         Access::kRead);
  }

 private:
  Database& database_;
  const Access from_;
  PageRun run_{PageId{0}, 0};
};

// The page's stored contents to `to`.
Status ReadStored(Database& database, PageId page, std::byte* to) {
  PageReply reply;
  TN_RETURN_IF_ERROR(
      database.server().Read(database.id(), std::span(&page, 1), std::span(&reply, 1)));
  TN_RETURN_IF_ERROR(reply.status);
  std::memcpy(to, reply.record.contents, kPageBytes);
  return Status::Ok();
}

// A page in which a commit changes more blocks than this stays open over commits with a twin:
// comparing is then cheaper than marking block by block.
constexpr size_t kFewBlocks = 3;

template <size_t kWords>
bool ChangesManyBlocks(const std::bitset<kWords>& changed) {
  constexpr size_t kWordsPerBlock = abi::kBlockBytes / 8;
  size_t blocks = 0;
  for (size_t word = changed._Find_first(); word < kWords && blocks <= kFewBlocks; ++blocks) {
    const size_t last = word / kWordsPerBlock * kWordsPerBlock + kWordsPerBlock - 1;
    word = changed._Find_next(last);
  }
  return blocks > kFewBlocks;
}

CommitAnswer DidNotHappen(Status status) {
  const bool conflict = status.code() == StatusCode::kConflict;
  return {conflict ? CommitOutcome::kConflict : CommitOutcome::kFailed, 0, status};
}

}  // namespace

Status Stabilizer::EncodeOne(Database& database, PageId page, const PageChange& change,
                             std::span<const PagePart> parts, std::byte* to) {
  TN_RETURN_IF_ERROR(EncodeKnown(database, page, change, parts, to));
  for (const auto& [offset, stored] : database.UnknownProceduresOn(page)) {
    const bool wanted = std::any_of(parts.begin(), parts.end(), [&](const PagePart& part) {
      return part.begin <= offset && offset < part.end;
    });
    if (!wanted) continue;
    uint64_t now;
    std::memcpy(&now, to + offset, sizeof now);
    if (now == 0) {
      std::memcpy(to + offset, &stored, sizeof stored);
    } else {
      replaced_procedures_.push_back({&database, page, offset});
    }
  }
  return Status::Ok();
}

Status Stabilizer::EncodeKnown(Database& database, PageId page, const PageChange& change,
                               std::span<const PagePart> parts, std::byte* to) {
  PrepareSlots(session_, database, page);
  const PageObjects* slots = session_.displaced.WithHomeOn(&database, page);
  DatabaseReferences references(session_, database);
  if (change.run.large()) {
    // A displaced large object's run has no contents in its frames; its pages correspond to those
    // of its place.
    const PersistentRef home = HomeOfRun(page, change.run);
    Result<const TypeDescriptor*> type = database.TypeOf(change.run.type);
    TN_CHECK(type.ok());
    if (Ref place = session_.displaced.PlaceOf(&database, home)) {
      const auto* begin = reinterpret_cast<const std::byte*>(BeginOf(place));
      const size_t bytes = session_.displaced.Find(place)->bytes;
      const size_t skip = size_t{change.run.index} * kPageBytes;
      const size_t here = std::min(kPageBytes, bytes - skip);
      alignas(8) std::byte copy[kPageBytes] = {};
      std::memcpy(copy, begin + skip, here);
      EncodeLargePage(**type, change.run, copy, parts, references, to);
      return Status::Ok();
    }
    alignas(8) std::byte buffer[kPageBytes];
    TN_ASSIGN_OR_RETURN(std::byte* const image, ImageOf(session_, database, page, buffer));
    EncodeLargePage(**type, change.run, image, parts, references, to);
    return Status::Ok();
  }
  if (database.frames().At(page).state == FrameState::kStoreOnly) {
    TN_RETURN_IF_ERROR(ReadStored(database, page, to));
  } else {
    alignas(8) std::byte buffer[kPageBytes];
    TN_ASSIGN_OR_RETURN(std::byte* const found, ImageOf(session_, database, page, buffer));
    EncodePage(found, parts, references, to);
  }
  if (slots == nullptr) return Status::Ok();
  PageParts wanted(parts);
  for (Ref place : *slots) {
    const DisplacedObject* object = session_.displaced.Find(place);
    const size_t at = object->at_home().offset();
    if (!wanted.Touch(at, at + object->bytes)) continue;
    EncodeObject(*ObjectHeader::Of(place)->type(), place, object->bytes, references, to + at);
  }
  return Status::Ok();
}

Status Stabilizer::Encode() {
  const RecoveryPolicy policy = session_.options.recovery;
  std::vector<PagePart> parts;
  alignas(8) std::byte scratch[kPageBytes];
  for (auto& changes : changes_) {
    Database& database = *changes->database;
    placement_.FinishOpenPages(*changes);
    // A server that computes checksums of pages itself needs only the changed regions.
    const bool sums = session_.options.paranoid || !database.server().capabilities().sums_pages;
    for (auto it = changes->pages.begin(); it != changes->pages.end();) {
      PageChange& change = it->second;
      const PageId page{it->first};
      if (!change.fresh && change.changed.none()) {
        // The page was written, but has its old contents.
        it = changes->pages.erase(it);
        continue;
      }
      const bool sent_whole = change.fresh || ShipsPages(policy);
      parts.clear();
      if (!change.fresh && !LogsPages(policy)) AppendParts(change.changed, &parts);
      std::byte* to = change.encoded;
      if (to == nullptr) {
        // If a page is not sent whole, only its changed parts are kept, which takes much less
        // memory.
        to = sent_whole ? changes_.TakeEncoded(change) : scratch;
        TN_RETURN_IF_ERROR(EncodeOne(
            database, page, change,
            sums || sent_whole ? std::span(&kWholePage, 1) : std::span(std::as_const(parts)), to));
      }
      TN_RETURN_IF_ERROR(database.TakeEncodeFailure());
      if (sums) change.checksum = PageChecksum(page, change.run, to);
      change.regions.reserve(parts.size());
      for (const PagePart& part : parts) {
        const size_t bytes = part.end - part.begin;
        std::byte* const region = session_.commits.arena().TakeBytes(bytes);
        CopyMostlyWord(region, to + part.begin, bytes);
        change.regions.push_back({part.begin, std::span<const std::byte>(region, bytes)});
      }
      ++it;
    }
    if (changes->root_changed)
      changes->root =
          database.pending_root() && *database.pending_root() != nullptr
              ? DatabaseReferences(session_, database).ToStored(*database.pending_root())
              : PersistentRef::Nil();
  }
  return Status::Ok();
}

// What one store gets.
struct Stabilizer::Part {
  OpenStoreState* store = nullptr;
  std::vector<DatabaseChanges*> changes;
  std::vector<std::vector<PageWrite>> writes;
  std::vector<DatabaseCommit> databases;
};

void Stabilizer::MakeParts(std::vector<Part>& parts) {
  for (auto& changes : changes_) {
    if (changes->pages.empty() && !changes->root_changed && changes->imports.empty() &&
        changes->exports.empty()) {
      continue;
    }
    Database& database = *changes->database;
    auto part = std::find_if(parts.begin(), parts.end(),
                             [&](const Part& p) { return p.store == &database.store(); });
    if (part == parts.end()) {
      part = parts.insert(part, Part());
      part->store = &database.store();
    }
    std::vector<PageWrite> list;
    list.reserve(changes->pages.size());
    for (auto& [number, change] : changes->pages) {
      PageWrite write;
      write.page = PageId{number};
      write.expected_version = change.fresh ? 0 : database.frames().At(PageId{number}).version;
      write.checksum = change.checksum;
      write.run = change.run;
      if (change.fresh || ShipsPages(session_.options.recovery)) {
        write.contents = change.encoded;
        if (changes->fresh >= kManyFresh) {
          write.given = session_.commits.arena().GiveAway(change.encoded);
        }
      }
      write.regions = change.regions;
      list.push_back(write);
    }
    DatabaseCommit commit;
    commit.database = database.id();
    if (changes->root_changed) commit.root = changes->root;
    commit.imports_before = changes->imports_before;
    commit.imports = changes->imports;
    commit.exports_before = changes->exports_before;
    commit.exports = changes->exports;
    part->changes.push_back(changes.get());
    part->writes.push_back(std::move(list));
    part->databases.push_back(commit);
  }
  for (Part& part : parts) {
    for (size_t i = 0; i < part.databases.size(); ++i) part.databases[i].pages = part.writes[i];
  }
  // The first part decides. A served store can be asked for the outcome even when this program is
  // gone, and a store of a cluster from every machine.
  auto served = std::find_if(parts.begin(), parts.end(),
                             [](const Part& part) { return IsClusterUri(part.store->path); });
  if (served == parts.end()) {
    served = std::find_if(parts.begin(), parts.end(), [](const Part& part) {
      return part.store->server->capabilities().shared;
    });
  }
  if (served != parts.end()) std::rotate(parts.begin(), served, served + 1);
}

Status Stabilizer::Send() {
  std::vector<Part> parts;
  MakeParts(parts);
  if (parts.empty()) {  // Nothing changed.
    TN_RETURN_IF_ERROR(ConfirmReads(session_));
    if (ordered_ == nullptr) TN_RETURN_IF_ERROR(AwaitEarlier(parts));
    if (ordered_ != nullptr) *ordered_ = session_.ordered.Newest();
    return Accept();
  }
  TN_RETURN_IF_ERROR(AwaitEarlier(parts));
  session_.commits.NoteSent(id_);
  std::vector<PageServerStatistics> before;
  for (Part& part : parts) before.push_back(part.store->server->statistics());

  CommitAnswer answer;
  Status wanted;
  for (Part& part : parts) {
    if (wanted.ok()) wanted = WantAll(part);
  }
  // All permissions are granted now: after ConfirmReads they are known to be held together.
  if (wanted.ok()) {
    std::vector<const OpenStoreState*> written;
    for (const Part& part : parts) written.push_back(part.store);
    wanted = ConfirmReads(session_, written);
  }
  if (!wanted.ok()) {
    refused_ = true;
    answer = DidNotHappen(wanted);
  } else {
    answer = parts.size() == 1 ? SendToOne(parts[0], {}) : SendToAll(parts);
  }
  report_.EndPhase(CommitReport::kSend);
  if (answer.outcome == CommitOutcome::kUnknown) {
    return Status(StatusCode::kUnknownOutcome, answer.status.text(), answer.status.number());
  }
  if (answer.outcome == CommitOutcome::kConflict) {
    return Status(StatusCode::kConflict, "another transaction won");
  }
  if (answer.outcome != CommitOutcome::kCommitted) {
    return answer.status.ok() ? Status(StatusCode::kIo, "the page server did not commit")
                              : answer.status;
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const PageServerStatistics after = parts[i].store->server->statistics();
    report_.pages_written += after.pages_written + after.pages_changed - before[i].pages_written -
                             before[i].pages_changed;
    report_.bytes_written += after.bytes_written - before[i].bytes_written;
    report_.log_bytes += after.log_bytes - before[i].log_bytes;
    // A server that was opened anew counts from 0.
    const uint64_t counted = std::exchange(parts[i].store->syncs_at_commit, after.syncs);
    report_.syncs += after.syncs - (counted <= after.syncs ? counted : 0);
    report_.largest_group = std::max(report_.largest_group, after.largest_group);
    for (const std::vector<PageWrite>& writes : parts[i].writes) {
      for (const PageWrite& write : writes) {
        report_.pages_shipped += write.contents != nullptr;
        report_.regions_shipped += write.regions.size();
      }
    }
  }
  SessionStatistics& counters = session_.counters;
  counters.pages_written += report_.pages_written;
  counters.bytes_written += report_.bytes_written;
  counters.log_bytes += report_.log_bytes;
  counters.pages_shipped += report_.pages_shipped;
  counters.regions_shipped += report_.regions_shipped;
  ++counters.commits;
  counters.objects_named += report_.persisted.objects;
  counters.bytes_named += report_.persisted.bytes;
  return Accept();
}

// Permissions for pages that were opened for their neighbours only have not been asked for yet; and
// new pages may have been called back since they were handed out.
Status Stabilizer::WantAll(Part& part) {
  if (!part.store->server->capabilities().shared) return Status::Ok();
  for (const DatabaseCommit& commit : part.databases) {
    std::vector<PageId> pages;
    for (const PageWrite& write : commit.pages) pages.push_back(write.page);
    TN_RETURN_IF_ERROR(part.store->server->WantWrite(commit.database, pages));
  }
  return Status::Ok();
}

// Stores sync their logs independently. A commit that has seen an earlier commit of another store
// must not survive a crash that the earlier one does not. A commit of several stores decides about
// earlier commits at all of them.
Status Stabilizer::AwaitEarlier(const std::vector<Part>& parts) {
  if (session_.ordered.Newest() == 0) return Status::Ok();
  if (parts.size() == 1 && parts[0].store->server == session_.ordered.Server()) return Status::Ok();
  const Status status = AwaitOrdered(session_);
  if (status.ok()) return status;
  return Status(StatusCode::kAborted, status.text());
}

CommitAnswer Stabilizer::SendToOne(Part& part, std::span<const Uuid> participants) {
  CommitRequest request;
  request.id = id_;
  request.databases = part.databases;
  request.participants = participants;
  // Participants must not carry out their parts before this commit is durable.
  const bool orders = ordered_ != nullptr && participants.empty();
  CommitAnswer answer =
      orders ? part.store->server->Order(request) : part.store->server->Commit(request);
  if (answer.outcome == CommitOutcome::kCommitted) {
    if (orders) {
      *ordered_ = session_.ordered.Add(part.store->server, id_, answer.version);
    } else {
      // With this commit all earlier ones are durable.
      session_.ordered.NoteDurable(session_.ordered.Newest());
    }
  } else if (answer.outcome == CommitOutcome::kUnknown) {
    answer = AskOutcome(*part.store, answer);
  }
  for (DatabaseChanges* changes : part.changes) changes->version = answer.version;
  return answer;
}

CommitAnswer Stabilizer::AskOutcome(OpenStoreState& store, CommitAnswer answer) {
  const OutcomeQuestion question{.id = id_, .above = answer.version};
  Result<std::optional<uint64_t>> outcome = store.server->Outcome(question);
  const PageServerCapabilities can = store.server->capabilities();
  // A shared server's object has tried that itself.
  if (!outcome.ok() && can.durable && !can.shared && Reconnect(session_, store).ok()) {
    outcome = store.server->Outcome(question);
  }
  if (outcome.status().code() == StatusCode::kUnknownOutcome) answer.status = outcome.status();
  if (!outcome.ok()) return answer;
  if (outcome->has_value()) return {CommitOutcome::kCommitted, **outcome, Status::Ok()};
  return {CommitOutcome::kFailed, 0,
          Status(StatusCode::kAborted, "the commit did not reach the page server")};
}

// Two phases: the other stores prepare their parts; the first store's commit decides; the others
// carry out theirs. After a crash the next opening of the stores goes on
// (stabilize/state/open_stores.h).
CommitAnswer Stabilizer::SendToAll(std::vector<Part>& parts) {
  Part& first = parts[0];
  std::vector<Uuid> participants;
  const auto resolve = [&](bool commit) {
    Status failure;
    for (size_t i = 0; i < participants.size(); ++i) {
      PageServer& server = *parts[i + 1].store->server;
      const CommitAnswer answer = server.Resolve(id_, commit);
      if (!commit) continue;
      if (answer.outcome != CommitOutcome::kCommitted) {
        failure = answer.status;
        continue;
      }
      for (DatabaseChanges* changes : parts[i + 1].changes) changes->version = answer.version;
      // If the acknowledgement is lost, a record remains that no store asks for.
      (void)first.store->server->Acknowledge(id_, participants[i]);
    }
    return failure;
  };
  for (size_t i = 1; i < parts.size(); ++i) {
    OpenStoreState& store = *parts[i].store;
    CommitRequest request;
    request.id = id_;
    request.databases = parts[i].databases;
    const Coordinator coordinator{first.store->server->store_uuid(),
                                  StoreHint(store.path, first.store->path),
                                  first.store->server->lineage()};
    const Status status = store.server->Prepare(request, coordinator);
    if (!status.ok()) {
      // The store may have written its record before it failed.
      participants.push_back(store.server->participant());
      (void)resolve(false);
      return DidNotHappen(status);
    }
    participants.push_back(store.server->participant());
  }
  const CommitAnswer answer = SendToOne(first, participants);
  // If the outcome is unknown, the next opening asks again.
  if (answer.outcome == CommitOutcome::kUnknown) return answer;
  const Status status = resolve(answer.outcome == CommitOutcome::kCommitted);
  if (status.ok()) return answer;
  return {CommitOutcome::kUnknown, 0,
          Failure(StatusCode::kUnknownOutcome,
                  std::string("the commit took place, but not everywhere yet; it will when the "
                              "stores are opened again (") +
                      status.text() + ")")};
}

// The server has the commit: from here on only changes of protection can fail.
Status Stabilizer::Accept() {
  for (const auto& [database, page, offset] : replaced_procedures_) {
    database->ForgetUnknownProcedure(page, offset);
  }
  Status first_failure;
  const auto note = [&](Status status) {
    if (first_failure.ok()) first_failure = status;
  };
  KeptOpen kept;
  for (auto& changes : changes_) note(AcceptPages(*changes, kept));
  for (auto& database : session_.databases) {
    note(CleanDirtyFrames(*database, std::move(kept[database.get()])));
  }
  note(AcceptGovernedPages());
  TN_CHECK(first_failure.ok());  // Memory protection that fails leaves nothing to go on with.
  return Status::Ok();
}

Status Stabilizer::AcceptPages(DatabaseChanges& changes, KeptOpen& kept) {
  Database& database = *changes.database;
  Status first_failure;
  ReadableRun readable(database, Access::kNone);
  size_t fresh = 0;
  for (auto& [number, change] : changes.pages) {
    const PageId page{number};
    Frame& frame = database.frames().At(page);
    frame.version = changes.version;
    frame.not_round_trippable = false;
    fresh += change.fresh;
    if (!change.fresh) {
      frame.dense = !MarksBlocks(session_.options.recovery) && ChangesManyBlocks(change.changed);
      if (change.stays_open) kept[&database].push_back(page);
      continue;
    }
    frame.run = change.run;
    // The frames of a large object stay absent until it comes home: no reference leads to them. A
    // literal is copied to its frames at once.
    if (change.run.large() &&
        session_.displaced.PlaceOf(&database, HomeOfRun(page, change.run)) != nullptr) {
      continue;
    }
    if (frame.state == FrameState::kVacant) continue;
    if (Status status = readable.Add(page); first_failure.ok()) first_failure = status;
    frame.state = FrameState::kClean;
    EnterClock(session_, database, page);
    NoteProtected(database, page);
  }
  if (Status status = readable.Flush(); first_failure.ok()) first_failure = status;
  if (changes.root_changed) database.AcceptRoot(changes.root);
  if (!changes.pages.empty()) {
    // A commit of mostly new pages tells nothing about the pages that the next one changes.
    const bool mostly_fresh = 2 * fresh > changes.pages.size();
    database.SetChangedVersion(mostly_fresh ? 0 : changes.version);
  }
  return first_failure;
}

Status Stabilizer::CleanDirtyFrames(Database& database, std::vector<PageId> kept) {
  std::vector<PageId> dirty = database.TakeDirty();
  std::sort(dirty.begin(), dirty.end());
  Status first_failure;
  ReadableRun readable(database, Access::kWrite);
  auto next_kept = kept.begin();
  for (PageId page : dirty) {
    Frame& frame = database.frames().At(page);
    if (next_kept != kept.end() && *next_kept == page) {
      ++next_kept;
      frame.level = 0;
      TN_CHECK(!session_.options.paranoid ||
               std::memcmp(frame.twin.get(), database.AliasOf(page), kPageBytes) == 0);
      continue;
    }
    if (frame.state == FrameState::kSpilled) {
      DropSpilled(session_, database, page);
      continue;
    }
    if (frame.blocks != nullptr) {
      session_.counters.blocks_marked += frame.blocks->count();
      session_.counters.blocks_copied += frame.blocks->copied();
    } else {
      session_.counters.blocks_marked += static_cast<uint64_t>(std::popcount(frame.marks));
    }
    frame.state = FrameState::kClean;
    frame.level = 0;
    frame.closed_by_clock = false;
    frame.changed_early.reset();
    const bool was_open = frame.kept_writable;
    if (!LeaveOpen(session_, database, page)) {
      if (!is_protected_ || was_open) {
        if (Status status = readable.Add(page); first_failure.ok()) first_failure = status;
      }
      frame.kept_writable = false;
      NoteProtected(database, page);
    } else if (!was_open && (is_protected_ || may_be_protected_)) {
      const Status status =
          database.mapping().SetAccess(database.FrameOf(page), 1, Access::kRead, Access::kWrite);
      if (first_failure.ok()) first_failure = status;
    }
    database.DropTwin(page);
  }
  if (Status status = readable.Flush(); first_failure.ok()) first_failure = status;
  session_.counters.pages_kept_open += kept.size();
  for (PageId page : kept) database.AddDirty(page);
  return first_failure;
}

bool Stabilizer::WatchDirtyFrames() {
  bool any_open = false;
  for (auto& database : session_.databases) {
    if (!database->open()) continue;
    std::vector<PageId> dirty = database->dirty();
    std::sort(dirty.begin(), dirty.end());
    ReadableRun readable(*database, Access::kWrite);
    for (PageId page : dirty) {
      if (database->frames().At(page).kept_writable) {
        CallAtStores(*database, page);
        any_open = true;
      } else if (!readable.Add(page).ok()) {
        return false;
      }
    }
    if (!readable.Flush().ok()) return false;
  }
  // A thread that has looked at a block before now makes its store visible, too.
  return !any_open || FenceRunningThreads();
}

Status Stabilizer::AcceptGovernedPages() {
  session_.governed.ForEachChanged([&](GovernedPage& page) {
    if (page.state == GovernedState::kDirty) session_.governed.Accept(page);
  });
  const Status status = session_.governed.ProtectAll();
  const bool is_short = status.code() == StatusCode::kNoMemory;
  session_.mappings_short = is_short || MappingQuota::OfProcess().IsCritical();
  return is_short ? Status::Ok() : status;
}

void Stabilizer::Undo(bool outcome_known) {
  session_.commits.RestoreTwins();
  DisplacedObjects& displaced = session_.displaced;
  while (displaced.size() > first_new_) {
    const DisplacedObject object = displaced.At(displaced.size() - 1);
    displaced.Remove(object.place);
    session_.governed.Remove(object.place, object.bytes);
    // The page was writable when the object got its home, but may not be writable any more.
    TN_CHECK(session_.governed.MakeWritable(*session_.governed.Find(ObjectHeader::Of(object.place)))
                 .ok());
    ObjectHeader::Of(object.place)->word &= ~DisplacedObjects::kHeaderBits;
  }
  for (const auto& [database, literal] : literals_) database->RemoveLiteral(literal);
  for (auto& changes : changes_) {
    Database& database = *changes->database;
    for (const PageRun& run : changes->taken) {
      for (uint64_t i = 0; i < run.pages; ++i) {
        Frame& frame = database.frames().At(run.first + i);
        if (frame.state == FrameState::kVacant) frame.state = FrameState::kAbsent;
      }
      if (outcome_known && database.connection() == changes->connection) database.PutBack(run);
    }
    database.DropImports(changes->imports_before);
    database.DropExports(changes->exports_before);
    // The slots on the pages that were open before are free again.
    database.open_pages() = changes->open_before;
    for (const OpenPage& open : database.open_pages()) {
      if (open.left() == 0 || database.frames().At(open.page).state == FrameState::kVacant)
        continue;
      StoreFiller(database.AliasOf(open.page) + open.offset, open.left());
    }
  }
  TN_CHECK(session_.governed.Sweep().ok());
  TN_CHECK(session_.governed.ProtectAll().ok());
}

}  // namespace tenure::stabilize
