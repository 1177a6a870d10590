#include <string>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "store/format/page_codec.h"
#include "store/server/commit_pages.h"
#include "store/server/request_failure.h"

namespace tenure::store {

using abi::kHeaderBytes;
using abi::kPageBytes;

Result<const DescribedType*> CommitPages::TypeOf(uint64_t bits) {
  TN_ASSIGN_OR_RETURN(const uint32_t index, TypeIndexOf(bits));
  if (index == 0) return static_cast<const DescribedType*>(nullptr);
  return store_.types.At(index);
}

Result<std::optional<uint32_t>> CommitPages::Find(PageId on, uint64_t bits) {
  const PersistentRef reference{bits};
  const PageId page = reference.page();
  if (removed_.contains(page.number)) return std::optional<uint32_t>();
  auto known = objects_.find(page.number);
  if (known == objects_.end()) {
    if (const auto type = store_.objects.TypeOf(commit_.database, bits)) return type;
    TN_RETURN_IF_ERROR(
        store_.pages.Read(commit_.database, std::span(&page, 1), std::span(target_.get(), 1)));
    if (target_->status.code() == StatusCode::kNotFound) {
      return WrongPage(on, "a reference to a page that is not there");
    }
    known = objects_.try_emplace(page.number).first;
    const PageRecord& record = target_->record;
    // The next reader of a damaged page reports the damage.
    known->second.all_known =
        target_->status.ok() &&
        FindStarts(store_.types, page, record.run, record.contents, &known->second, &types_).ok();
  }
  const ObjectStarts& objects = known->second;
  if (!objects.all_known) return std::optional<uint32_t>(0);
  if (!objects.starts.test(reference.offset() / 8)) return std::optional<uint32_t>();
  const uint32_t type = objects.TypeAt(reference.offset());
  // Pages that the commit writes are not there yet.
  if (!stored_.Writes(page.number))
    store_.objects.Note(commit_.database, bits, type, dead_changes_);
  return std::optional<uint32_t>(type);
}

Status CommitPages::CheckReference(PageId on, const std::vector<TypeName>* declared,
                                   uint64_t bits) {
  const PersistentRef reference{bits};
  // Most references of a commit lead to its own pages, one like the other.
  if (const auto known = objects_.find(reference.page().number);
      known != objects_.end() && reference.well_formed_object() && known->second.all_known &&
      known->second.starts.test(reference.offset() / 8) && declared == recent_declared_ &&
      known->second.TypeAt(reference.offset()) == recent_type_ && !store_.dead.any()) {
    return Status::Ok();
  }
  if (reference.kind() == RefKind::kImport) return CheckImport(on, declared, reference.entry());
  if (!reference.well_formed_object() || reference.page().number > last_ ||
      removed_.contains(reference.page().number)) {
    return WrongPage(on, "a reference to no page of the database");
  }
  if (store_.dead.Contains(commit_.database, reference)) {
    return WrongPage(on, "a reference to an object that a collection has found dead");
  }
  TN_ASSIGN_OR_RETURN(const std::optional<uint32_t> type, Find(on, bits));
  if (!type) return WrongPage(on, "a reference to " + PlaceText(bits) + ", where no object begins");
  return CheckTarget(on, declared, *type, bits);
}

Status CommitPages::CheckTarget(PageId on, const std::vector<TypeName>* declared, uint32_t type,
                                uint64_t bits) {
  if (type == 0) return Status::Ok();
  if (declared == recent_declared_ && type == recent_type_) return Status::Ok();
  if (declared != nullptr) {
    TN_ASSIGN_OR_RETURN(const bool fits, store_.types.MayRefer(*declared, type));
    if (!fits) {
      TN_ASSIGN_OR_RETURN(const DescribedType* const target, store_.types.At(type));
      return WrongPage(on, "a reference to a " + declared->front().name + " that leads to " +
                               PlaceText(bits) + ", an object of type " +
                               (target == nullptr ? "?" : target->names.own.name));
    }
  }
  if (on.valid()) {
    TN_ASSIGN_OR_RETURN(const DescribedType* const target, store_.types.At(type));
    if (target != nullptr && target->mark) {
      return WrongPage(on, "a reference to the mark of an import");
    }
    recent_declared_ = declared;
    recent_type_ = type;
  }
  return Status::Ok();
}

Status CommitPages::CheckImport(PageId on, const std::vector<TypeName>* declared, uint64_t number) {
  if (number == 0) return WrongPage(on, "a reference to no entry of the import table");
  std::optional<ImportEntry> entry;
  if (number > commit_.imports_before && number <= new_imports_) {
    entry = commit_.imports[number - commit_.imports_before - 1];
  } else {
    TN_ASSIGN_OR_RETURN(entry, store_.entries.ImportAt(commit_.database, number));
  }
  if (!entry) return WrongPage(on, "a reference that the import table lacks");
  if (declared == nullptr || !entry->store.empty()) return Status::Ok();
  TN_ASSIGN_OR_RETURN(const std::optional<ExportEntry> there, ExportOf(*entry));
  // A missing one: programs raise Database.Missing.
  if (!there || there->tag != entry->export_tag || there->object.nil()) return Status::Ok();
  TN_ASSIGN_OR_RETURN(const std::optional<DatabaseId> id, store_.entries.DatabaseOf(*entry));
  for (const std::unique_ptr<CommitPages>& pages : *all_) {
    if (pages->database() != *id) continue;
    TN_ASSIGN_OR_RETURN(const uint32_t type, pages->TypeIndexOf(there->object.bits));
    return CheckTarget(on, declared, type, there->object.bits);
  }
  const DatabaseCommit none{*id, {}, std::nullopt};
  CommitPages other(store_, request_, none, by_);
  TN_RETURN_IF_ERROR(other.FindObjects());
  TN_ASSIGN_OR_RETURN(const uint32_t type, other.TypeIndexOf(there->object.bits));
  return CheckTarget(on, declared, type, there->object.bits);
}

Status CommitPages::CheckSlot(PageId page, const DescribedType::Slots& slots, uint64_t stored) {
  if (stored == 0) return Status::Ok();
  switch (static_cast<abi::SlotKind>(slots.kind)) {
    case abi::SlotKind::kReference: return CheckReference(page, slots.declared, stored);
    case abi::SlotKind::kProcedure: {
      const PersistentRef entry{stored};
      if (entry.kind() != RefKind::kProcedure) break;
      TN_ASSIGN_OR_RETURN(const DescribedType* const type, store_.types.At(entry.entry()));
      if (type != nullptr && type->procedure) return Status::Ok();
      break;
    }
    default: break;
  }
  return WrongPage(page, "a slot that is not a reference has something");
}

Status CommitPages::CheckSlots(PageId page, const LargeRun& run, const std::byte* contents,
                               const std::byte* before, const ObjectStarts* objects,
                               std::span<const ChangedRegion> regions) {
  Status status;
  const auto check = [&](size_t at, const DescribedType::Slots& slots, bool same) {
    const uint64_t word = WordAt(contents, at);
    if (word == 0 || (same && WordAt(before, at) == word)) return true;
    status = CheckSlot(page, slots, word);
    return status.ok();
  };
  if (run.large()) {
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(page, run.type));
    // The bytes behind the object are zeros, which are valid slots.
    const uint64_t begin = uint64_t{run.index} * kPageBytes;
    const uint64_t first = begin < kHeaderBytes ? 0 : begin - kHeaderBytes;
    const uint64_t end = begin + kPageBytes - kHeaderBytes;
    (void)ForEachDescribedSlot(
        *type, end, first, end, [&](uint64_t offset, const DescribedType::Slots& slots) {
          return check(offset + kHeaderBytes - begin, slots, before != nullptr);
        });
    return status;
  }
  for (size_t at = 0; at < kPageBytes && status.ok();) {
    const uint64_t header = WordAt(contents, at);
    if (const abi::ObjectHeader word{header}; word.is_filler()) {
      at += word.filler_bytes();
      continue;
    }
    TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(page, header >> kStoredTypeShift));
    uint64_t payload = 0;
    const uint64_t bytes =
        StoredObjectBytes(*type, contents + at, kPageBytes - at, kPageBytes - at, &payload);
    // An object that was there before has its type and length still.
    const bool same = objects != nullptr && objects->starts.test((at + kHeaderBytes) / 8);
    bool changed = true;
    if (same && before != nullptr && !regions.empty()) {
      while (!regions.empty() && regions.front().offset + regions.front().bytes.size() <= at) {
        regions = regions.subspan(1);
      }
      if (regions.empty()) break;
      changed = regions.front().offset < at + bytes;
    }
    if (changed) {
      (void)ForEachDescribedSlot(*type, payload, 0, payload,
                                 [&](uint64_t offset, const DescribedType::Slots& slots) {
                                   return check(at + kHeaderBytes + offset, slots, same);
                                 });
    }
    at += bytes;
  }
  return status;
}

}  // namespace tenure::store
