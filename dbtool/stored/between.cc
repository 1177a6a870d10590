#include "dbtool/stored/between.h"

#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "abi/heap_constants.h"
#include "store/format/declared_types.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"
#include "store/open.h"
#include "store/server/store_path.h"

namespace tenure::dbtool {

using store::DatabaseId;
using store::DeclaredType;

namespace {

// Indexed like the store's type table; unreadable descriptions give unusable entries.
Result<std::vector<DeclaredType>> TypesOf(store::PageServer& server) {
  TN_ASSIGN_OR_RETURN(const std::vector<store::TypeEntry> entries, server.TypeEntries());
  std::vector<DeclaredType> types(entries.size() + 1);
  for (const store::TypeEntry& entry : entries) {
    if (entry.index < types.size()) (void)ParseType(entry.description, &types[entry.index]);
  }
  return types;
}

class ImportCheck {
 public:
  ImportCheck(store::PageServer& server, std::string path, const store::VerifyReport& found)
      : server_(server), path_(std::move(path)), found_(found) {}

  Result<ImportsReport> Run(DatabaseId database) {
    TN_ASSIGN_OR_RETURN(const std::vector<store::ImportEntry> imports, server_.Imports(database));
    TN_ASSIGN_OR_RETURN(std::vector<DeclaredType> types, TypesOf(server_));
    types_ = std::move(types);
    for (size_t i = 0; i < imports.size(); ++i) Look(imports[i], i);
    for (const auto& [store, other] : stores_) {
      if (other.server != nullptr) (void)other.server->Close();
    }
    return std::move(report_);
  }

 private:
  struct Store {
    Status status;  // not ok: it cannot be opened
    std::unique_ptr<store::PageServer> server;
    std::vector<DeclaredType> types;
  };
  // The tables by which other databases refer to one.
  struct Other {
    Status status;           // not ok: it cannot be opened
    Store* store = nullptr;  // null: this one
    DatabaseId id;
    store::Uuid uuid;
    std::vector<store::ExportEntry> exports;
  };

  void Look(const store::ImportEntry& entry, size_t index) {
    const bool here = entry.store.empty();
    if (!here && path_.empty()) return;
    if (index < found_.used_imports.size() && !found_.used_imports[index]) return;
    const std::string text = "import " + std::to_string(index + 1) + " refers to object " +
                             std::to_string(entry.export_number) + " of database " +
                             (here ? "" : store::StoreOfHint(path_, entry.store) + ":") +
                             entry.name + ": ";
    const Other& other = OtherOf(entry);
    if (!other.status.ok()) {
      (here ? report_.problems : report_.unknown).push_back(text + other.status.text());
    } else if (const std::string problem = ProblemOf(entry, other, index); !problem.empty()) {
      report_.problems.push_back(text + problem);
    }
  }

  const Other& OtherOf(const store::ImportEntry& entry) {
    const auto [other, fresh] = others_.try_emplace({entry.store, entry.name});
    if (fresh) Open(entry, &other->second);
    return other->second;
  }

  void Open(const store::ImportEntry& entry, Other* other) {
    if (!entry.store.empty()) {
      const auto [store, fresh] = stores_.try_emplace(entry.store);
      if (fresh) OpenStoreAt(store::StoreOfHint(path_, entry.store), &store->second);
      other->store = &store->second;
      other->status = store->second.status;
      if (!other->status.ok()) return;
    }
    store::PageServer& server = ServerOf(*other);
    const Result<DatabaseId> id = server.OpenDatabase(entry.name, store::OpenMode::kOpen);
    other->status = id.status();
    if (!id.ok()) return;
    other->id = *id;
    const Result<store::Uuid> uuid = server.DatabaseUuid(*id);
    Result<std::vector<store::ExportEntry>> exports = server.Exports(*id);
    other->status = uuid.ok() ? exports.status() : uuid.status();
    if (!other->status.ok()) return;
    other->uuid = *uuid;
    other->exports = *std::move(exports);
  }

  static void OpenStoreAt(const std::string& path, Store* store) {
    store::StoreOptions options;
    options.mode = store::OpenMode::kOpen;
    Result<std::unique_ptr<store::PageServer>> server = store::OpenStore(path, options);
    store->status = server.status();
    if (!server.ok()) return;
    store->server = *std::move(server);
    // A prepared commit's additions to the tables are not there yet, and others may refer to them
    // already.
    Result<std::vector<store::PreparedCommit>> prepared = store->server->Prepared();
    store->status = prepared.status();
    if (prepared.ok() && !prepared->empty()) {
      store->status = store::Failure(
          StatusCode::kInUse,
          "a commit of several stores waits there for its outcome, until a program or "
          "`tenure serve` opens the store");
    }
    if (!store->status.ok()) return;
    Result<std::vector<DeclaredType>> types = TypesOf(*store->server);
    store->status = types.status();
    if (types.ok()) store->types = *std::move(types);
    // A served store is read in transactions only.
    if (store->status.ok()) store->status = store->server->StartTransaction().status();
  }

  store::PageServer& ServerOf(const Other& other) {
    return other.store == nullptr ? server_ : *other.store->server;
  }

  // Why the entry leads to nothing, or to the wrong thing; empty: it does not.
  std::string ProblemOf(const store::ImportEntry& entry, const Other& other, size_t index) {
    if (other.uuid != entry.database) return "another database has that name";
    if (entry.export_number > other.exports.size()) return "it has no such object";
    const store::ExportEntry& there = other.exports[entry.export_number - 1];
    if (there.tag != entry.export_tag) return "its object of that number is another one";
    if (there.object.nil()) return "that was lost when the store was salvaged";
    if (index >= found_.import_uses.size()) return "";
    const DeclaredType* const type = TypeOf(there.object, other);
    if (type == nullptr) return "no object of a known type is there";
    for (const store::VerifyReport::Use& use : found_.import_uses[index]) {
      if (declarations_.MayReferTo(use.type, use.element, use.offset, *type)) continue;
      const store::TypeName* const declared =
          declarations_.DeclaredAt(use.type, use.element, use.offset);
      return "it is of type " + type->own.name + ", and a reference " +
             (declared == nullptr ? "" : "to a " + declared->name + " ") + "of an object of type " +
             types_[use.type].own.name + " leads to it";
    }
    return "";
  }

  const DeclaredType* TypeOf(store::PersistentRef object, const Other& other) {
    if (!object.well_formed_object()) return nullptr;
    const store::PageId page = object.page();
    store::PageReply reply;
    const Status read = ServerOf(other).Read(other.id, std::span(&page, 1), std::span(&reply, 1));
    if (!read.ok() || !reply.status.ok()) return nullptr;
    uint64_t header = 0;
    std::memcpy(&header, reply.record.contents + object.offset() - abi::kHeaderBytes,
                sizeof header);
    const std::vector<DeclaredType>& types = other.store == nullptr ? types_ : other.store->types;
    const uint64_t type = header >> store::kStoredTypeShift;
    return type < types.size() && types[type].usable ? &types[type] : nullptr;
  }

  store::PageServer& server_;
  const std::string path_;
  const store::VerifyReport& found_;
  std::vector<DeclaredType> types_;
  store::Declarations declarations_{types_};
  std::map<std::string, Store> stores_;
  std::map<std::pair<std::string, std::string>, Other> others_;
  ImportsReport report_;
};

}  // namespace

Result<ImportsReport> CheckImports(store::PageServer& server, const std::string& path,
                                   DatabaseId database, const store::VerifyReport& found) {
  return ImportCheck(server, path, found).Run(database);
}

}  // namespace tenure::dbtool
