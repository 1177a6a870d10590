#include "dbtool/compact.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

#include "abi/object_header.h"
#include "dbtool/object_reader.h"
#include "dbtool/page_writes.h"
#include "dbtool/progress.h"
#include "stabilize/page_codec.h"
#include "stabilize/status_text.h"
#include "stabilize/verifier.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using stabilize::DatabaseId;
using stabilize::PageId;
using stabilize::PersistentRef;

namespace {

class Rewriting {
 public:
  Rewriting(OpenedStore& store, DatabaseId from, DatabaseId to, const RewriteOptions& options,
            RewriteTotals* totals)
      : server_(*store.server),
        from_(from),
        to_(to),
        options_(options),
        totals_(*totals),
        reader_(server_, from, store.types),
        writes_(server_, to) {}

  Status Run() {
    Result<stabilize::VerifyReport> report = stabilize::VerifyDatabase(server_, from_);
    if (!report.ok()) return report.status();
    if (!report->ok()) {
      return stabilize::Failure(StatusCode::kCorrupt,
                                "a damaged database is not rewritten: " + report->problems.front());
    }
    totals_.pages_before += report->pages;
    Result<PersistentRef> root = server_.Root(from_);
    if (!root.ok()) return root.status();
    Result<std::vector<stabilize::ImportEntry>> imports = server_.Imports(from_);
    if (!imports.ok()) return imports.status();
    Result<std::vector<PersistentRef>> exports = server_.Exports(from_);
    if (!exports.ok()) return exports.status();

    stabilize::DatabaseCommit last;
    Result<PersistentRef> moved = Moved(*root);
    if (!moved.ok()) return moved.status();
    last.root = *moved;
    for (PersistentRef& object : *exports) {
      moved = Moved(object);
      if (!moved.ok()) return moved.status();
      object = *moved;
    }
    Progress progress("objects written", report->objects);
    while (!waiting_.empty()) {
      progress.Show(++totals_.objects);
      TN_RETURN_IF_ERROR(WriteNext());
    }
    FinishPage();
    last.imports = *imports;
    last.exports = *exports;
    return writes_.Commit(&last);
  }

 private:
  struct Waiting {
    PersistentRef from, to;
    std::optional<MadeObject> made;  // instead of what is at `from`
  };

  const Conversion* ConversionOf(const StoredType& type) const {
    return options_.conversion ? options_.conversion(type) : nullptr;
  }

  // Its payload's bytes afterwards.
  static uint64_t NewBytes(const StoredObject& object, const Conversion* conversion) {
    // The length of an open array does not change.
    if (conversion == nullptr || conversion->to->open()) return object.payload.size();
    return std::max<uint64_t>((conversion->to->payload_bytes + 7) / 8 * 8, abi::kMinPayloadBytes);
  }

  // A place for an object of so many bytes with its header.
  Result<PersistentRef> PlaceFor(uint64_t bytes) {
    if (bytes > kPageBytes) {
      Result<stabilize::PageRun> run =
          server_.AllocatePages(to_, (bytes + kPageBytes - 1) / kPageBytes);
      if (!run.ok()) return run.status();
      return PersistentRef::Object(run->first, kHeaderBytes);
    }
    if (!planned_.valid() || kPageBytes - planned_used_ < bytes) {
      Result<stabilize::PageRun> run = server_.AllocatePages(to_, 1);
      if (!run.ok()) return run.status();
      planned_ = run->first;
      planned_used_ = 0;
    }
    const PersistentRef home = PersistentRef::Object(planned_, planned_used_ + kHeaderBytes);
    planned_used_ += bytes;
    return home;
  }

  // Where the object that this names will be; what is no object stays.
  Result<PersistentRef> Moved(PersistentRef from) {
    if (!from.is_object()) return from;
    const auto [found, fresh] = homes_.try_emplace(from.bits);
    if (!fresh) return found->second;
    Result<StoredObject> object = reader_.Read(from);
    if (!object.ok()) return object.status();
    const uint64_t bytes = kHeaderBytes + NewBytes(*object, ConversionOf(*object->type));
    const Result<PersistentRef> home = PlaceFor(bytes);
    if (!home.ok()) return home.status();
    found->second = *home;
    waiting_.push_back({from, *home, std::nullopt});
    return *home;
  }

  static std::vector<std::byte> HeaderOf(const StoredType& type) {
    std::vector<std::byte> whole(kHeaderBytes);
    const uint64_t header = uint64_t{type.index} << stabilize::kStoredTypeShift;
    std::memcpy(whole.data(), &header, sizeof header);
    return whole;
  }

  Status Write(PersistentRef to, const StoredType& type, std::span<const std::byte> whole) {
    return whole.size() > kPageBytes ? WriteLarge(to, type, whole) : WriteSmall(to, whole);
  }

  Status WriteMade(PersistentRef to, const MadeObject& object) {
    std::vector<std::byte> whole = HeaderOf(*object.type);
    whole.insert(whole.end(), object.payload.begin(), object.payload.end());
    return Write(to, *object.type, whole);
  }

  Status WriteNext() {
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    if (next.made) return WriteMade(next.to, *next.made);
    Result<StoredObject> object = reader_.Read(next.from);
    if (!object.ok()) return object.status();
    const Conversion* const conversion = ConversionOf(*object->type);
    const StoredType& type = conversion == nullptr ? *object->type : *conversion->to;
    const uint64_t bytes = NewBytes(*object, conversion);
    std::vector<std::byte> whole = HeaderOf(type);
    std::vector<MadeObject> made;
    if (conversion == nullptr) {
      whole.insert(whole.end(), object->payload.begin(), object->payload.end());
    } else {
      ++totals_.converted;
      Converted converted = conversion->convert(*object, reader_);
      whole.insert(whole.end(), converted.payload.begin(), converted.payload.end());
      made = std::move(converted.made);
    }
    whole.resize(kHeaderBytes + bytes);
    Status status;
    ForEachSlot(type, bytes, [&](uint64_t slot, StoredSlot kind) {
      if (kind != StoredSlot::kReference || !status.ok()) return;
      PersistentRef reference;
      std::memcpy(&reference, whole.data() + kHeaderBytes + slot, sizeof reference);
      // The object's memory is the reader's, and not used from here on.
      const Result<PersistentRef> moved = Moved(reference);
      if (!moved.ok()) {
        status = moved.status();
        return;
      }
      std::memcpy(whole.data() + kHeaderBytes + slot, &*moved, sizeof *moved);
    });
    TN_RETURN_IF_ERROR(status);
    for (MadeObject& one : made) {
      one.payload.resize(std::max<size_t>((one.payload.size() + 7) / 8 * 8, abi::kMinPayloadBytes));
      const Result<PersistentRef> home = PlaceFor(kHeaderBytes + one.payload.size());
      if (!home.ok()) return home.status();
      std::memcpy(whole.data() + kHeaderBytes + one.slot, &*home, sizeof *home);
      waiting_.push_back({PersistentRef(), *home, std::move(one)});
    }
    return Write(next.to, type, whole);
  }

  Status WriteLarge(PersistentRef to, const StoredType& type, std::span<const std::byte> whole) {
    stabilize::LargeRun run{type.index, 0,
                            static_cast<uint32_t>((whole.size() + kPageBytes - 1) / kPageBytes)};
    for (; run.index < run.pages; ++run.index) {
      const std::span<const std::byte> part = whole.subspan(uint64_t{run.index} * kPageBytes);
      std::byte* const page = writes_.Put(to.page() + run.index, 0, run);
      std::memset(page, 0, kPageBytes);
      std::memcpy(page, part.data(), std::min<size_t>(part.size(), kPageBytes));
      ++totals_.pages;
    }
    return Status::Ok();
  }

  // Objects are written in the order in which they got their places: page after page.
  Status WriteSmall(PersistentRef to, std::span<const std::byte> whole) {
    if (to.page() != page_) {
      FinishPage();
      if (writes_.pages() >= options_.pages_at_once) TN_RETURN_IF_ERROR(writes_.Commit());
      page_ = to.page();
      contents_ = writes_.Put(page_, 0);
      std::memset(contents_, 0, kPageBytes);
      ++totals_.pages;
    }
    const size_t at = to.offset() - kHeaderBytes;
    std::memcpy(contents_ + at, whole.data(), whole.size());
    used_ = at + whole.size();
    return Status::Ok();
  }

  void FinishPage() {
    if (contents_ != nullptr && used_ < kPageBytes) {
      stabilize::StoreFiller(contents_ + used_, kPageBytes - used_);
    }
    contents_ = nullptr;
    page_ = {};
  }

  stabilize::PageServer& server_;
  const DatabaseId from_, to_;
  const RewriteOptions& options_;
  RewriteTotals& totals_;
  ObjectReader reader_;
  PageWrites writes_;
  std::unordered_map<uint64_t, PersistentRef> homes_;  // by old reference
  std::deque<Waiting> waiting_;                        // have a place, and are not written
  PageId planned_;                                     // takes the next small object
  size_t planned_used_ = 0;
  PageId page_;  // being written
  std::byte* contents_ = nullptr;
  size_t used_ = 0;
};

Status RewriteAll(OpenedStore& store, const std::vector<std::string>& databases,
                  const RewriteOptions& options, RewriteTotals* totals) {
  stabilize::PageServer& server = *store.server;
  TN_RETURN_IF_ERROR(CheckNothingPrepared(server));
  std::vector<DatabaseId> made;
  for (const std::string& name : databases) {
    Result<DatabaseId> to = server.CreateReplacement(name);
    if (!to.ok()) return to.status();
    made.push_back(*to);
    Result<DatabaseId> from = server.OpenDatabase(name, stabilize::OpenMode::kOpen);
    if (!from.ok()) return from.status();
    const Status status = Rewriting(store, *from, *to, options, totals).Run();
    TN_RETURN_IF_ERROR(server.CloseDatabase(*from));
    TN_RETURN_IF_ERROR(status);
    Result<stabilize::VerifyReport> report = stabilize::VerifyDatabase(server, *to);
    if (!report.ok()) return report.status();
    if (!report->ok()) {
      return stabilize::Failure(
          StatusCode::kCorrupt,
          "database " + name + " could not be rewritten: " + report->problems.front());
    }
  }
  if (options.problem) TN_RETURN_IF_ERROR(options.problem());
  return server.CloseReplacing(made);
}

}  // namespace

Result<RewriteTotals> Rewrite(OpenedStore& store, const std::vector<std::string>& databases,
                              const RewriteOptions& options) {
  RewriteTotals totals;
  const Status status = RewriteAll(store, databases, options, &totals);
  (void)store.server->Close();  // closed already when all went well
  if (!status.ok()) return status;
  return totals;
}

}  // namespace tenure::dbtool
