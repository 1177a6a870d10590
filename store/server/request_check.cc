#include "store/server/request_check.h"

#include <algorithm>
#include <bitset>
#include <charconv>
#include <cstring>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "abi/heap_constants.h"
#include "abi/object_header.h"
#include "abi/type_descriptor.h"
#include "base/mutex.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"
#include "store/format/type_description.h"
#include "store/server/commit_check.h"
#include "store/server/store_path.h"

namespace tenure::store {

namespace {

using abi::kHeaderBytes;
using abi::kPageBytes;

constexpr uint64_t kBytesMost = uint64_t{1} << 32;
constexpr uint64_t kDimensionsMost = 64;
constexpr size_t kPathBytesMost = 4096;

Status Nonsense(const std::string& text, uint64_t number = 0) {
  return Failure(StatusCode::kInvalidArgument, text, static_cast<int64_t>(number));
}

Status WrongPage(PageId page, const char* how) {
  return Nonsense("commit of page " + std::to_string(page.number) + ": " + how, page.number);
}

// Takes numbers with blanks between them off the text.
bool TakeNumbers(std::string_view* text, std::span<uint64_t> numbers) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) {
      if (!text->starts_with(' ')) return false;
      text->remove_prefix(1);
    }
    const char* const end = text->data() + text->size();
    const auto [after, error] = std::from_chars(text->data(), end, numbers[i]);
    if (error != std::errc() || after == text->data()) return false;
    text->remove_prefix(static_cast<size_t>(after - text->data()));
  }
  return true;
}

bool Fit(const std::vector<DescribedType::Slots>& slots, uint64_t bytes) {
  return std::all_of(slots.begin(), slots.end(), [&](const DescribedType::Slots& run) {
    if (run.kind > 3 || run.offset % 8 != 0 || run.stride % 8 != 0 || run.count == 0) return false;
    if (run.offset > bytes || bytes - run.offset < 8) return false;
    return run.count == 1 ||
           (run.stride >= 8 && run.count - 1 <= (bytes - run.offset - 8) / run.stride);
  });
}

uint64_t WordAt(const std::byte* page, size_t offset) {
  uint64_t word;
  std::memcpy(&word, page + offset, sizeof word);
  return word;
}

bool IsZero(const std::byte* page, size_t begin, size_t end) {
  return std::all_of(page + begin, page + end, [](std::byte byte) { return byte == std::byte{0}; });
}

// Header and payload, rounded up; 0: it is longer than `most`, or its lengths lie beyond `room`.
uint64_t ObjectBytes(const DescribedType& type, const std::byte* header, uint64_t room,
                     uint64_t most, uint64_t* payload) {
  unsigned __int128 bytes = type.payload;
  if (type.dimensions != 0) {
    if (kHeaderBytes + type.elements_at() > room) return 0;
    unsigned __int128 elements = type.element;
    for (uint64_t d = 0; d < type.dimensions; ++d) {
      const uint64_t length = WordAt(header, kHeaderBytes + type.payload + 8 * d);
      elements *= length;
      if (length >> 60 != 0 || elements >> 60 != 0) return 0;
    }
    bytes = elements + type.elements_at();
  }
  if (bytes > most) return 0;
  *payload = static_cast<uint64_t>(bytes);
  const uint64_t whole = kHeaderBytes + abi::PayloadRoom(*payload);
  return whole <= most ? whole : 0;
}

// Calls visit(offset in the payload, kind) for the slots in [begin, end) of a payload of this size.
// Stops and returns false if visit returns false.
template <typename Visit>
bool ForEachSlot(const DescribedType& type, uint64_t bytes, uint64_t begin, uint64_t end,
                 Visit&& visit) {
  end = std::min(end, bytes);
  const auto over = [&](uint64_t base, const std::vector<DescribedType::Slots>& slots) {
    for (const DescribedType::Slots& run : slots) {
      uint64_t i = 0;
      const uint64_t first = base + run.offset;
      if (first < begin && run.count > 1) i = std::min(run.count - 1, (begin - first) / run.stride);
      for (; i < run.count; ++i) {
        const uint64_t at = first + i * run.stride;
        if (at + 8 > end) break;
        if (at >= begin && !visit(at, run.kind)) return false;
      }
    }
    return true;
  };
  if (!over(0, type.slots)) return false;
  if (type.dimensions == 0 || type.element == 0 || type.element_slots.empty()) return true;
  const uint64_t first = type.elements_at();
  uint64_t at = begin > first ? first + (begin - first) / type.element * type.element : first;
  for (; at < end; at += type.element) {
    if (!over(at, type.element_slots)) return false;
  }
  return true;
}

}  // namespace

bool ParseDescription(std::string_view text, DescribedType* type) {
  if (text.find('\0') != std::string_view::npos || !text.ends_with('\n')) return false;
  if (text.starts_with("procedure ")) {
    type->procedure = true;
    return text.find('\n') == text.size() - 1 && text.size() > sizeof "procedure \n";
  }
  if (!FingerprintIn(text)) return false;
  bool has_name = false, has_kind = false, has_payload = false, ended = false;
  struct Field {
    uint64_t offset, bits;
  };
  std::vector<Field> fields;
  while (!text.empty()) {
    if (ended) return false;
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    const size_t space = std::min(line.find(' '), line.size());
    const std::string_view key = line.substr(0, space);
    std::string_view value = line.substr(std::min(space + 1, line.size()));
    uint64_t numbers[4];
    if (key == "end") {
      ended = value.empty();
    } else if (key == "name") {
      if (std::exchange(has_name, true)) return false;
    } else if (key == "kind") {
      if (std::exchange(has_kind, true) || (value != "object" && value != "ref")) return false;
    } else if (key == "payload") {
      if (std::exchange(has_payload, true)) return false;
      if (!TakeNumbers(&value, std::span(numbers).first(1)) || !value.empty()) return false;
      type->payload = numbers[0];
    } else if (key == "open") {
      if (type->dimensions != 0) return false;
      if (!TakeNumbers(&value, std::span(numbers).first(2)) || !value.empty()) return false;
      type->dimensions = numbers[0];
      type->element = numbers[1];
      if (type->dimensions == 0 || type->dimensions > kDimensionsMost) return false;
    } else if (key == "slots" || key == "element-slots") {
      if (!TakeNumbers(&value, numbers) || !value.empty() || numbers[3] > 3) return false;
      (key == "slots" ? type->slots : type->element_slots)
          .push_back({numbers[0], numbers[1], numbers[2], static_cast<unsigned>(numbers[3])});
    } else if (key == "field") {
      if (!TakeNumbers(&value, std::span(numbers).first(2)) || !value.starts_with(' ')) {
        return false;
      }
      fields.push_back({numbers[0], numbers[1]});
    }
    // Lines with other keys are only compared, as text, by verification and tools.
  }
  if (!ended || !has_name || !has_payload) return false;
  if (type->payload > kBytesMost || type->element > kBytesMost) return false;
  if (!Fit(type->slots, type->payload) || !Fit(type->element_slots, type->element)) return false;
  if (!type->element_slots.empty() &&
      (type->dimensions == 0 || type->element % 8 != 0 || type->elements_at() % 8 != 0)) {
    return false;
  }
  const uint64_t bits = 8 * std::max(type->payload, type->element);
  return std::all_of(fields.begin(), fields.end(), [&](const Field& field) {
    return field.offset <= bits && field.bits <= bits - field.offset;
  });
}

Status RequestCheck::CheckType(std::span<const std::byte> description) {
  DescribedType type;
  if (ParseDescription({reinterpret_cast<const char*>(description.data()), description.size()},
                       &type)) {
    return Status::Ok();
  }
  return Status(StatusCode::kInvalidArgument, "a type's description that makes no sense");
}

Result<std::shared_ptr<const DescribedType>> RequestCheck::TypeAt(uint64_t index) {
  const MutexLock guard(lock_);
  if (index == 0) return std::shared_ptr<const DescribedType>();
  if (index > types_.size()) {
    TN_ASSIGN_OR_RETURN(std::vector<TypeEntry> entries, store_.TypeEntries());
    for (size_t i = types_.size(); i < entries.size(); ++i) {
      auto type = std::make_shared<DescribedType>();
      // An entry that an older version accepted and this one cannot read describes no type.
      if (!ParseDescription(entries[i].description, type.get())) type = nullptr;
      types_.push_back(std::move(type));
    }
  }
  return index > types_.size() ? std::shared_ptr<const DescribedType>() : types_[index - 1];
}

Result<bool> RequestCheck::HasImports(DatabaseId database, uint64_t count) {
  const MutexLock guard(lock_);
  uint64_t& known = imports_[database.index];
  if (count > known) {
    TN_ASSIGN_OR_RETURN(const std::vector<ImportEntry> imports, store_.Imports(database));
    known = imports.size();
  }
  return count <= known;
}

// The pages of one database in a request.
class RequestCheck::Pages {
 public:
  Pages(RequestCheck& check, const DatabaseCommit& commit) : check_(check), commit_(commit) {}

  Status Run() {
    TN_ASSIGN_OR_RETURN(const PageId last, check_.store_.MaxPage(commit_.database));
    last_ = last.number;
    new_imports_ = commit_.imports_before + commit_.imports.size();
    if (commit_.imports_before > new_imports_) return Nonsense("a table of that length");
    TN_RETURN_IF_ERROR(CheckTables());
    if (commit_.root && !commit_.root->nil()) {
      root_ = commit_.root->bits;
    }
    // The objects of whole pages are known without reading the old pages.
    for (const PageWrite& write : commit_.pages) {
      if (write.page.number == 0 || write.page.number > last_) {
        return WrongPage(write.page, "the page was never handed out");
      }
      if (write.remove) removed_.insert(write.page.number);
      if (!LogsWhole(write)) continue;
      TN_RETURN_IF_ERROR(Walk(write.page, write.run, write.contents, &starts_[write.page.number]));
    }
    // For changed pages: first where objects begin after the change, then the references to these.
    TN_RETURN_IF_ERROR(ForEachChanged([&](const PageWrite& write, PageRecord& record) {
      Starts& starts = starts_[write.page.number];
      starts.reset();
      Apply(write, record);
      if (write.contents != nullptr &&
          std::memcmp(write.contents, record.contents, kPageBytes) != 0) {
        return WrongPage(write.page, "the page is not what its changed regions make of it");
      }
      return Walk(write.page, record.run, record.contents, &starts);
    }));
    for (const PageWrite& write : commit_.pages) {
      if (!LogsWhole(write)) continue;
      TN_RETURN_IF_ERROR(CheckSlots(write.page, write.run, write.contents, {}, nullptr));
    }
    TN_RETURN_IF_ERROR(ForEachChanged([&](const PageWrite& write, PageRecord& record) {
      Starts before;
      TN_RETURN_IF_ERROR(Walk(write.page, record.run, record.contents, &before));
      Apply(write, record);
      return CheckSlots(write.page, record.run, record.contents, write.regions, &before);
    }));
    if (root_ != 0) TN_RETURN_IF_ERROR(CheckReference(PageId{0}, root_));
    for (const ExportEntry& entry : commit_.exports) {
      if (!entry.object.is_object()) return Nonsense("an exported object that is none");
      TN_RETURN_IF_ERROR(CheckReference(PageId{0}, entry.object.bits));
    }
    return Status::Ok();
  }

 private:
  using Starts = std::bitset<kPageBytes / 8>;  // of payloads
  static constexpr size_t kPagesAtOnce = 32;

  Status CheckTables() {
    for (const ImportEntry& entry : commit_.imports) {
      if (entry.export_number == 0 || entry.export_number >> 60 != 0 ||
          !CheckDatabaseName(entry.name).ok() || entry.store.size() > kPathBytesMost ||
          entry.store.find('\0') != std::string::npos) {
        return Nonsense("an entry of the import table that makes no sense");
      }
    }
    return Status::Ok();
  }

  Status CheckReference(PageId on, uint64_t bits) {
    const PersistentRef reference{bits};
    if (reference.kind() == RefKind::kImport) {
      const uint64_t entry = reference.entry();
      if (entry == 0) return WrongPage(on, "a reference to no entry of the import table");
      if (entry > commit_.imports_before && entry <= new_imports_) return Status::Ok();
      TN_ASSIGN_OR_RETURN(const bool has, check_.HasImports(commit_.database, entry));
      return has ? Status::Ok() : WrongPage(on, "a reference that the import table lacks");
    }
    const PageId page = reference.page();
    if (!reference.well_formed_object() || page.number > last_ || removed_.contains(page.number)) {
      return WrongPage(on, "a reference to no page of the database");
    }
    auto known = starts_.find(page.number);
    if (known == starts_.end()) {
      TN_RETURN_IF_ERROR(
          check_.store_.Read(commit_.database, std::span(&page, 1), std::span(target_.get(), 1)));
      if (target_->status.code() == StatusCode::kNotFound) {
        return WrongPage(on, "a reference to a page that is not there");
      }
      // The next reader of the damaged page reports the damage.
      if (!target_->status.ok()) return Status::Ok();
      known = starts_.try_emplace(page.number).first;
      const PageRecord& record = target_->record;
      if (!Walk(page, record.run, record.contents, &known->second).ok()) known->second.set();
    }
    if (known->second.test(reference.offset() / 8)) return Status::Ok();
    return WrongPage(on, "a reference to where no object begins");
  }

  Result<const DescribedType*> TypeAt(PageId page, uint64_t index) {
    const auto [known, fresh] = types_.try_emplace(index);
    if (fresh) {
      TN_ASSIGN_OR_RETURN(std::shared_ptr<const DescribedType> type, check_.TypeAt(index));
      known->second = std::move(type);
    }
    if (known->second == nullptr || known->second->procedure) {
      return WrongPage(page, "an object of no known type");
    }
    return known->second.get();
  }

  // Where objects begin, and that they and free places are all that there is.
  Status Walk(PageId page, const LargeRun& run, const std::byte* contents, Starts* starts) {
    if (run.large() ? run.index >= run.pages || run.index >= page.number
                    : run.index != 0 || run.pages != 0) {
      return WrongPage(page, "its place in a large object makes no sense");
    }
    if (run.large()) {
      TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(page, run.type));
      if (run.index != 0) return Status::Ok();
      uint64_t payload;
      const uint64_t bytes =
          WordAt(contents, 0) == uint64_t{run.type} << kStoredTypeShift
              ? ObjectBytes(*type, contents, kPageBytes, uint64_t{run.pages} * kPageBytes, &payload)
              : 0;
      if (bytes == 0 || (bytes + kPageBytes - 1) / kPageBytes != run.pages) {
        return WrongPage(page, "a large object whose header or length is wrong");
      }
      starts->set(kHeaderBytes / 8);
      return Status::Ok();
    }
    for (size_t at = 0; at < kPageBytes;) {
      const uint64_t header = WordAt(contents, at);
      const uint64_t room = kPageBytes - at;
      if (const abi::ObjectHeader word{header}; word.is_filler()) {
        const uint64_t bytes = word.filler_bytes();
        if (header != abi::ObjectHeader::ForFiller(static_cast<uint32_t>(bytes)) ||
            bytes < kHeaderBytes || bytes % 8 != 0 || bytes > room ||
            !IsZero(contents, at + kHeaderBytes, at + bytes)) {
          return WrongPage(page, "a free place that is none");
        }
        at += bytes;
        continue;
      }
      if (header % (1u << kStoredTypeShift) != 0) return WrongPage(page, "no object's header");
      TN_ASSIGN_OR_RETURN(const DescribedType* const type,
                          TypeAt(page, header >> kStoredTypeShift));
      uint64_t payload;
      const uint64_t bytes = ObjectBytes(*type, contents + at, room, room, &payload);
      if (bytes == 0) return WrongPage(page, "an object that does not fit its page");
      starts->set((at + kHeaderBytes) / 8);
      at += bytes;
    }
    return Status::Ok();
  }

  Status CheckSlot(PageId page, unsigned kind, uint64_t stored) {
    if (stored == 0) return Status::Ok();
    switch (static_cast<abi::SlotKind>(kind)) {
      case abi::SlotKind::kReference: return CheckReference(page, stored);
      case abi::SlotKind::kProcedure: {
        const PersistentRef entry{stored};
        if (entry.kind() != RefKind::kProcedure) break;
        TN_ASSIGN_OR_RETURN(const std::shared_ptr<const DescribedType> type,
                            check_.TypeAt(entry.entry()));
        if (type != nullptr && type->procedure) return Status::Ok();
        break;
      }
      default: break;
    }
    return WrongPage(page, "a slot that is not a reference has something");
  }

  // Checks the slots of a page whose objects are known. `before`: where objects began before these
  // regions were changed, if only the regions are new; null: all words are new.
  Status CheckSlots(PageId page, const LargeRun& run, const std::byte* contents,
                    std::span<const ChangedRegion> changed, const Starts* before) {
    Status status;
    const auto is_new = [&](size_t begin, size_t end) {
      if (before == nullptr) return true;
      // Regions ascend.
      const auto region = std::partition_point(
          changed.begin(), changed.end(),
          [&](const ChangedRegion& r) { return r.offset + r.bytes.size() <= begin; });
      return region != changed.end() && region->offset < end;
    };
    if (run.large()) {
      TN_ASSIGN_OR_RETURN(const DescribedType* const type, TypeAt(page, run.type));
      // The bytes behind the object are zeros, which are valid slots.
      const uint64_t begin = uint64_t{run.index} * kPageBytes;
      const uint64_t first = begin < kHeaderBytes ? 0 : begin - kHeaderBytes;
      const uint64_t end = begin + kPageBytes - kHeaderBytes;
      // A stored object keeps its type and its length.
      if (before != nullptr && run.index == 0 &&
          is_new(0, std::min(kPageBytes, kHeaderBytes + type->payload + 8 * type->dimensions)) &&
          type->dimensions != 0) {
        before = nullptr;
      }
      (void)ForEachSlot(*type, end, first, end, [&](uint64_t offset, unsigned kind) {
        const size_t at = offset + kHeaderBytes - begin;
        if (is_new(at, at + 8)) status = CheckSlot(page, kind, WordAt(contents, at));
        return status.ok();
      });
      return status;
    }
    for (size_t at = 0; at < kPageBytes && status.ok();) {
      const uint64_t header = WordAt(contents, at);
      if (const abi::ObjectHeader word{header}; word.is_filler()) {
        at += word.filler_bytes();
        continue;
      }
      TN_ASSIGN_OR_RETURN(const DescribedType* const type,
                          TypeAt(page, header >> kStoredTypeShift));
      uint64_t payload = 0;
      const uint64_t bytes =
          ObjectBytes(*type, contents + at, kPageBytes - at, kPageBytes - at, &payload);
      // Whose words mean the same as before.
      const bool same = before != nullptr && before->test((at + kHeaderBytes) / 8) &&
                        !is_new(at, at + kHeaderBytes) &&
                        (type->dimensions == 0 || !is_new(at + kHeaderBytes + type->payload,
                                                          at + kHeaderBytes + type->elements_at()));
      (void)ForEachSlot(*type, payload, 0, payload, [&](uint64_t offset, unsigned kind) {
        const size_t slot = at + kHeaderBytes + offset;
        if (!same || is_new(slot, slot + 8)) status = CheckSlot(page, kind, WordAt(contents, slot));
        return status.ok();
      });
      at += bytes;
    }
    return status;
  }

  static void Apply(const PageWrite& write, PageRecord& record) {
    for (const ChangedRegion& region : write.regions) {
      std::memcpy(record.contents + region.offset, region.bytes.data(), region.bytes.size());
    }
  }

  // Calls visit(write, record) for each page in which regions change; `record` is the stored page.
  template <typename Visit>
  Status ForEachChanged(const Visit& visit) {
    std::vector<const PageWrite*> writes;
    for (size_t i = 0; i <= commit_.pages.size(); ++i) {
      if (i < commit_.pages.size() && !commit_.pages[i].regions.empty()) {
        writes.push_back(&commit_.pages[i]);
      }
      if (writes.empty() || (writes.size() < kPagesAtOnce && i < commit_.pages.size())) continue;
      std::vector<PageId> pages;
      for (const PageWrite* const write : writes) {
        size_t end = 0;
        for (const ChangedRegion& region : write->regions) {
          if (region.bytes.empty() || region.offset < end || region.offset > kPageBytes ||
              region.bytes.size() > kPageBytes - region.offset) {
            return WrongPage(write->page, "regions that are empty, unsorted or outside the page");
          }
          end = region.offset + region.bytes.size();
        }
        pages.push_back(write->page);
      }
      replies_.resize(std::max(replies_.size(), pages.size()));
      const std::span replies = std::span(replies_).first(pages.size());
      for (PageReply& reply : replies) reply.status = Status::Ok();
      TN_RETURN_IF_ERROR(check_.store_.Read(commit_.database, pages, replies));
      for (size_t k = 0; k < writes.size(); ++k) {
        // If the page is missing, or has another version, the commit itself reports that. It does
        // not read a page whose whole contents the request has.
        if (replies[k].status.ok()) {
          TN_RETURN_IF_ERROR(visit(*writes[k], replies[k].record));
        } else if (writes[k]->contents != nullptr) {
          return replies[k].status;
        }
      }
      writes.clear();
    }
    return Status::Ok();
  }

  RequestCheck& check_;
  const DatabaseCommit& commit_;
  uint64_t last_ = 0;         // page that has been handed out
  uint64_t new_imports_ = 0;  // the import table's length afterwards
  std::unordered_map<uint64_t, Starts> starts_;
  std::unordered_set<uint64_t> removed_;
  std::unordered_map<uint64_t, std::shared_ptr<const DescribedType>> types_;
  std::vector<PageReply> replies_;
  std::unique_ptr<PageReply> target_ = std::make_unique<PageReply>();
  uint64_t root_ = 0;
};

Status RequestCheck::CheckCommit(const CommitRequest& request) {
  for (const DatabaseCommit& commit : request.databases) {
    TN_RETURN_IF_ERROR(Pages(*this, commit).Run());
  }
  return Status::Ok();
}

}  // namespace tenure::store
