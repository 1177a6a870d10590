#include "dbtool/stored/object_source.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "abi/object_header.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::PageId;
using store::PageRecord;
using store::PersistentRef;

Status LoadedObject::Copy(uint64_t offset, std::span<std::byte> to) const {
  if (offset > bytes_ || to.size() > bytes_ - offset) {
    return store::Failure(StatusCode::kCorrupt,
                          "object " + Show(at_) + " has only " + std::to_string(bytes_) + " bytes",
                          static_cast<int64_t>(at_.page().number));
  }
  if (!large_) {
    std::memcpy(to.data(), held_.data() + offset, to.size());
    return Status::Ok();
  }
  for (uint64_t at = kHeaderBytes + offset; !to.empty();) {
    TN_ASSIGN_OR_RETURN(const PageRecord* const record,
                        source_->ReadPage(at_.page() + at / kPageBytes));
    const store::LargeRun& run = record->run;
    if (run.index != at / kPageBytes || run.type != type_->index) return NoObject(at_);
    const size_t part = std::min<size_t>(to.size(), kPageBytes - at % kPageBytes);
    std::memcpy(to.data(), record->contents + at % kPageBytes, part);
    to = to.subspan(part);
    at += part;
  }
  return Status::Ok();
}

Result<uint64_t> LoadedObject::Bits(uint64_t bit_offset, uint64_t count) const {
  std::byte bytes[9] = {};
  const uint64_t first = bit_offset / 8, last = (bit_offset + count + 7) / 8;
  if (count == 0) return uint64_t{0};
  TN_RETURN_IF_ERROR(Copy(first, std::span(bytes).first(last - first)));
  unsigned __int128 value = 0;
  for (size_t i = last - first; i > 0; --i)
    value = value << 8 | static_cast<unsigned>(bytes[i - 1]);
  value >>= bit_offset % 8;
  const auto low = static_cast<uint64_t>(value);
  return count == 64 ? low : low & ((uint64_t{1} << count) - 1);
}

Result<uint64_t> LoadedObject::Length(uint64_t dimension) const {
  return Bits(8 * (type_->payload_bytes + 8 * dimension), 64);
}

Result<const PageRecord*> ObjectSource::ReadPage(PageId page) {
  auto found = kept_.find(page.number);
  if (found == kept_.end()) {
    auto kept = std::make_unique<Kept>();
    TN_RETURN_IF_ERROR(server_.Read(database_, std::span(&page, 1), std::span(&kept->reply, 1)));
    ++pages_read_;
    uses_.push_front(page.number);
    kept->use = uses_.begin();
    found = kept_.emplace(page.number, std::move(kept)).first;
    if (kept_.size() > kPagesKept) {
      kept_.erase(uses_.back());
      uses_.pop_back();
    }
  } else {
    uses_.splice(uses_.begin(), uses_, found->second->use);
  }
  const Status& status = found->second->reply.status;
  if (!status.ok()) return status;
  return &found->second->reply.record;
}

Result<ObjectPtr> ObjectSource::Load(PersistentRef at) {
  if (!at.nil() && at.kind() == store::RefKind::kImport) return LoadImported(at.entry());
  if (!at.well_formed_object()) return NoObject(at);
  TN_ASSIGN_OR_RETURN(const PageRecord* const record, ReadPage(at.page()));
  auto object = std::make_shared<LoadedObject>();
  object->at_ = at;
  object->source_ = this;
  const std::span<const std::byte> payload = std::span(record->contents).subspan(at.offset());
  uint64_t header;
  std::memcpy(&header, record->contents + at.offset() - kHeaderBytes, sizeof header);
  if (record->run.large()) {
    if (record->run.index != 0 || at.offset() != kHeaderBytes) return NoObject(at);
    object->type_ = types_.At(record->run.type);
  } else if (!abi::ObjectHeader{header}.is_filler()) {
    object->type_ = types_.At(header >> store::kStoredTypeShift);
  }
  if (object->type_ == nullptr) return NoObject(at);
  const std::optional<uint64_t> bytes = PayloadBytes(*object->type_, payload);
  const uint64_t room = record->run.large()
                            ? uint64_t{record->run.pages} * kPageBytes - kHeaderBytes
                            : payload.size();
  if (!bytes || *bytes > room) return NoObject(at);
  object->bytes_ = *bytes;
  if (record->run.large()) {
    object->large_ = true;
  } else {
    object->held_.assign(payload.begin(), payload.begin() + static_cast<ptrdiff_t>(*bytes));
  }
  return ObjectPtr(std::move(object));
}

Result<ObjectPtr> ObjectSource::LoadImported(uint64_t entry) {
  if (!imports_) {
    TN_ASSIGN_OR_RETURN(imports_, server_.Imports(database_));
  }
  const std::string what = "import " + std::to_string(entry);
  if (entry == 0 || entry > imports_->size()) {
    return store::Failure(StatusCode::kCorrupt, what + " does not exist");
  }
  const store::ImportEntry& import = (*imports_)[entry - 1];
  if (!import.store.empty()) {
    return store::Failure(StatusCode::kNotSupported, what + " is an object of database " +
                                                         import.name + " of another store, " +
                                                         import.store + ", which is not read");
  }
  std::unique_ptr<ObjectSource>& other = others_[import.name];
  if (other == nullptr) {
    TN_ASSIGN_OR_RETURN(const store::DatabaseId id,
                        server_.OpenDatabase(import.name, store::OpenMode::kOpen));
    TN_ASSIGN_OR_RETURN(const store::Uuid uuid, server_.DatabaseUuid(id));
    if (uuid != import.database) {
      return store::Failure(StatusCode::kCorrupt,
                            what + ": another database has the name " + import.name);
    }
    other = std::make_unique<ObjectSource>(server_, id, types_);
  }
  TN_ASSIGN_OR_RETURN(const std::vector<store::ExportEntry> exports,
                      server_.Exports(other->database_));
  const uint64_t number = import.export_number;
  if (number == 0 || number > exports.size() || !exports[number - 1].object.is_object() ||
      exports[number - 1].tag != import.export_tag) {
    return store::Failure(StatusCode::kCorrupt,
                          what + ": database " + import.name + " has no such object");
  }
  return other->Load(exports[number - 1].object);
}

ObjectPtr ObjectSource::Hold(const StoredObject& object) {
  auto held = std::make_shared<LoadedObject>();
  held->at_ = object.at;
  held->source_ = this;
  held->type_ = object.type;
  held->bytes_ = object.payload.size();
  held->held_.assign(object.payload.begin(), object.payload.end());
  return held;
}

}  // namespace tenure::dbtool
