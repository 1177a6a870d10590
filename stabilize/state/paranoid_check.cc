#include "stabilize/state/paranoid_check.h"

#include <bitset>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "base/check.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/database.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"

namespace tenure::stabilize {

namespace {

using abi::kHeaderBytes;
using abi::kPageBytes;

// Notes the references of the pages that it helps to decode, and changes nothing of the database.
class Collector final : public ReferenceTranslator {
 public:
  explicit Collector(Database& database) : database_(database) {}

  std::vector<PersistentRef> references;  // to objects of the database

  Result<abi::Ref> ToMemory(PersistentRef stored, bool*) override {
    if (stored.kind() == RefKind::kImport) return abi::Ref{nullptr};
    if (!stored.well_formed_object()) return Status(StatusCode::kCorrupt, "no reference");
    references.push_back(stored);
    return abi::Ref{nullptr};
  }
  Result<const abi::TypeDescriptor*> TypeOf(uint32_t index) override {
    return database_.TypeOf(index);
  }
  Result<const abi::TypeDescriptor*> TypeBeside(uint32_t index) override {
    return database_.TypeOrUnknown(index);
  }
  const SlotTypes& SlotTypesOf(const abi::TypeDescriptor& type) override {
    return database_.SlotTypesOf(type);
  }
  void* ProcedureToMemory(PageId, size_t, uint64_t, uint32_t) override { return nullptr; }
  // Nothing is encoded.
  PersistentRef ToStored(abi::Ref) override { TN_UNREACHABLE(); }
  uint64_t ProcedureToStored(void*) override { TN_UNREACHABLE(); }
  uint32_t IndexOf(const abi::TypeDescriptor&) override { TN_UNREACHABLE(); }

 private:
  Database& database_;
};

using Starts = std::bitset<kPageBytes / 8>;  // where payloads begin

class Checker {
 public:
  explicit Checker(Database& database) : database_(database) {}

  Status Page(PageId page, const PageRecord& record) {
    auto image = std::make_unique_for_overwrite<std::byte[]>(kPageBytes);
    Collector collector(database_);
    bool refers_to_heap = false;
    TN_RETURN_IF_ERROR(DecodePage(page, record, collector, image.get(), &refers_to_heap));
    const std::string where = "page " + std::to_string(page.number);
    if (record.run.index != 0) {
      TN_ASSIGN_OR_RETURN(const std::unique_ptr<PageReply> first,
                          Read(PageId{page.number - record.run.index}));
      LargeRun wanted = record.run;
      wanted.index = 0;
      if (!first->status.ok() || first->record.run != wanted) {
        return Failure(StatusCode::kCorrupt,
                       where + " is damaged: it is part of a large object that does not begin",
                       static_cast<int64_t>(page.number));
      }
    }
    for (PersistentRef reference : collector.references) {
      TN_RETURN_IF_ERROR(Reference(where, reference));
    }
    return Status::Ok();
  }

  Status Reference(const std::string& where, PersistentRef reference) {
    const auto no_object = [&] {
      return Failure(StatusCode::kCorrupt,
                     where + " is damaged: a reference to page " +
                         std::to_string(reference.page().number) + " offset " +
                         std::to_string(reference.offset()) + ", where no object begins",
                     static_cast<int64_t>(reference.page().number));
    };
    if (!reference.well_formed_object() || !database_.frames().Covers(reference.page())) {
      return no_object();
    }
    auto found = starts_.find(reference.page());
    if (found == starts_.end()) {
      const Result<Starts> starts = StartsOn(reference.page());
      if (!starts.ok()) {
        return starts.status().code() == StatusCode::kNotFound ? no_object() : starts.status();
      }
      found = starts_.emplace(reference.page(), *starts).first;
    }
    return found->second.test(reference.offset() / 8) ? Status::Ok() : no_object();
  }

 private:
  Result<std::unique_ptr<PageReply>> Read(PageId page) {
    auto reply = std::make_unique<PageReply>();
    TN_RETURN_IF_ERROR(
        database_.server().Read(database_.id(), std::span(&page, 1), std::span(reply.get(), 1)));
    return reply;
  }

  Result<Starts> StartsOn(PageId page) {
    TN_ASSIGN_OR_RETURN(const std::unique_ptr<PageReply> reply, Read(page));
    if (!reply->status.ok()) return reply->status;
    const PageRecord& record = reply->record;
    Starts starts;
    if (record.run.large()) {
      if (record.run.index == 0) starts.set(kHeaderBytes / 8);
      return starts;
    }
    auto image = std::make_unique_for_overwrite<std::byte[]>(kPageBytes);
    Collector ignored(database_);
    bool refers_to_heap = false;
    TN_RETURN_IF_ERROR(DecodePage(page, record, ignored, image.get(), &refers_to_heap));
    // Decoded: every length is right.
    for (size_t at = 0; at < kPageBytes;) {
      abi::ObjectHeader header;
      std::memcpy(&header.word, image.get() + at, sizeof header.word);
      if (header.is_filler()) {
        at += header.filler_bytes();
        continue;
      }
      starts.set((at + kHeaderBytes) / 8);
      at += kHeaderBytes + abi::PayloadBytes(*header.type(), image.get() + at + kHeaderBytes);
    }
    return starts;
  }

  Database& database_;
  std::unordered_map<PageId, Starts> starts_;
};

}  // namespace

Status CheckReferencesOfPage(Database& database, PageId page, const PageRecord& record) {
  return Checker(database).Page(page, record);
}

Status CheckRootReference(Database& database, PersistentRef root) {
  if (!root.is_object()) return Status::Ok();
  return Checker(database).Reference("the root", root);
}

}  // namespace tenure::stabilize
