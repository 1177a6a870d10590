#include "store/server/verifier.h"

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "abi/heap_constants.h"
#include "base/chunked_table.h"
#include "store/format/declared_types.h"
#include "store/format/type_description.h"

namespace tenure::store {

namespace {

using abi::kHeaderBytes;
using abi::kPageBytes;

// The verifier states the format of docs/page_format.md once more: what is checked must not be its
// own judge.
constexpr uint64_t kFillerMark = 2;
constexpr unsigned kTypeShift = 4;
constexpr uint64_t kImported = 1;         // in the low bits of a reference
constexpr uint64_t kSmallestObject = 16;  // header and payload
uint64_t WordAt(const std::byte* page, size_t offset) {
  uint64_t word;
  std::memcpy(&word, page + offset, sizeof word);
  return word;
}

// Calls visit(offset in the payload, kind, where its element begins or 0, whether it is in one) for
// the slots in [begin, end) of a payload that is
// `bytes` long.
template <typename Visit>
void ForEachStoredSlot(const DeclaredType& type, uint64_t bytes, uint64_t begin, uint64_t end,
                       Visit&& visit) {
  end = std::min(end, bytes);
  const auto over = [&](uint64_t base, const std::vector<DeclaredSlots>& runs, bool element) {
    for (const DeclaredSlots& run : runs) {
      uint64_t first = 0;
      if (base + run.offset < begin && run.count > 1) {
        first = std::min(run.count - 1, (begin - base - run.offset) / run.stride);
      }
      for (uint64_t i = first; i < run.count; ++i) {
        const uint64_t at = base + run.offset + i * run.stride;
        if (at >= end) break;
        if (at >= begin) visit(at, run.kind, base, element);
      }
    }
  };
  over(0, type.slots, false);
  if (!type.open || type.element_slots.empty()) return;
  const uint64_t first = type.elements_at();
  uint64_t at = begin > first ? first + (begin - first) / type.element * type.element : first;
  for (; at + type.element <= bytes && at < end; at += type.element)
    over(at, type.element_slots, true);
}

class Walk {
 public:
  Walk(PageServer& server, DatabaseId database,
       const std::function<void(PageId, size_t)>& on_small_page)
      : server_(server), database_(database), on_small_page_(on_small_page) {}

  Result<VerifyReport> Run() {
    TN_RETURN_IF_ERROR(ReadTypes());
    TN_ASSIGN_OR_RETURN(DatabaseInfo info, server_.Info(database_));
    TN_ASSIGN_OR_RETURN(std::vector<ImportEntry> imports, server_.Imports(database_));
    imports_ = imports.size();
    report_.used_imports.resize(imports_);
    report_.import_uses.resize(imports_);
    TN_ASSIGN_OR_RETURN(std::vector<ExportEntry> exports, server_.Exports(database_));
    TN_ASSIGN_OR_RETURN(PageId last, server_.MaxPage(database_));
    TN_RETURN_IF_ERROR(FirstWalk(last));
    EndRun(PageId{last.number + 1});
    if (report_.pages != info.pages && report_.problem_count == 0) {
      Problem({}, 0,
              "there are " + std::to_string(info.pages) + " pages, of which " +
                  std::to_string(report_.pages) + " can be found");
    }
    TN_RETURN_IF_ERROR(SecondWalk(last));
    if (!info.root.nil() && !IsObject(info.root.bits) && !IsImport(info.root.bits)) {
      Problem({}, 0, "the root is " + Show(info.root.bits) + ", where no object begins");
    }
    for (size_t i = 0; i < exports.size(); ++i) {
      // NIL: it was lost when the store was salvaged.
      if (!exports[i].object.nil() && !IsObject(exports[i].object.bits)) {
        Problem({}, 0,
                "export " + std::to_string(i + 1) + " is " + Show(exports[i].object.bits) +
                    ", where no object begins");
      }
    }
    if (IsImport(info.root.bits)) NoteImport(info.root.bits);
    report_.imports = imports_;
    report_.exports = exports.size();
    return std::move(report_);
  }

 private:
  static constexpr uint64_t kPagesAtOnce = 32;
  struct Page {
    std::bitset<kPageBytes / 8> starts;  // of payloads
    uint32_t type = 0;                   // of all these, unless there are types
    bool good = false;                   // tiled: can be walked again
    bool settled = false;                // its slots have been found right
    std::unique_ptr<uint32_t[]> types;   // of these, in their order
  };
  // A large object, by its first page.
  struct Large {
    uint64_t payload_bytes = 0;  // not rounded up
  };

  static std::string Show(uint64_t reference) {
    return "page " + std::to_string(reference / kPageBytes) + " offset " +
           std::to_string(reference % kPageBytes);
  }

  // An entry of the import table: what it leads to is another database's matter.
  bool IsImport(uint64_t reference) const {
    return reference % 8 == kImported && reference / 8 > 0 && reference / 8 <= imports_;
  }

  void NoteImport(uint64_t reference) { report_.used_imports[reference / 8 - 1] = true; }
  void NoteImport(uint64_t reference, uint64_t type, bool element, uint64_t at) {
    NoteImport(reference);
    report_.import_uses[reference / 8 - 1].insert({type, element, at});
  }

  void Problem(PageId page, size_t offset, const std::string& text) {
    ++report_.problem_count;
    if (report_.problems.size() >= VerifyReport::kProblemsKept) return;
    report_.problems.push_back(page.valid() ? "page " + std::to_string(page.number) + " offset " +
                                                  std::to_string(offset) + ": " + text
                                            : text);
  }

  Status ReadTypes() {
    TN_ASSIGN_OR_RETURN(std::vector<TypeEntry> entries, server_.TypeEntries());
    types_.resize(entries.size() + 1);
    for (const TypeEntry& entry : entries) {
      if (entry.index == 0 || entry.index >= types_.size()) {
        Problem({}, 0, "the type table has gaps");
      } else if (!ParseType(entry.description, &types_[entry.index])) {
        Problem({}, 0, "type entry " + std::to_string(entry.index) + " is unreadable");
      }
    }
    return Status::Ok();
  }
  // Null: the type table has no usable type of objects at `index`.
  const DeclaredType* TypeAt(uint64_t index) const {
    return index < types_.size() && types_[index].usable ? &types_[index] : nullptr;
  }

  // Calls visit(page, reply) for each of the database's pages that is wanted, in order.
  template <typename IsWanted, typename Visit>
  Status ForEachPage(PageId last, const IsWanted& is_wanted, const Visit& visit) {
    std::vector<PageId> wanted;
    std::vector<PageReply> replies(kPagesAtOnce);
    for (uint64_t n = 1; n <= last.number; ++n) {
      if (wanted.empty()) {
        TN_ASSIGN_OR_RETURN(const PageId next, server_.NextPage(database_, PageId{n}));
        n = next.number;
        if (n > last.number) break;
      }
      if (is_wanted(PageId{n})) wanted.push_back(PageId{n});
      if (wanted.empty() || (wanted.size() < kPagesAtOnce && n < last.number)) continue;
      const std::span read = std::span(replies).first(wanted.size());
      for (PageReply& reply : read) reply.status = Status::Ok();
      TN_RETURN_IF_ERROR(server_.Read(database_, wanted, read));
      for (size_t i = 0; i < wanted.size(); ++i) {
        const Status status = read[i].status;
        if (status.code() == StatusCode::kNotFound) continue;
        if (!status.ok() && status.code() != StatusCode::kCorrupt) return status;
        visit(wanted[i], read[i]);
      }
      wanted.clear();
    }
    return Status::Ok();
  }

  Status FirstWalk(PageId last) {
    return ForEachPage(
        last, [](PageId) { return true; },
        [&](PageId page, const PageReply& reply) {
          if (!reply.status.ok()) return Problem(page, 0, reply.status.text());
          Page& found = FindObjects(page, reply.record);
          found.settled = found.good && AreSlotsRight(page, found, reply.record);
        });
  }

  // Reads pages with references to later objects a second time. Pages without references, however
  // many, are read once.
  Status SecondWalk(PageId last) {
    const auto is_left = [&](PageId page) {
      const Page* const found = pages_.Find(page.number);
      return found != nullptr && found->good && !found->settled;
    };
    return ForEachPage(last, is_left, [&](PageId page, const PageReply& reply) {
      if (reply.status.ok()) CheckSlots(page, reply.record);
    });
  }

  // --- Where objects begin ---

  Page& FindObjects(PageId page, const PageRecord& record) {
    ++report_.pages;
    if (!run_.large() || page.number != run_first_ + run_next_ || record.run.index != run_next_) {
      EndRun(page);
    }
    Page& found = pages_.At(page.number);
    if (record.run.large()) {
      found.good = FindLarge(page, record, &found);
    } else {
      found.good = FindSmall(page, record.contents, &found);
    }
    return found;
  }

  bool FindSmall(PageId page, const std::byte* contents, Page* found) {
    types_of_page_.clear();
    const bool good = FindSmallObjects(page, contents, found);
    if (good && on_small_page_) on_small_page_(page, types_of_page_.size());
    if (types_of_page_.empty()) return good;
    // Most pages have objects of one type.
    found->type = types_of_page_.front();
    if (std::any_of(types_of_page_.begin(), types_of_page_.end(),
                    [&](uint32_t type) { return type != found->type; })) {
      found->types = std::make_unique<uint32_t[]>(types_of_page_.size());
      std::copy(types_of_page_.begin(), types_of_page_.end(), found->types.get());
    }
    return good;
  }

  bool FindSmallObjects(PageId page, const std::byte* contents, Page* found) {
    for (size_t at = 0; at < kPageBytes;) {
      const uint64_t header = WordAt(contents, at);
      const uint64_t room = kPageBytes - at;
      if ((header & 0xffffffff) == kFillerMark) {
        const uint64_t bytes = header >> 32;
        if (bytes < kHeaderBytes || bytes % 8 != 0 || bytes > room) {
          Problem(page, at, "a free place of " + std::to_string(bytes) + " bytes");
          return false;
        }
        CheckZero(page, contents, at + kHeaderBytes, at + bytes, "a free place");
        report_.free_bytes += bytes;
        at += bytes;
        continue;
      }
      const DeclaredType* type = TypeOfHeader(header);
      if (type == nullptr) {
        Problem(page, at, "neither an object of a known type nor a free place");
        return false;
      }
      uint64_t payload = 0;
      const uint64_t bytes = ObjectBytes(*type, contents + at, room, room, &payload);
      if (bytes == 0) {
        Problem(page, at, "an object that does not fit its page");
        return false;
      }
      found->starts.set((at + kHeaderBytes) / 8);
      types_of_page_.push_back(static_cast<uint32_t>(header >> kTypeShift));
      ++report_.objects;
      at += bytes;
    }
    return true;
  }

  bool FindLarge(PageId page, const PageRecord& record, Page* found) {
    const LargeRun& run = record.run;
    const DeclaredType* type = TypeAt(run.type);
    if (type == nullptr) {
      Problem(page, 0, "part of a large object of unknown type " + std::to_string(run.type));
      return false;
    }
    if (run.index == 0) {
      const uint64_t most = uint64_t{run.pages} * kPageBytes;
      uint64_t payload = 0;
      const uint64_t bytes = WordAt(record.contents, 0) == uint64_t{run.type} << kTypeShift
                                 ? ObjectBytes(*type, record.contents, kPageBytes, most, &payload)
                                 : 0;
      if (bytes == 0 || (bytes + kPageBytes - 1) / kPageBytes != run.pages) {
        Problem(page, 0, "a large object whose header or length is wrong");
        return false;
      }
      large_[page.number] = {payload};
      found->starts.set(kHeaderBytes / 8);
      found->type = run.type;
      ++report_.objects;
      ++report_.large_objects;
      run_ = run;
      run_first_ = page.number;
      run_bytes_ = bytes;
    } else if (!run_.large()) {
      Problem(page, 0,
              "part " + std::to_string(run.index) + " of a large object that does not begin");
      return false;
    } else if (run.type != run_.type || run.pages != run_.pages) {
      Problem(page, 0, "part of another large object than page " + std::to_string(run_first_));
      return false;
    }
    run_next_ = run.index + 1;
    const uint64_t behind = run_bytes_ - std::min(run_bytes_, uint64_t{run.index} * kPageBytes);
    CheckZero(page, record.contents, std::min<uint64_t>(behind, kPageBytes), kPageBytes,
              "what follows a large object");
    if (run_next_ == run_.pages) run_ = {};
    return true;
  }

  // The large object whose pages were being read is over.
  void EndRun(PageId before) {
    if (run_.large()) {
      Problem(PageId{run_first_}, 0,
              "a large object of " + std::to_string(run_.pages) + " pages that ends before page " +
                  std::to_string(before.number));
    }
    run_ = {};
  }

  const DeclaredType* TypeOfHeader(uint64_t header) const {
    if ((header & ((uint64_t{1} << kTypeShift) - 1)) != 0) return nullptr;
    return TypeAt(header >> kTypeShift);
  }

  // Header and payload, rounded up; 0 if that cannot be. `room`: bytes from the header to the
  // page's end. `most`: the whole can have. `*payload`: not rounded up.
  static uint64_t ObjectBytes(const DeclaredType& type, const std::byte* header, uint64_t room,
                              uint64_t most, uint64_t* payload) {
    *payload = type.payload;
    if (type.open) {
      if (kHeaderBytes + type.elements_at() > room) return 0;
      bool none = type.element == 0;
      for (uint64_t d = 0; d < type.dimensions; ++d) {
        none |= WordAt(header, kHeaderBytes + type.payload + 8 * d) == 0;
      }
      uint64_t elements = 1;
      for (uint64_t d = 0; d < type.dimensions && !none; ++d) {
        const uint64_t length = WordAt(header, kHeaderBytes + type.payload + 8 * d);
        if (length > most / elements) return 0;
        elements *= length;
      }
      if (!none && elements > most / type.element) return 0;
      *payload = type.elements_at() + (none ? 0 : elements * type.element);
    }
    const uint64_t bytes = std::max((kHeaderBytes + *payload + 7) / 8 * 8, kSmallestObject);
    return bytes <= most ? bytes : 0;
  }

  void CheckZero(PageId page, const std::byte* contents, size_t begin, size_t end,
                 const char* what) {
    for (size_t at = begin; at + 8 <= end; at += 8) {
      if (WordAt(contents, at) == 0) continue;
      return Problem(page, at, std::string(what) + " is not zero");
    }
  }

  // --- What slots refer to ---

  // The page on which an object begins there; null: none does, or it has not been found yet.
  const Page* PageOfObject(uint64_t reference) const {
    if (reference % 8 != 0) return nullptr;
    const Page* const page = pages_.Find(reference / kPageBytes);
    return page != nullptr && page->starts.test(reference % kPageBytes / 8) ? page : nullptr;
  }

  bool IsObject(uint64_t reference) const { return PageOfObject(reference) != nullptr; }

  // The type of the object there; 0: none begins there, or it has not been found yet.
  uint64_t TypeOfObject(uint64_t reference) const {
    const Page* const page = PageOfObject(reference);
    if (page == nullptr) return 0;
    if (page->types == nullptr) return page->type;
    const size_t bit = reference % kPageBytes / 8;
    return page->types[(page->starts << (page->starts.size() - bit)).count()];
  }

  // A slot in an object.
  struct Slot {
    uint64_t type = 0;  // the object's
    uint64_t at = 0;    // from the beginning of the payload, or of an element
    bool element = false;
  };

  // Calls visit(offset on the page, kind, stored value, slot) for each slot that is not zero.
  // False: the page has changed since its objects were found; *at says where.
  template <typename Visit>
  bool ForEachSlotOf(PageId page, const Page& found, const PageRecord& record, size_t* at,
                     const Visit& visit) const {
    const std::byte* const contents = record.contents;
    const auto visit_at = [&](size_t offset, unsigned kind, const Slot& slot) {
      const uint64_t stored = WordAt(contents, offset);
      if (stored != 0) visit(offset, kind, stored, slot);
    };
    if (record.run.large()) {
      const auto large = large_.find(page.number - record.run.index);
      const DeclaredType* type = TypeAt(record.run.type);
      if (large == large_.end() || type == nullptr) return true;
      const uint64_t begin = uint64_t{record.run.index} * kPageBytes;
      ForEachStoredSlot(*type, large->second.payload_bytes,
                        begin < kHeaderBytes ? 0 : begin - kHeaderBytes,
                        begin + kPageBytes - kHeaderBytes,
                        [&](uint64_t offset, unsigned kind, uint64_t base, bool element) {
                          visit_at(offset + kHeaderBytes - begin, kind,
                                   {record.run.type, offset - base, element});
                        });
      return true;
    }
    const auto& starts = found.starts;
    for (size_t bit = starts._Find_first(); bit < starts.size(); bit = starts._Find_next(bit)) {
      *at = bit * 8;
      const DeclaredType* type = TypeOfHeader(WordAt(contents, *at - kHeaderBytes));
      uint64_t payload = 0;
      if (type == nullptr ||
          ObjectBytes(*type, contents + *at - kHeaderBytes, kPageBytes - *at + kHeaderBytes,
                      kPageBytes - *at + kHeaderBytes, &payload) == 0) {
        return false;
      }
      ForEachStoredSlot(
          *type, payload, 0, payload,
          [&](uint64_t offset, unsigned kind, uint64_t base, bool element) {
            visit_at(*at + offset, kind,
                     {WordAt(contents, *at - kHeaderBytes) >> kTypeShift, offset - base, element});
          });
    }
    return true;
  }

  bool IsProcedure(uint64_t stored) const {
    const PersistentRef entry{stored};
    return entry.kind() == RefKind::kProcedure && entry.entry() < types_.size() &&
           types_[entry.entry()].procedure;
  }

  // The error in a slot that is not zero; empty if it is right, as far as objects have been found.
  std::string SlotProblem(unsigned kind, uint64_t stored, const Slot& slot) {
    switch (kind) {
      case kTraced:
        if (const uint64_t type = TypeOfObject(stored); type != 0) {
          if (declarations_.MayRefer(slot.type, slot.element, slot.at, type)) return "";
          const TypeName* const declared =
              declarations_.DeclaredAt(slot.type, slot.element, slot.at);
          return "a reference" + (declared == nullptr ? "" : " to a " + declared->name) +
                 " that leads to " + Show(stored) + ", an object of type " + types_[type].own.name;
        }
        if (IsImport(stored)) return "";
        return stored % 8 == kImported
                   ? "a reference to another database that the import table does not have"
                   : "a reference to " + Show(stored) + ", where no object begins";
      case kCode:
        return IsProcedure(stored) ? "" : "a procedure value that the type table does not have";
      default: return "a slot that is never stored is not zero";
    }
  }

  // If so, its references are counted.
  bool AreSlotsRight(PageId page, const Page& found, const PageRecord& record) {
    bool right = true;
    uint64_t references = 0;
    size_t at = 0;
    const auto check = [&](size_t, unsigned kind, uint64_t stored, const Slot& slot) {
      references += kind == kTraced;
      if (kind == kTraced && IsImport(stored)) {
        NoteImport(stored, slot.type, slot.element, slot.at);
      }
      right = right && SlotProblem(kind, stored, slot).empty();
    };
    if (!ForEachSlotOf(page, found, record, &at, check)) return false;
    if (right) report_.references += references;
    return right;
  }

  void CheckSlots(PageId page, const PageRecord& record) {
    size_t at = 0;
    const auto check = [&](size_t offset, unsigned kind, uint64_t stored, const Slot& slot) {
      report_.references += kind == kTraced;
      if (kind == kTraced && IsImport(stored)) {
        NoteImport(stored, slot.type, slot.element, slot.at);
      }
      const std::string problem = SlotProblem(kind, stored, slot);
      if (!problem.empty()) Problem(page, offset, problem);
    };
    if (!ForEachSlotOf(page, pages_.At(page.number), record, &at, check)) {
      Problem(page, at, "the page changed while it was verified");
    }
  }

  PageServer& server_;
  const DatabaseId database_;
  const std::function<void(PageId, size_t)>& on_small_page_;
  VerifyReport report_;
  uint64_t imports_ = 0;
  std::vector<DeclaredType> types_;  // by index; entry 0 is unused
  Declarations declarations_{types_};
  ChunkedTable<Page> pages_;
  std::vector<uint32_t> types_of_page_;  // of the objects of the page that is being read
  std::unordered_map<uint64_t, Large> large_;
  // The large object that is being read: its run, first page, length with header; the part that
  // comes next.
  LargeRun run_;
  uint64_t run_first_ = 0, run_bytes_ = 0;
  uint32_t run_next_ = 0;
};

}  // namespace

Result<VerifyReport> VerifyDatabase(PageServer& server, DatabaseId database,
                                    const std::function<void(PageId, size_t)>& on_small_page) {
  return Walk(server, database, on_small_page).Run();
}

}  // namespace tenure::store
