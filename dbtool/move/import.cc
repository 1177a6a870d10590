#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abi/object_header.h"
#include "base/hex.h"
#include "dbtool/move/exchange.h"
#include "dbtool/move/import_spill.h"
#include "dbtool/stored/between.h"
#include "dbtool/stored/page_writes.h"
#include "dbtool/stored/progress.h"
#include "dbtool/values/json.h"
#include "dbtool/values/object_json.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"
#include "store/format/unfinished_import.h"
#include "store/open.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::DatabaseId;
using store::PageId;
using store::PersistentRef;
using store::RefKind;

namespace {

constexpr uint64_t kPagesAtOnce = 512;  // that a commit writes

std::optional<uint64_t> NumberIn(const Json& value) {
  const std::optional<__int128> number = NumberOfJson(value);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<uint64_t>(*number);
}

// Where objects lie, one behind the other: those that are longer than a page on pages of their own.
class Places {
 public:
  // With its header.
  PersistentRef Next(uint64_t bytes) {
    if (bytes > kPageBytes) {
      const PageId first{pages_ + 1};
      pages_ += (bytes + kPageBytes - 1) / kPageBytes;
      return PersistentRef::Object(first, kHeaderBytes);
    }
    if (open_ == 0 || kPageBytes - used_ < bytes) {
      open_ = ++pages_;
      used_ = 0;
    }
    used_ += bytes;
    return PersistentRef::Object(PageId{open_}, used_ - bytes + kHeaderBytes);
  }
  // The page that still takes small objects, and how much of it is taken. 0: none.
  uint64_t open() const { return open_; }
  size_t used() const { return used_; }
  uint64_t pages() const { return pages_; }

 private:
  uint64_t pages_ = 0, open_ = 0;
  size_t used_ = 0;
};

// Imports one database: first Read, then the other functions in their order.
class Importer {
 public:
  explicit Importer(const ImportSource& source)
      : database_(source.database), from_(source.from), file_name_(source.file_name) {}

  const std::string& database() const { return database_; }
  // The uuid of the database that was exported.
  const std::optional<store::Uuid>& uuid() const { return uuid_; }

  // Reads and checks the whole export.
  Status Read() {
    TN_RETURN_IF_ERROR(spill_.Open());
    TN_RETURN_IF_ERROR(ReadAll(from_, file_name_));
    return CheckReferences();
  }

  // kExists: the store has the database, and it is no remainder of an import.
  Status CheckName(store::PageServer& server) {
    server_ = &server;
    const Result<DatabaseId> id = server_->OpenDatabase(database_, store::OpenMode::kOpen);
    if (id.status().code() == StatusCode::kNotFound) return Status::Ok();
    TN_RETURN_IF_ERROR(id.status());
    const Result<bool> unfinished = IsUnfinishedImport(*server_, *id);
    const Result<store::DatabaseInfo> info = server_->Info(*id);
    TN_RETURN_IF_ERROR(server_->CloseDatabase(*id));
    TN_RETURN_IF_ERROR(unfinished.status());
    TN_RETURN_IF_ERROR(info.status());
    remainder_ =
        server_->capabilities().shared && (*unfinished || (info->root.nil() && info->pages == 0));
    return remainder_
               ? Status::Ok()
               : store::Failure(StatusCode::kExists, "database " + database_ + " exists already");
  }

  // Which uuid the new database is to have: the exported one's, unless a database of the store has
  // it, which is then `twin`.
  // `together`: the names of all databases of the import, which are open.
  void Name(const store::Uuid& own, const std::string& twin, std::set<std::string> together) {
    own_ = own;
    twin_ = twin;
    together_ = std::move(together);
  }

  // Makes the empty database. Other programs of a shared server see it at once; otherwise it
  // appears with CloseReplacing.
  Result<DatabaseId> Make() {
    if (!server_->capabilities().shared) {
      TN_ASSIGN_OR_RETURN(id_, server_->CreateReplacement(database_, &own_));
      return id_;
    }
    TN_RETURN_IF_ERROR(MakeTypes());  // before there is a database without its contents
    if (remainder_) TN_RETURN_IF_ERROR(server_->DeleteDatabase(database_));
    Result<DatabaseId> made = server_->CreateDatabase(database_, own_);
    if (made.status().code() == StatusCode::kNotSupported) {
      // The server chooses the uuid: in a cluster no two stores may have the same one.
      TN_RETURN_IF_ERROR(CheckNobodyRefers());
      made = server_->OpenDatabase(database_, store::OpenMode::kCreate);
      if (made.ok()) {
        TN_ASSIGN_OR_RETURN(own_, server_->DatabaseUuid(*made));
      }
    }
    TN_ASSIGN_OR_RETURN(id_, made);
    return id_;
  }
  // Deletes what Make and Fill have made at a shared server.
  void Undo() {
    (void)server_->CloseDatabase(id_);
    (void)server_->DeleteDatabase(database_);
  }

  // Makes references to the database that was exported with the uuid `from` lead to what `other`,
  // whose database has been made, imports.
  void Lead(const store::Uuid& from, const Importer& other) {
    for (size_t i = 0; i < imports_.size(); ++i) {
      if (!imports_[i].store.empty() || imports_[i].database != from) continue;
      led_.push_back({i, &other});
    }
  }
  // Makes the contents.
  Status Fill() {
    std::vector<bool> led(imports_.size());
    for (const auto& [entry, other] : led_) {
      imports_[entry].database = other->own_;
      imports_[entry].name = other->database_;
      led[entry] = true;
    }
    for (size_t i = 0; i < imports_.size(); ++i) {
      if (!led[i] && imports_[i].store.empty()) TN_RETURN_IF_ERROR(LeadByTag(&imports_[i]));
    }
    if (!server_->capabilities().shared) TN_RETURN_IF_ERROR(MakeTypes());
    return WriteAll();
  }

  // Called when all databases of the import have been made.
  Result<ImportTotals> Totals() {
    NoteWhatIsCut();
    TN_RETURN_IF_ERROR(NoteWhatIsAway());
    return ImportTotals{homes_.size(), places_.pages(), std::move(notes_)};
  }

 private:
  struct Exported {
    PersistentRef object;  // NIL: it has been lost
    uint64_t tag = 0;
  };
  // An object by the name that it was exported with.
  struct Home {
    uint64_t name = 0;
    PersistentRef at;
  };

  Status Wrong(const std::string& what) const {
    return store::Failure(StatusCode::kInvalidArgument,
                          "line " + std::to_string(line_) + ": " + what,
                          static_cast<int64_t>(line_));
  }

  Status ReadAll(FILE* from, const std::string& file_name) {
    char* text = nullptr;
    size_t capacity = 0;
    ssize_t length;
    Status status;
    struct stat info;
    const bool is_file = fstat(fileno(from), &info) == 0 && S_ISREG(info.st_mode);
    std::optional<Progress> progress(std::in_place, "bytes read of the export of " + database_,
                                     is_file ? static_cast<uint64_t>(info.st_size) : 0);
    uint64_t read = 0;
    while (status.ok() && (length = getline(&text, &capacity, from)) >= 0) {
      ++line_;
      read += static_cast<uint64_t>(length);
      progress->Show(read);
      status = ReadLine(std::string_view(text, static_cast<size_t>(length)));
    }
    const int error = errno;
    progress.reset();
    free(text);
    TN_RETURN_IF_ERROR(status);
    if (ferror(from) != 0) return store::SystemFailure(error, "cannot read " + file_name);
    if (line_ == 0) return Wrong("this is not an export: it is empty");
    return Status::Ok();
  }

  Status ReadLine(std::string_view text) {
    if (IsTooDeep(text)) return Wrong("arrays and objects are too deep within each other");
    const Json line = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!line.is_object()) return Wrong("this is not a JSON object");
    const auto text_of = [&](const char* name) {
      const auto member = line.find(name);
      return member != line.end() && member->is_string() ? member->get<std::string>() : "";
    };
    const auto number_of = [&](const char* name) {
      const auto member = line.find(name);
      return member == line.end() ? std::nullopt : NumberIn(*member);
    };
    if (line_ == 1) {
      version_ = number_of("version").value_or(0);
      if (text_of("format") != kExportFormat || version_ == 0 || version_ > kExportVersion) {
        return Wrong("this is not an export that this program knows");
      }
      std::vector<std::byte> uuid;
      if (FromHex(text_of("uuid"), &uuid) && uuid.size() == sizeof(store::Uuid)) {
        std::memcpy(uuid_.emplace().bytes.data(), uuid.data(), uuid.size());
      }
      if (const std::string root = text_of("root"); !root.empty()) {
        root_ = ParseReference(root);
        if (root_.nil()) return Wrong("there is no object " + root);
      }
      root_import_ = number_of("root_import").value_or(0);
      return Status::Ok();
    }
    if (line.contains("damaged")) {
      damaged_ = true;
      return Status::Ok();
    }
    if (version_ > 1 && line.contains("of")) {
      return ReadObjectOfFields(line, text_of("object"), number_of("of").value_or(0));
    }
    if (line.contains("type")) {
      const std::optional<StoredType> type =
          ParseType(static_cast<uint32_t>(number_of("type").value_or(0)), text_of("description"));
      if (!type || type->index != types_.size() + 1) return Wrong("a type that makes no sense");
      types_.push_back(*type);
      return Status::Ok();
    }
    if (line.contains("import")) {
      store::ImportEntry entry;
      std::vector<std::byte> uuid;
      if (!FromHex(text_of("uuid"), &uuid) || uuid.size() != entry.database.bytes.size() ||
          number_of("import") != imports_.size() + 1 || number_of("number").value_or(0) == 0) {
        return Wrong("an import that makes no sense");
      }
      std::memcpy(entry.database.bytes.data(), uuid.data(), uuid.size());
      entry.store = text_of("store");
      entry.name = text_of("name");
      entry.export_number = *number_of("number");
      entry.export_tag = number_of("tag").value_or(0);
      entry.lineage = number_of("lineage").value_or(0);
      imports_.push_back(entry);
      return Status::Ok();
    }
    if (line.contains("export")) {
      if (number_of("export") != exports_.size() + 1) return Wrong("exports are out of order");
      const auto object = line.find("object");
      const bool lost = object != line.end() && object->is_null();
      const PersistentRef exported = ParseReference(text_of("object"));
      if (!lost && exported.nil()) return Wrong("there is no object " + text_of("object"));
      exports_.push_back({exported, number_of("tag").value_or(0)});
      return Status::Ok();
    }
    return ReadObject(line, text_of("object"), text_of("data"), number_of("of").value_or(0));
  }

  // False: *status has the error.
  bool BeginObject(const std::string& name, uint64_t type, ImportedObject* object,
                   Status* status) const {
    object->line = line_;
    object->type = type;
    object->name = ParseReference(name);
    if (type == 0 || type > types_.size() || !types_[type - 1].procedure.empty()) {
      *status = Wrong("an object of an unknown type");
      return false;
    }
    if (object->name.nil()) {
      *status = Wrong("an object without a name");
      return false;
    }
    return true;
  }

  Status ReadObjectOfFields(const Json& line, const std::string& name, uint64_t type) {
    ImportedObject object;
    Status status;
    if (!BeginObject(name, type, &object, &status)) return status;
    // The types do not move any more: their lines come first.
    if (shaped_ != types_.data()) shapes_ = ObjectShapes();
    shaped_ = types_.data();
    JsonObject taken;
    const StoredType& of = types_[type - 1];
    const std::string problem = TakeObject(line, of, shapes_.Of(of), &taken);
    if (!problem.empty()) return Wrong("object " + name + ", " + of.name + ": " + problem);
    object.data = std::move(taken.data);
    for (const JsonSlot& slot : taken.slots) {
      switch (slot.target.kind()) {
        case RefKind::kObject: object.references.push_back({slot.offset, slot.target.bits}); break;
        case RefKind::kImport: object.imports.push_back({slot.offset, slot.target.entry()}); break;
        case RefKind::kProcedure:
          object.procedures.push_back({slot.offset, slot.target.entry()});
          break;
      }
    }
    homes_.push_back({object.name.bits, places_.Next(kHeaderBytes + object.data.size())});
    return spill_.Write(object);
  }

  Status ReadObject(const Json& line, const std::string& name, const std::string& data,
                    uint64_t type) {
    ImportedObject object;
    Status status;
    if (!BeginObject(name, type, &object, &status)) return status;
    if (!FromHex(data, &object.data) ||
        PayloadBytes(types_[type - 1], object.data) != object.data.size()) {
      return Wrong("an object whose data are not those of its type");
    }
    std::unordered_map<uint64_t, StoredSlot> slots;
    ForEachSlot(types_[type - 1], object.data.size(),
                [&](uint64_t offset, StoredSlot kind) { slots[offset] = kind; });
    const auto each = [&](const char* member, StoredSlot kind, auto&& take) {
      const auto list = line.find(member);
      if (list == line.end()) return true;
      if (!list->is_array()) return false;
      for (const Json& item : *list) {
        if (!item.is_array() || item.size() != 2) return false;
        const std::optional<uint64_t> offset = NumberIn(item[0]);
        if (!offset) return false;
        const auto slot = slots.find(*offset);
        if (slot == slots.end() || slot->second != kind || !take(*offset, item[1])) {
          return false;
        }
      }
      return true;
    };
    const bool good =
        each("references", StoredSlot::kReference,
             [&](uint64_t offset, const Json& to) {
               const PersistentRef target =
                   to.is_string() ? ParseReference(to.get<std::string>()) : PersistentRef();
               object.references.push_back({offset, target.bits});
               return !target.nil();
             }) &&
        each("imports", StoredSlot::kReference,
             [&](uint64_t offset, const Json& to) {
               object.imports.push_back({offset, NumberIn(to).value_or(0)});
               return object.imports.back().second != 0;
             }) &&
        each("procedures", StoredSlot::kProcedure, [&](uint64_t offset, const Json& to) {
          object.procedures.push_back({offset, NumberIn(to).value_or(0)});
          return object.procedures.back().second != 0;
        });
    if (!good) return Wrong("a reference that is in no slot of its object");
    for (const auto& [offset, kind] : slots) {
      if (std::any_of(object.data.begin() + static_cast<ptrdiff_t>(offset),
                      object.data.begin() + static_cast<ptrdiff_t>(offset) + 8,
                      [](std::byte byte) { return byte != std::byte{0}; })) {
        return Wrong("data where a reference is to be");
      }
    }
    homes_.push_back({object.name.bits, places_.Next(kHeaderBytes + object.data.size())});
    return spill_.Write(object);
  }

  // Null: there is no object of this name.
  const Home* Find(uint64_t name) const {
    const auto found = std::ranges::lower_bound(homes_, name, {}, &Home::name);
    return found == homes_.end() || found->name != name ? nullptr : &*found;
  }

  Status CheckObject(uint64_t name) {
    if (Find(name) != nullptr) return Status::Ok();
    if (!damaged_) {
      const std::string object = Show(PersistentRef{name});
      // An export has its objects in the order of their places.
      const bool behind = homes_.empty() || name > homes_.back().name;
      return Wrong(behind ? "the file ends before object " + object +
                                ", to which this line refers: the export was cut off"
                          : "there is no object " + object);
    }
    ++lost_;
    return Status::Ok();
  }

  // Where the object is now; NIL: a damaged export lacks it.
  PersistentRef HomeOf(uint64_t name) const {
    const Home* const home = Find(name);
    return home == nullptr ? PersistentRef() : home->at;
  }

  // Checks that each referred-to object exists, and none twice.
  Status CheckReferences() {
    std::ranges::sort(homes_, {}, &Home::name);
    const auto twice = std::ranges::adjacent_find(homes_, {}, &Home::name);
    bool seen = false;
    TN_RETURN_IF_ERROR(spill_.ForEach([&](const ImportedObject& object) -> Status {
      line_ = object.line;
      if (twice != homes_.end() && object.name.bits == twice->name) {
        if (seen) return Wrong("an object twice");
        seen = true;
      }
      for (const auto& [offset, name] : object.references) TN_RETURN_IF_ERROR(CheckObject(name));
      for (const auto& [offset, number] : object.imports) {
        if (number <= imports_.size()) continue;
        if (!damaged_) return Wrong("a reference to an import that is not there");
        ++lost_;
      }
      for (const auto& [offset, number] : object.procedures) {
        if (number > types_.size() || types_[number - 1].procedure.empty()) {
          return Wrong("a procedure that is not there");
        }
      }
      return Status::Ok();
    }));
    line_ = 1;
    if (!root_.nil()) TN_RETURN_IF_ERROR(CheckObject(root_.bits));
    for (const Exported& exported : exports_) {
      if (!exported.object.nil()) TN_RETURN_IF_ERROR(CheckObject(exported.object.bits));
    }
    if (lost_ != 0) {
      notes_.push_back("the export is that of a damaged database: " + std::to_string(lost_) +
                       " references to what it lacks are NIL");
    }
    return Status::Ok();
  }

  // Numbers of type entries in this store.
  Status MakeTypes() {
    type_index_.resize(types_.size() + 1);
    for (const StoredType& type : types_) {
      TN_ASSIGN_OR_RETURN(uint32_t index,
                          server_->AddType(std::as_bytes(std::span(type.description))));
      type_index_[type.index] = index;
    }
    return Status::Ok();
  }

  // The stored bytes of the object.
  void Encode(ImportedObject& object, std::vector<std::byte>* bytes) const {
    const auto store = [&](uint64_t offset, uint64_t word) {
      std::memcpy(object.data.data() + offset, &word, sizeof word);
    };
    const bool refer = pass_ != Pass::kObjects;
    for (const auto& [offset, name] : object.references) {
      store(offset, refer ? HomeOf(name).bits : 0);
    }
    for (const auto& [offset, number] : object.imports) {
      const bool there = refer && number <= imports_.size();
      store(offset, there ? PersistentRef::Entry(RefKind::kImport, number).bits : 0);
    }
    for (const auto& [offset, number] : object.procedures) {
      store(offset, PersistentRef::Entry(RefKind::kProcedure, type_index_[number]).bits);
    }
    const uint64_t header = uint64_t{type_index_[object.type]} << store::kStoredTypeShift;
    bytes->resize(kHeaderBytes);
    std::memcpy(bytes->data(), &header, sizeof header);
    bytes->insert(bytes->end(), object.data.begin(), object.data.end());
  }

  void PutLarge(uint32_t type, PersistentRef at, std::span<const std::byte> bytes,
                PageWrites* writes) const {
    store::LargeRun run{type, 0,
                        static_cast<uint32_t>((bytes.size() + kPageBytes - 1) / kPageBytes)};
    for (; run.index < run.pages; ++run.index) {
      const std::span<const std::byte> part = bytes.subspan(uint64_t{run.index} * kPageBytes);
      std::byte* const page = writes->Put(at.page() + run.index, VersionBefore(), run);
      std::memset(page, 0, kPageBytes);
      std::memcpy(page, part.data(), std::min<size_t>(part.size(), kPageBytes));
    }
  }

  // Puts the page of small objects that is full, or the last one.
  void PutSmall(const Places& places, const std::vector<std::byte>& contents,
                PageWrites* writes) const {
    std::byte* const page = writes->Put(PageId{places.open()}, VersionBefore());
    std::memcpy(page, contents.data(), kPageBytes);
    if (places.used() < kPageBytes) {
      std::memset(page + places.used(), 0, kPageBytes - places.used());
      store::StoreFiller(page + places.used(), kPageBytes - places.used());
    }
  }

  // The present version of the pages that the next commit writes.
  uint64_t VersionBefore() const { return pass_ == Pass::kReferences ? versions_[commits_] : 0; }

  Status Commit(PageWrites* writes, const store::DatabaseCommit* more = nullptr) {
    TN_RETURN_IF_ERROR(server_->capabilities().shared ? CommitBesideOthers(writes, more)
                                                      : writes->Commit(more));
    if (pass_ == Pass::kObjects) versions_.push_back(writes->version());
    ++commits_;
    return Status::Ok();
  }

  // Asks for permission first: other programs, which see the database already, may hold its pages.
  Status CommitBesideOthers(PageWrites* writes, const store::DatabaseCommit* more) {
    Status status;
    do {
      server_->AwaitTurn();
      TN_ASSIGN_OR_RETURN(const bool lost, server_->StartTransaction());
      status = lost && pass_ != Pass::kReferences
                   ? Status(StatusCode::kIo, "the page server was started again meanwhile")
                   : writes->WantWrite();
      const PageId root{0};
      if (status.ok() && more != nullptr && more->root) {
        status = server_->WantWrite(id_, std::span(&root, 1));
      }
      if (status.ok()) {
        status = writes->Commit(more);
        server_->EndTransaction();
        return status;
      }
      server_->EndTransaction();
    } while (status.code() == StatusCode::kConflict);
    return status;
  }

  // Writes the objects to the places that they got when they were read. The last pages are left to
  // the caller's commit.
  Status WriteObjects(PageWrites* writes) {
    commits_ = 0;
    Places places;
    std::vector<std::byte> open(kPageBytes), bytes;
    Progress progress(
        pass_ == Pass::kReferences ? "objects with references written" : "objects written",
        homes_.size());
    uint64_t written = 0;
    TN_RETURN_IF_ERROR(spill_.ForEach([&](ImportedObject& object) -> Status {
      progress.Show(++written);
      Encode(object, &bytes);
      const Places before = places;
      const PersistentRef at = places.Next(bytes.size());
      if (bytes.size() > kPageBytes) {
        PutLarge(type_index_[object.type], at, bytes, writes);
      } else {
        if (before.open() != 0 && before.open() != places.open()) PutSmall(before, open, writes);
        std::memcpy(open.data() + at.offset() - kHeaderBytes, bytes.data(), bytes.size());
      }
      return writes->pages() >= kPagesAtOnce ? Commit(writes) : Status::Ok();
    }));
    if (places.open() != 0) PutSmall(places, open, writes);
    return Status::Ok();
  }

  // Notes if references of other databases, which know the exported database's uuid, are cut.
  void NoteWhatIsCut() {
    if (exports_.empty() || (uuid_ && twin_.empty())) return;
    notes_.push_back(twin_.empty()
                         ? "the export does not say which database it is of: other databases that "
                           "refer to " +
                               std::to_string(exports_.size()) +
                               " of its objects do not refer to database " + database_
                         : "the exported database is this store's database " + twin_ +
                               ": databases that are not part of this import refer to " + twin_ +
                               ", not to database " + database_);
  }

  // An earlier import may have given the database that the entry leads to another uuid. Objects
  // that are exported to other databases have tags, which are random numbers.
  Status LeadByTag(store::ImportEntry* entry) {
    if (together_.contains(entry->name)) return Status::Ok();
    const Result<DatabaseId> id = server_->OpenDatabase(entry->name, store::OpenMode::kOpen);
    if (!id.ok()) return Status::Ok();  // NoteWhatIsAway says so
    const Result<store::Uuid> uuid = server_->DatabaseUuid(*id);
    const Result<std::vector<store::ExportEntry>> exports = server_->Exports(*id);
    TN_RETURN_IF_ERROR(server_->CloseDatabase(*id));
    if (uuid.ok() && exports.ok() && entry->export_tag != 0 &&
        entry->export_number <= exports->size() &&
        (*exports)[entry->export_number - 1].tag == entry->export_tag) {
      entry->database = *uuid;
    }
    return Status::Ok();
  }

  // Where the new database gets another uuid than the exported one, no database of the store may
  // refer to that one: it would not find the new one.
  Status CheckNobodyRefers() {
    if (!uuid_ || !twin_.empty() || exports_.empty()) return Status::Ok();
    TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, server_->ListDatabases());
    for (const std::string& name : names) {
      if (together_.contains(name)) continue;
      const Result<DatabaseId> id = server_->OpenDatabase(name, store::OpenMode::kOpen);
      if (!id.ok()) continue;  // a damaged one is no reason
      const Result<std::vector<store::ImportEntry>> imports = server_->Imports(*id);
      TN_RETURN_IF_ERROR(server_->CloseDatabase(*id));
      if (!imports.ok() || std::ranges::none_of(*imports, [&](const store::ImportEntry& entry) {
            return entry.store.empty() && entry.database == *uuid_;
          })) {
        continue;
      }
      return store::Failure(StatusCode::kNotSupported,
                            "database " + name +
                                " refers to the database that was exported, and would not find the "
                                "new one, which gets a uuid of its own here; import both together, "
                                "with --all, into another store");
    }
    return Status::Ok();
  }

  // Notes the references to databases that this store lacks.
  Status NoteWhatIsAway() {
    store::VerifyReport found;
    found.used_imports.assign(imports_.size(), true);
    std::vector<std::string> problems;
    for (const auto& [entry, other] : led_) {
      const store::ImportEntry& import = imports_[entry];
      found.used_imports[entry] = false;  // the other database may have no name yet
      if (import.export_number <= other->exports_.size() &&
          other->exports_[import.export_number - 1].tag == import.export_tag) {
        continue;
      }
      problems.push_back("import " + std::to_string(entry + 1) + " refers to object " +
                         std::to_string(import.export_number) + " of database " + import.name +
                         ": the export of that database does not have it, so the two are not of "
                         "one moment");
    }
    TN_ASSIGN_OR_RETURN(ImportsReport imports, CheckImports(*server_, "", id_, found));
    for (const auto* list : {&problems, &imports.problems}) {
      for (const std::string& problem : *list) {
        notes_.push_back("database " + database_ + ", as it is now: " + problem);
      }
    }
    return Status::Ok();
  }

  // The root is the mark of a database that is being imported, until the last commit.
  Status MarkUnfinished(PageWrites* writes) {
    const std::string description = std::string("fingerprint 0000000000000000\nname ") +
                                    store::kUnfinishedImportType + "\nkind ref\npayload " +
                                    std::to_string(kMarkBytes - kHeaderBytes) + "\nend\n";
    TN_ASSIGN_OR_RETURN(const uint32_t type,
                        server_->AddType(std::as_bytes(std::span(description))));
    TN_ASSIGN_OR_RETURN(const store::PageRun run, server_->AllocatePages(id_, 1));
    std::byte* const page = writes->Put(run.first, 0);
    std::memset(page, 0, kPageBytes);
    const uint64_t header = uint64_t{type} << store::kStoredTypeShift;
    std::memcpy(page, &header, sizeof header);
    store::StoreFiller(page + kMarkBytes, kPageBytes - kMarkBytes);
    store::DatabaseCommit commit;
    commit.root = PersistentRef::Object(run.first, kHeaderBytes);
    TN_RETURN_IF_ERROR(CommitBesideOthers(writes, &commit));
    marked_ = true;
    mark_page_ = run.first;
    mark_version_ = writes->version();
    return Status::Ok();
  }

  Status WriteAll() {
    if (places_.pages() != 0) {
      TN_ASSIGN_OR_RETURN(store::PageRun run, server_->AllocatePages(id_, places_.pages()));
      // The database is new, but other programs of a served store may have used it meanwhile.
      if (run.first.number != 1) {
        return Status(StatusCode::kInUse, "another program uses the database already");
      }
    }
    PageWrites writes(*server_, id_);
    store::DatabaseCommit last;
    if (!root_.nil()) {
      last.root = HomeOf(root_.bits);
    } else if (root_import_ != 0) {
      last.root = PersistentRef::Entry(RefKind::kImport, root_import_);
    }
    std::vector<store::ExportEntry> exports;
    for (const Exported& exported : exports_) {
      exports.push_back(
          {exported.object.nil() ? PersistentRef() : HomeOf(exported.object.bits), exported.tag});
    }
    last.imports = imports_;
    last.exports = exports;
    // When objects do not fit into one commit, some refer to pages of later commits, which a served
    // store refuses. So all objects are written first, and their references afterwards.
    const bool shared = server_->capabilities().shared;
    // A served store takes references to databases that it does not have only from an import.
    if (shared && (places_.pages() >= kPagesAtOnce || !imports_.empty())) {
      TN_RETURN_IF_ERROR(MarkUnfinished(&writes));
    }
    if (shared && places_.pages() >= kPagesAtOnce) {
      pass_ = Pass::kObjects;
      TN_RETURN_IF_ERROR(WriteObjects(&writes));
      store::DatabaseCommit tables;
      tables.imports = std::exchange(last.imports, {});
      tables.exports = std::exchange(last.exports, {});
      TN_RETURN_IF_ERROR(Commit(&writes, &tables));
      pass_ = Pass::kReferences;
    }
    TN_RETURN_IF_ERROR(WriteObjects(&writes));
    if (marked_) {
      std::byte* const page = writes.Put(mark_page_, mark_version_);
      std::memset(page, 0, kPageBytes);
      store::StoreFiller(page, kPageBytes);
      if (!last.root) last.root = PersistentRef();
    }
    return Commit(&writes, &last);
  }

  static constexpr size_t kMarkBytes = kHeaderBytes + 8;

  enum class Pass { kAll, kObjects, kReferences };

  // An entry of imports_ that leads to a database which is imported at the same time.
  struct Led {
    size_t entry;
    const Importer* other;
  };

  const std::string database_;
  FILE* const from_;
  const std::string file_name_;  // for messages
  store::PageServer* server_ = nullptr;
  DatabaseId id_;
  // The store has a database of the name that an ended import has left, or that is empty.
  bool remainder_ = false;
  store::Uuid own_;
  std::string twin_;
  std::set<std::string> together_;
  std::vector<Led> led_;
  Pass pass_ = Pass::kAll;
  bool marked_ = false;             // the database's root is the mark of an unfinished import
  PageId mark_page_;                // the mark's page
  uint64_t mark_version_ = 0;       // of that page
  size_t commits_ = 0;              // of this pass
  std::vector<uint64_t> versions_;  // that the commits of the pass kObjects gave their pages
  uint64_t line_ = 0;
  uint64_t version_ = 0;  // of the export
  ObjectShapes shapes_;
  const StoredType* shaped_ = nullptr;  // the types that shapes_ is of
  std::optional<store::Uuid> uuid_;     // of the database that was exported
  bool damaged_ = false;                // the export lacks what could not be read
  uint64_t lost_ = 0;                   // references to that
  std::vector<std::string> notes_;
  PersistentRef root_;
  uint64_t root_import_ = 0;
  std::vector<StoredType> types_;
  std::vector<uint32_t> type_index_;
  std::vector<store::ImportEntry> imports_;
  std::vector<Exported> exports_;
  ImportSpill spill_;
  Places places_;
  std::vector<Home> homes_;  // by name, when all objects have been read
};

// The databases of the store by uuid; but not those that an import replaces.
Result<std::map<store::Uuid, std::string>> Present(
    store::PageServer& server, const std::vector<std::unique_ptr<Importer>>& importers) {
  std::map<store::Uuid, std::string> present;
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, server.ListDatabases());
  for (const std::string& name : names) {
    if (std::ranges::any_of(importers, [&](const auto& one) { return one->database() == name; })) {
      continue;
    }
    const Result<DatabaseId> other = server.OpenDatabase(name, store::OpenMode::kOpen);
    if (!other.ok()) continue;  // a damaged one is no reason
    const Result<store::Uuid> uuid = server.DatabaseUuid(*other);
    (void)server.CloseDatabase(*other);
    if (uuid.ok()) present[*uuid] = name;
  }
  return present;
}

void NameAll(const std::vector<std::unique_ptr<Importer>>& importers,
             const std::map<store::Uuid, std::string>& present) {
  std::set<std::string> together;
  for (const auto& importer : importers) together.insert(importer->database());
  for (const auto& importer : importers) {
    const auto twin = importer->uuid() ? present.find(*importer->uuid()) : present.end();
    const bool kept = importer->uuid() && twin == present.end();
    importer->Name(kept ? *importer->uuid() : store::NewUuid(),
                   twin == present.end() ? "" : twin->second, together);
  }
}

// Makes all databases and then, since they may refer to each other, their contents.
Result<std::vector<DatabaseId>> MakeAll(const std::vector<std::unique_ptr<Importer>>& importers,
                                        bool shared) {
  std::vector<DatabaseId> made;
  Status status;
  for (const auto& importer : importers) {
    const Result<DatabaseId> id = importer->Make();
    status = id.status();
    if (!status.ok()) break;
    made.push_back(*id);
  }
  for (size_t to = 0; status.ok() && to < importers.size(); ++to) {
    if (!importers[to]->uuid()) continue;
    for (const auto& from : importers) from->Lead(*importers[to]->uuid(), *importers[to]);
  }
  for (size_t i = 0; status.ok() && i < importers.size(); ++i) status = importers[i]->Fill();
  if (status.ok()) return made;
  for (size_t i = 0; shared && i < made.size(); ++i) importers[i]->Undo();
  return status;
}

Status CheckDistinct(const std::vector<std::unique_ptr<Importer>>& importers) {
  std::map<store::Uuid, std::string> seen;
  for (const auto& importer : importers) {
    if (!importer->uuid()) continue;
    const auto [other, fresh] = seen.try_emplace(*importer->uuid(), importer->database());
    if (fresh) continue;
    return store::Failure(StatusCode::kInvalidArgument,
                          "the exports of " + other->second + " and " + importer->database() +
                              " are of one database, and references to it would lead to either");
  }
  return Status::Ok();
}

}  // namespace

Result<std::vector<ImportTotals>> Import(const std::string& path,
                                         const std::vector<ImportSource>& sources) {
  std::vector<std::unique_ptr<Importer>> importers;
  // Before there is a store.
  for (const ImportSource& source : sources) {
    importers.push_back(std::make_unique<Importer>(source));
    const Status read = importers.back()->Read();
    if (read.ok()) continue;
    if (sources.size() == 1) return read;
    return store::Failure(read.code(), source.file_name + ": " + std::string(read.text()),
                          read.number());
  }
  TN_RETURN_IF_ERROR(CheckDistinct(importers));
  store::StoreOptions options;
  options.mode = store::OpenMode::kOpenOrCreate;
  TN_ASSIGN_OR_RETURN(const std::unique_ptr<store::PageServer> server,
                      store::OpenStore(path, options));
  for (const auto& importer : importers) TN_RETURN_IF_ERROR(importer->CheckName(*server));
  TN_ASSIGN_OR_RETURN(const auto present, Present(*server, importers));
  NameAll(importers, present);
  const bool shared = server->capabilities().shared;
  TN_ASSIGN_OR_RETURN(const std::vector<DatabaseId> made, MakeAll(importers, shared));
  std::vector<ImportTotals> totals;
  for (const auto& importer : importers) {
    TN_ASSIGN_OR_RETURN(totals.emplace_back(), importer->Totals());
  }
  TN_RETURN_IF_ERROR(shared ? server->Close() : server->CloseReplacing(made));
  return totals;
}

Result<bool> IsUnfinishedImport(store::PageServer& server, DatabaseId database) {
  TN_ASSIGN_OR_RETURN(const PersistentRef root, server.Root(database));
  if (!root.well_formed_object()) return false;
  const PageId page = root.page();
  std::vector<store::PageReply> replies(1);
  TN_RETURN_IF_ERROR(server.Read(database, std::span(&page, 1), replies));
  // The next reader of the page gets its error.
  if (!replies[0].status.ok() || root.offset() < kHeaderBytes) return false;
  uint64_t header;
  std::memcpy(&header, replies[0].record.contents + root.offset() - kHeaderBytes, sizeof header);
  TN_ASSIGN_OR_RETURN(const StoredTypes types, StoredTypes::Read(server));
  const StoredType* const type = types.At(header >> store::kStoredTypeShift);
  return type != nullptr && type->name == store::kUnfinishedImportType;
}

}  // namespace tenure::dbtool
