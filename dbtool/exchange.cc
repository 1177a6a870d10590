#include "dbtool/exchange.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "abi/object_header.h"
#include "dbtool/between.h"
#include "dbtool/json.h"
#include "dbtool/text_form.h"
#include "stabilize/page_codec.h"
#include "stabilize/status_text.h"
#include "stabilize/store.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using stabilize::DatabaseId;
using stabilize::PageId;
using stabilize::PersistentRef;
using stabilize::RefKind;

namespace {

constexpr const char* kFormat = "tenure export";

std::string Hex(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (std::byte byte : bytes) {
    text += kDigits[static_cast<unsigned>(byte) >> 4];
    text += kDigits[static_cast<unsigned>(byte) & 15];
  }
  return text;
}

bool FromHex(const std::string& text, std::vector<std::byte>* bytes) {
  if (text.size() % 2 != 0) return false;
  bytes->resize(text.size() / 2);
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return false;
    std::byte& byte = (*bytes)[i / 2];
    byte = static_cast<std::byte>(i % 2 == 0 ? digit << 4 : static_cast<int>(byte) | digit);
  }
  return true;
}

std::string UuidText(const stabilize::Uuid& uuid) {
  return Hex(std::as_bytes(std::span(uuid.bytes)));
}

std::optional<uint64_t> NumberIn(const Json& value) {
  if (!value.is_number_unsigned()) return std::nullopt;
  return value.get<uint64_t>();
}

}  // namespace

// -------------------------------------------------------------------------------------- export --

Status Export(OpenedStore& store, const std::string& database, FILE* to) {
  stabilize::PageServer& server = *store.server;
  Result<DatabaseId> id = server.OpenDatabase(database, stabilize::OpenMode::kOpen);
  if (!id.ok()) return id.status();
  Result<PersistentRef> root = server.Root(*id);
  if (!root.ok()) return root.status();
  Result<std::vector<stabilize::ImportEntry>> imports = server.Imports(*id);
  if (!imports.ok()) return imports.status();
  Result<std::vector<stabilize::ExportEntry>> exports = server.Exports(*id);
  if (!exports.ok()) return exports.status();
  const Result<stabilize::Uuid> uuid = server.DatabaseUuid(*id);
  if (!uuid.ok()) return uuid.status();

  Json head = {
      {"format", kFormat}, {"version", 1}, {"database", database}, {"uuid", UuidText(*uuid)}};
  if (root->is_object()) head["root"] = Show(*root);
  if (!root->nil() && root->kind() == RefKind::kImport) head["root_import"] = root->entry();
  int error = 0;  // of writing
  const auto print = [&](const Json& line) {
    if (error != 0) return;
    errno = 0;
    PrintLine(line, to);
    if (ferror(to) != 0) error = errno != 0 ? errno : EIO;
  };
  print(head);
  for (const StoredType& type : store.types.all()) {
    print({{"type", type.index}, {"description", type.description}});
  }
  for (size_t i = 0; i < imports->size(); ++i) {
    const stabilize::ImportEntry& entry = (*imports)[i];
    print({{"import", i + 1},
           {"uuid", UuidText(entry.database)},
           {"store", entry.store},
           {"name", entry.name},
           {"number", entry.export_number},
           {"tag", entry.export_tag},
           {"lineage", entry.lineage}});
  }
  for (size_t i = 0; i < exports->size(); ++i) {
    const stabilize::ExportEntry& entry = (*exports)[i];
    print({{"export", i + 1},
           {"object", entry.object.nil() ? Json() : Json(Show(entry.object))},
           {"tag", entry.tag}});
  }
  WalkTotals totals;
  const Status status =
      ForEachObject(server, *id, store.types, &totals, [&](const StoredObject& object) {
        std::vector<std::byte> data(object.payload.begin(), object.payload.end());
        Json references = Json::array(), procedures = references, foreign = references;
        ForEachSlot(*object.type, data.size(), [&](uint64_t offset, StoredSlot) {
          const PersistentRef stored{object.Word(offset)};
          if (stored.nil()) return;
          std::memset(data.data() + offset, 0, 8);
          switch (stored.kind()) {
            case RefKind::kObject: references.push_back({offset, Show(stored)}); break;
            case RefKind::kImport: foreign.push_back({offset, stored.entry()}); break;
            case RefKind::kProcedure: procedures.push_back({offset, stored.entry()}); break;
          }
        });
        Json line = {{"object", Show(object.at)}, {"of", object.type->index}, {"data", Hex(data)}};
        if (!references.empty()) line["references"] = std::move(references);
        if (!foreign.empty()) line["imports"] = std::move(foreign);
        if (!procedures.empty()) line["procedures"] = std::move(procedures);
        line["name"] = object.type->name;
        if (!object.type->open()) {  // those of one are its elements'
          Json fields = Json::object();
          for (const StoredField& field : object.type->fields) {
            fields.emplace(field.name, JsonOf(object, field));
          }
          line["fields"] = std::move(fields);
        }
        print(line);
        return error == 0;
      });
  TN_RETURN_IF_ERROR(status);
  if (error == 0 && (fflush(to) != 0 || ferror(to) != 0)) error = errno != 0 ? errno : EIO;
  if (error != 0) return stabilize::SystemFailure(error, "cannot write the export");
  return Status::Ok();
}

// -------------------------------------------------------------------------------------- import --

namespace {

class Importer {
 public:
  Result<ImportTotals> Run(const std::string& path, const std::string& database, FILE* from,
                           const std::string& file_name) {
    TN_RETURN_IF_ERROR(ReadAll(from, file_name));
    // Before there is a store.
    TN_RETURN_IF_ERROR(CheckReferences());
    stabilize::StoreOptions options;
    options.mode = stabilize::OpenMode::kOpenOrCreate;
    Result<std::unique_ptr<stabilize::PageServer>> server = stabilize::OpenStore(path, options);
    if (!server.ok()) return server.status();
    server_ = server->get();
    TN_RETURN_IF_ERROR(server_->capabilities().shared ? BuildBesideOthers(database)
                                                      : BuildAlone(database));
    return ImportTotals{objects_.size(), pages_.size(), std::move(notes_)};
  }

 private:
  struct Object {
    uint64_t line = 0;
    uint64_t type = 0;  // as exported
    std::vector<std::byte> data;
    std::vector<std::pair<uint64_t, std::string>> references;
    std::vector<std::pair<uint64_t, uint64_t>> imports, procedures;
    PersistentRef home;
  };
  struct Exported {
    std::string object;  // empty: it has been lost
    uint64_t tag = 0;
  };
  struct Page {
    stabilize::LargeRun run;
    std::unique_ptr<std::byte[]> contents;
  };

  Status Wrong(const std::string& what) const {
    return stabilize::Failure(StatusCode::kInvalidArgument,
                              "line " + std::to_string(line_) + ": " + what,
                              static_cast<int64_t>(line_));
  }

  Status ReadAll(FILE* from, const std::string& file_name) {
    char* text = nullptr;
    size_t capacity = 0;
    ssize_t length;
    Status status;
    while (status.ok() && (length = getline(&text, &capacity, from)) >= 0) {
      ++line_;
      status = ReadLine(std::string_view(text, static_cast<size_t>(length)));
    }
    const int error = errno;
    free(text);
    TN_RETURN_IF_ERROR(status);
    if (ferror(from) != 0) return stabilize::SystemFailure(error, "cannot read " + file_name);
    if (line_ == 0) return Wrong("this is no export: it is empty");
    return Status::Ok();
  }

  Status ReadLine(std::string_view text) {
    const Json line = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!line.is_object()) return Wrong("this is no JSON object");
    const auto text_of = [&](const char* name) {
      const auto member = line.find(name);
      return member != line.end() && member->is_string() ? member->get<std::string>() : "";
    };
    const auto number_of = [&](const char* name) {
      const auto member = line.find(name);
      return member == line.end() ? std::nullopt : NumberIn(*member);
    };
    if (line_ == 1) {
      if (text_of("format") != kFormat || number_of("version") != 1) {
        return Wrong("this is no export that this program knows");
      }
      std::vector<std::byte> uuid;
      if (FromHex(text_of("uuid"), &uuid) && uuid.size() == sizeof(stabilize::Uuid)) {
        std::memcpy(uuid_.emplace().bytes.data(), uuid.data(), uuid.size());
      }
      root_ = text_of("root");
      root_import_ = number_of("root_import").value_or(0);
      return Status::Ok();
    }
    if (line.contains("type")) {
      const std::optional<StoredType> type =
          ParseType(static_cast<uint32_t>(number_of("type").value_or(0)), text_of("description"));
      if (!type || type->index != types_.size() + 1) return Wrong("a type that makes no sense");
      types_.push_back(*type);
      return Status::Ok();
    }
    if (line.contains("import")) {
      stabilize::ImportEntry entry;
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
      if (!lost && text_of("object").empty()) return Wrong("an export of nothing");
      exports_.push_back({lost ? "" : text_of("object"), number_of("tag").value_or(0)});
      return Status::Ok();
    }
    return ReadObject(line, text_of("object"), text_of("data"), number_of("of").value_or(0));
  }

  Status ReadObject(const Json& line, const std::string& name, const std::string& data,
                    uint64_t type) {
    Object object;
    object.line = line_;
    object.type = type;
    if (type == 0 || type > types_.size() || !types_[type - 1].procedure.empty()) {
      return Wrong("an object of an unknown type");
    }
    if (ParseReference(name).nil()) return Wrong("an object without a name");
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
               if (!to.is_string()) return false;
               object.references.push_back({offset, to.get<std::string>()});
               return true;
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
    if (!index_.insert({name, objects_.size()}).second) return Wrong("an object twice");
    objects_.push_back(std::move(object));
    return Status::Ok();
  }

  Status CheckObject(const std::string& name) const {
    return index_.contains(name) ? Status::Ok() : Wrong("there is no object " + name);
  }

  // That all that is referred to is there.
  Status CheckReferences() {
    for (const Object& object : objects_) {
      line_ = object.line;
      for (const auto& [offset, name] : object.references) TN_RETURN_IF_ERROR(CheckObject(name));
      for (const auto& [offset, number] : object.imports) {
        if (number > imports_.size()) return Wrong("a reference to an import that is not there");
      }
      for (const auto& [offset, number] : object.procedures) {
        if (number > types_.size() || types_[number - 1].procedure.empty()) {
          return Wrong("a procedure that is not there");
        }
      }
    }
    line_ = 1;
    if (!root_.empty()) TN_RETURN_IF_ERROR(CheckObject(root_));
    for (const Exported& exported : exports_) {
      if (!exported.object.empty()) TN_RETURN_IF_ERROR(CheckObject(exported.object));
    }
    return Status::Ok();
  }

  // Numbers of type entries in this store.
  Status MakeTypes() {
    type_index_.resize(types_.size() + 1);
    for (const StoredType& type : types_) {
      Result<uint32_t> index = server_->AddType(std::as_bytes(std::span(type.description)));
      if (!index.ok()) return index.status();
      type_index_[type.index] = *index;
    }
    return Status::Ok();
  }

  std::byte* AddPage(const stabilize::LargeRun& run) {
    pages_.push_back({run, std::make_unique<std::byte[]>(kPageBytes)});
    return pages_.back().contents.get();
  }
  static void FillRest(Page& page, size_t used) {
    if (used < kPageBytes) {
      stabilize::StoreFiller(page.contents.get() + used, kPageBytes - used);
    }
  }

  void Place() {
    size_t used = kPageBytes, open = 0;  // page `open` - 1 takes more
    for (Object& object : objects_) {
      const size_t bytes = kHeaderBytes + object.data.size();
      if (bytes > kPageBytes) {
        stabilize::LargeRun run{type_index_[object.type], 0,
                                static_cast<uint32_t>((bytes + kPageBytes - 1) / kPageBytes)};
        object.home = PersistentRef::Object(PageId{pages_.size() + 1}, kHeaderBytes);
        for (; run.index < run.pages; ++run.index) AddPage(run);
        continue;
      }
      if (open == 0 || kPageBytes - used < bytes) {
        if (open != 0) FillRest(pages_[open - 1], used);
        AddPage({});
        open = pages_.size();
        used = 0;
      }
      object.home = PersistentRef::Object(PageId{open}, used + kHeaderBytes);
      used += bytes;
    }
    if (open != 0) FillRest(pages_[open - 1], used);
  }

  PersistentRef HomeOf(const std::string& name) const { return objects_[index_.at(name)].home; }

  void Fill() {
    std::vector<std::byte> bytes;
    for (Object& object : objects_) {
      const auto store = [&](uint64_t offset, uint64_t word) {
        std::memcpy(object.data.data() + offset, &word, sizeof word);
      };
      for (const auto& [offset, name] : object.references) {
        store(offset, HomeOf(name).bits);
      }
      for (const auto& [offset, number] : object.imports) {
        store(offset, PersistentRef::Entry(RefKind::kImport, number).bits);
      }
      for (const auto& [offset, number] : object.procedures) {
        store(offset, PersistentRef::Entry(RefKind::kProcedure, type_index_[number]).bits);
      }
      const uint64_t header = uint64_t{type_index_[object.type]} << stabilize::kStoredTypeShift;
      bytes.resize(kHeaderBytes);
      std::memcpy(bytes.data(), &header, sizeof header);
      bytes.insert(bytes.end(), object.data.begin(), object.data.end());
      uint64_t page = object.home.page().number;
      size_t at = object.home.offset() - kHeaderBytes;
      for (size_t done = 0; done < bytes.size(); ++page, at = 0) {
        const size_t count = std::min(bytes.size() - done, kPageBytes - at);
        std::memcpy(pages_[page - 1].contents.get() + at, bytes.data() + done, count);
        done += count;
      }
    }
  }

  // The database is there when all of it is.
  Status BuildAlone(const std::string& database) {
    Result<DatabaseId> id = server_->OpenDatabase(database, stabilize::OpenMode::kOpen);
    if (id.ok())
      return stabilize::Failure(StatusCode::kExists, "database " + database + " exists already");
    if (id.status().code() != StatusCode::kNotFound) return id.status();
    const Result<std::string> twin = NameOfTwin();
    if (!twin.ok()) return twin.status();
    id = server_->CreateReplacement(database, uuid_ && twin->empty() ? &*uuid_ : nullptr);
    if (!id.ok()) return id.status();
    id_ = *id;
    TN_RETURN_IF_ERROR(Build());
    NoteWhatIsCut(*twin);
    TN_RETURN_IF_ERROR(NoteWhatIsAway(database));
    return server_->CloseReplacing(std::span(&id_, 1));
  }

  // The database of this store that has the uuid of the one that was exported; empty: none.
  Result<std::string> NameOfTwin() {
    if (!uuid_) return std::string();
    const Result<std::vector<std::string>> names = server_->ListDatabases();
    if (!names.ok()) return names.status();
    for (const std::string& name : *names) {
      const Result<DatabaseId> other = server_->OpenDatabase(name, stabilize::OpenMode::kOpen);
      if (!other.ok()) continue;  // a damaged one is no reason
      const Result<stabilize::Uuid> uuid = server_->DatabaseUuid(*other);
      (void)server_->CloseDatabase(*other);
      if (uuid.ok() && *uuid == *uuid_) return name;
    }
    return std::string();
  }

  // References of other databases to the one that was exported: they find it by its uuid.
  void NoteWhatIsCut(const std::string& twin) {
    if (exports_.empty() || (uuid_ && twin.empty())) return;
    notes_.push_back("other databases refer to " + std::to_string(exports_.size()) +
                     " objects of the one that was exported, " +
                     (twin.empty()
                          ? "and not to the new one"
                          : "which is this store's database " + twin + ", not the new one"));
  }

  // What the new database refers to and this store does not have.
  Status NoteWhatIsAway(const std::string& database) {
    const Result<std::vector<std::string>> broken = BrokenImports(*server_, id_, {});
    if (!broken.ok()) return broken.status();
    for (const std::string& problem : *broken) {
      notes_.push_back("database " + database + ", as it is now: " + problem);
    }
    return Status::Ok();
  }

  Status BuildBesideOthers(const std::string& database) {
    Result<DatabaseId> id = server_->OpenDatabase(database, stabilize::OpenMode::kCreate);
    if (!id.ok()) return id.status();
    id_ = *id;
    const Status status = Build();
    if (!status.ok()) {
      (void)server_->CloseDatabase(id_);
      (void)server_->DeleteDatabase(database);
      return status;
    }
    uuid_.reset();  // a served store gives it one of its own
    NoteWhatIsCut("");
    TN_RETURN_IF_ERROR(NoteWhatIsAway(database));
    return server_->Close();
  }

  Status Build() {
    TN_RETURN_IF_ERROR(MakeTypes());
    Place();
    Fill();
    stabilize::DatabaseCommit commit;
    commit.database = id_;
    if (!root_.empty()) {
      commit.root = HomeOf(root_);
    } else if (root_import_ != 0) {
      commit.root = PersistentRef::Entry(RefKind::kImport, root_import_);
    }
    std::vector<stabilize::ExportEntry> exports;
    for (const Exported& exported : exports_) {
      exports.push_back(
          {exported.object.empty() ? PersistentRef() : HomeOf(exported.object), exported.tag});
    }
    if (!pages_.empty()) {
      Result<stabilize::PageRun> run = server_->AllocatePages(id_, pages_.size());
      if (!run.ok()) return run.status();
      // Of a new database; but in a served store it is not for this process alone.
      if (run->first.number != 1) {
        return Status(StatusCode::kInUse, "another program uses the database already");
      }
    }
    std::vector<stabilize::PageWrite> writes;
    for (size_t i = 0; i < pages_.size(); ++i) {
      stabilize::PageWrite write;
      write.page = PageId{i + 1};
      write.run = pages_[i].run;
      write.contents = pages_[i].contents.get();
      write.checksum = stabilize::PageChecksum(write.page, write.run, write.contents);
      writes.push_back(write);
    }
    commit.pages = writes;
    commit.imports = imports_;
    commit.exports = exports;
    if (commit.root) {
      const PageId root{0};
      TN_RETURN_IF_ERROR(server_->WantWrite(id_, std::span(&root, 1)));
    }
    stabilize::CommitRequest request;
    request.id = stabilize::NewCommitId();
    request.databases = std::span(&commit, 1);
    const stabilize::CommitAnswer answer = server_->Commit(request);
    return answer.outcome == stabilize::CommitOutcome::kCommitted ? Status::Ok() : answer.status;
  }

  stabilize::PageServer* server_ = nullptr;
  DatabaseId id_;
  uint64_t line_ = 0;
  std::optional<stabilize::Uuid> uuid_;  // of the database that was exported
  std::vector<std::string> notes_;
  std::string root_;
  uint64_t root_import_ = 0;
  std::vector<StoredType> types_;
  std::vector<uint32_t> type_index_;
  std::vector<stabilize::ImportEntry> imports_;
  std::vector<Exported> exports_;
  std::vector<Object> objects_;
  std::unordered_map<std::string, size_t> index_;
  std::vector<Page> pages_;
};

}  // namespace

Result<ImportTotals> Import(const std::string& path, const std::string& database, FILE* from,
                            const std::string& file_name) {
  return Importer().Run(path, database, from, file_name);
}

}  // namespace tenure::dbtool
