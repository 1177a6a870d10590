// One open database: its frames, its root, and the translation of its references.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abi/program.h"
#include "base/result.h"
#include "stabilize/frames/displaced.h"
#include "stabilize/frames/frame_mapping.h"
#include "stabilize/frames/page_frames.h"
#include "stabilize/frames/page_list.h"
#include "stabilize/frames/store_names.h"
#include "stabilize/state/procedure_names.h"
#include "stabilize/state/session_options.h"
#include "stabilize/state/type_catalog.h"
#include "store/format/clustering.h"
#include "store/format/page_codec.h"
#include "store/server/page_server.h"

namespace tenure::stabilize {

// A store that is open in this process: its server and its types. Shared by its databases.
struct OpenStoreState {
  std::string path;
  // Shared with threads that wait until a commit is durable. Replaced when the store is opened
  // anew.
  std::shared_ptr<PageServer> server;
  TypeCatalog catalog;
  size_t open_databases = 0;
  bool in_memory = false;        // then kept open until the process ends
  uint64_t syncs_at_commit = 0;  // that the server has counted

  explicit OpenStoreState(ProgramTypes types) : catalog(types) {}
};

// Needs the session's lock. Frames' addresses stay reserved after Close, without access.
class Database final {
 public:
  // Everything that is passed outlives the database.
  static Result<std::unique_ptr<Database>> Open(OpenStoreState& store, const std::string& name,
                                                OpenMode mode, const SessionOptions& options,
                                                DisplacedObjects& displaced,
                                                const ProcedureNames& procedures);
  // Closes the database at its page server, which gets back unused page ids. This object stays, so
  // that touches of its frames find out.
  Status Close();

  // In the child of a fork: closes it without a message to the store.
  void Abandon() {
    open_ = false;
    remembered_.Forget();
  }

  const std::string& name() const { return name_; }
  const std::string& Path() const { return path_; }  // "DIR:NAME", also after Close
  bool open() const { return open_; }
  // The failure kClosed for users of a database that is closed.
  Status ClosedFailure() const;
  // Notes a kClosed for ClosedFailure: why the database is going to be closed without the program.
  void SetClosedBecause(Status why) { closed_because_ = why; }
  OpenStoreState& store() { return store_; }
  PageServer& server() { return *store_.server; }
  DatabaseId id() const { return id_; }
  const Uuid& uuid() const { return uuid_; }
  // Called after its store was opened anew: finds the same database there.
  Status Reconnect();
  FrameMapping& mapping() { return *mapping_; }
  PageFrames& frames() { return frames_; }

  bool Contains(const void* address) const { return mapping_->Contains(address); }
  PageId PageAt(const void* address) const {
    return PageId{static_cast<uint64_t>(static_cast<const char*>(address) - mapping_->base()) /
                  abi::kPageBytes};
  }
  char* FrameOf(PageId page) const { return mapping_->base() + page.number * abi::kPageBytes; }
  std::byte* AliasOf(PageId page) const {
    return reinterpret_cast<std::byte*>(mapping_->Alias(FrameOf(page)));
  }
  abi::Ref AddressOf(PersistentRef ref) const { return mapping_->base() + ref.bits; }

  // The inverse of AddressOf, for an address in a frame.
  PersistentRef HomeAt(const void* address) const {
    return PersistentRef{
        static_cast<uint64_t>(static_cast<const char*>(address) - mapping_->base())};
  }

  // Makes frames and memory for all pages up to this one.
  Status Cover(PageId page);

  void SetRoot(abi::Ref object) { pending_root_ = object; }
  PersistentRef stored_root() const { return root_; }
  const std::optional<abi::Ref>& pending_root() const { return pending_root_; }
  // For the collector: the slot, or null.
  abi::Ref* pending_root_slot() { return pending_root_ ? &*pending_root_ : nullptr; }
  void DropPendingRoot() { pending_root_.reset(); }
  // Reads the root of anybody's last commit. Shared servers: it is good until root_fresh is reset.
  Status RefreshRoot();
  bool root_fresh() const { return root_fresh_; }
  void ExpireRoot() { root_fresh_ = false; }

  // Pages that were given up while displaced objects have their homes there: to be read again
  // before a transaction sees these objects.
  const std::vector<PageId>& stale() const { return stale_; }
  void AddStale(PageId page) { stale_.push_back(page); }
  void RemoveLastStale() { stale_.pop_back(); }
  // Whether everything that is known of the database may be out of date.
  bool all_stale() const { return all_stale_; }
  void SetAllStale(bool all) { all_stale_ = all; }

  // Page ids that the server gave to an earlier connection are not ours any more.
  void ForgetFreeRuns() {
    free_runs_.clear();
    ++connection_;
  }
  // Rises whenever the server has forgotten which page ids it gave to this process.
  uint64_t connection() const { return connection_; }
  void AcceptRoot(PersistentRef root) {
    root_ = root;
    pending_root_.reset();
  }

  // Pages that the open transaction may have written, in the order in which they were opened.
  const std::vector<PageId>& dirty() { return dirty_.pages(); }
  size_t dirty_count() const { return dirty_.size(); }
  void AddDirty(PageId page) { dirty_.Add(page); }
  // The page has not been written after all. Takes constant time.
  void RemoveDirty(PageId page) { dirty_.Remove(page); }
  // Removes the pages for which is_clean(page) holds.
  template <typename IsClean>
  void RemoveDirty(IsClean&& is_clean) {
    for (PageId page : dirty_.pages()) {
      if (is_clean(page)) dirty_.Remove(page);
    }
  }
  std::vector<PageId> TakeDirty() { return dirty_.Take(); }
  // The version of the last commit by this process, if it changed pages that were there; or 0.
  uint64_t changed_version() const { return changed_version_; }
  void SetChangedVersion(uint64_t version) { changed_version_ = version; }
  // The pages that the last write trap opened.
  PageRun last_opened() const { return last_opened_; }
  void SetLastOpened(PageRun run) { last_opened_ = run; }
  // The last page of the last read, to notice faults that run forward.
  PageId last_fault() const { return last_fault_; }
  void SetLastFault(PageId page) { last_fault_ = page; }

  // The remembered set: pages whose frames may refer to the transient heap.
  const std::vector<PageId>& remembered() { return remembered_.pages(); }
  // Puts the page into the remembered set, and marks its cards so that the next collection visits
  // it.
  void Remember(PageId page);
  // The frame refers to nothing there any more: the page leaves the set, and its cards are clean.
  void ForgetRemembered(PageId page);
  // Dirty pages that are in the spill file.
  const std::unordered_map<PageId, SpilledPage>& spilled() const { return spilled_; }
  const SpilledPage* FindSpilled(PageId page) const {  // null: not spilled
    const auto it = spilled_.find(page);
    return it == spilled_.end() ? nullptr : &it->second;
  }
  void AddSpilled(PageId page, SpilledPage spilled) { spilled_[page] = std::move(spilled); }
  void RemoveSpilled(PageId page) { spilled_.erase(page); }
  // Calls visit(abi::Ref* target) for the references of spilled pages to the heap.
  template <typename Visit>
  void ForEachSpilledReference(Visit&& visit) {
    for (auto& [page, spilled] : spilled_) {
      for (SpilledReference& reference : spilled.references) visit(&reference.target);
    }
  }

  // Gives the frame a twin: the image before the first write.
  void SetTwin(PageId page, PageCopy twin) {
    twins_ += frames_.At(page).twin == nullptr;
    frames_.At(page).twin = std::move(twin);
  }
  // Drops the frame's twin, if it has one.
  void DropTwin(PageId page) {
    twins_ -= frames_.At(page).twin != nullptr;
    frames_.At(page).twin.reset();
  }
  uint64_t twins() const { return twins_; }  // how many frames have one

  abi::StoreBarriers barriers() const { return options_.barriers; }
  bool paranoid_barriers() const { return options_.paranoid_barriers; }
  // With the policies sd and sl: bytes of a block; otherwise 0. And whether blocks are copied (sd).
  size_t recovery_block() const {
    return MarksBlocks(options_.recovery) ? options_.recovery_block : 0;
  }
  bool copies_blocks() const { return options_.recovery == RecoveryPolicy::kSd; }
  // With @M3paranoidbarriers: the words that had a barrier since the last commit.
  using StoredWords = std::unordered_map<PageId, std::bitset<abi::kPageBytes / 8>>;
  StoredWords& stored_words() { return stored_words_; }
  // Words that had changed at the last commit or abort and had no barrier by then.
  struct UntoldWord {
    PageId page;
    size_t word;
    std::string where;  // for people
  };
  std::vector<UntoldWord>& untold_words() { return untold_words_; }

  // Copies of text literals, by the literal's address.
  const std::unordered_map<const void*, PersistentRef>& literals() const { return literals_; }
  void AddLiteral(const void* literal, PersistentRef home) { literals_.insert({literal, home}); }
  void RemoveLiteral(const void* literal) { literals_.erase(literal); }

  // References to and from other databases. Entries are numbered from 1.
  const std::vector<ImportEntry>& imports() const { return imports_; }
  // The number of the entry; 0 when there is none.
  uint64_t FindImport(const ImportEntry& entry) const;
  uint64_t FindImport(const Database& target, PersistentRef home) const;
  // Notes the object that an entry leads to. An object with two entries is encoded as the first.
  void NoteImport(const Database& target, PersistentRef home, uint64_t number);
  bool ImportsFrom(const Database& target) const;
  uint64_t AddImport(const ImportEntry& entry);
  void DropImports(size_t from);
  const std::vector<ExportEntry>& exports() const { return exports_; }
  uint64_t ExportOf(PersistentRef home) const;  // 0: not exported
  // Reads the tables again, when another session may have added to them.
  Status LoadTables();
  // A new export, noted before its commit; the inverse when that fails.
  uint64_t AddExport(const ExportEntry& entry);
  void DropExports(size_t from);

  // Page ids that this session may use for new pages, in order.
  Result<PageId> NextPage();
  Result<PageRun> NextRun(uint64_t pages);
  void PutBack(PageRun run);

  // The pages that new objects are put on.
  OpenPages& open_pages() { return open_pages_; }

  // Whether decoding since the last call met a word that encoding does not give back
  // (Frame::not_round_trippable).
  bool TakeNotRoundTrippable() { return std::exchange(not_round_trippable_, false); }
  // Why something could not be translated to its stored form since the last call; the encoded page
  // is wrong then.
  Status TakeEncodeFailure() { return std::exchange(encode_failure_, Status::Ok()); }

  // A stored procedure value is NIL in memory if the program lacks the procedure, or has one that
  // is called otherwise than the slot's type says. It stays in the store until the program stores
  // another.
  struct UnknownProcedure {
    size_t offset;  // on its page
    uint64_t stored;
  };
  // Empty where there are none.
  std::span<const UnknownProcedure> UnknownProceduresOn(PageId page) const;
  void ForgetUnknownProcedures(PageId page) { unknown_procedures_.erase(page); }
  void ForgetUnknownProcedure(PageId page, size_t offset);

  // Whether a reference to the database opened it, not the program.
  bool implicit() const { return implicit_; }
  void SetImplicit(bool implicit) { implicit_ = implicit; }

  // Where the object of this database that has the home is now: in its frame, or displaced. Then
  // *refers_to_heap is set, else left. kCorrupt: it cannot be a home in this database.
  Result<abi::Ref> Locate(PersistentRef home, bool* refers_to_heap);
  // The home of an object of this database: in a frame, displaced, or a literal with a copy. NIL
  // for all others.
  PersistentRef HomeOf(abi::Ref object) const;

  // DatabaseReferences, the ReferenceTranslator, calls these.
  PlainReferences Plain() const;
  uint64_t ProcedureToStored(void* code);
  void* ProcedureToMemory(PageId page, size_t offset, uint64_t stored, uint32_t shape);
  Result<const abi::TypeDescriptor*> TypeOf(uint32_t index);
  // TypeOf, but with a type with kTypeUnknown in the place of one that the program lacks.
  Result<const abi::TypeDescriptor*> TypeOrUnknown(uint32_t index);
  const SlotTypes& SlotTypesOf(const abi::TypeDescriptor& type) {
    return store_.catalog.SlotTypesOf(type);
  }
  uint32_t IndexOf(const abi::TypeDescriptor& type) { return store_.catalog.KnownIndexOf(type); }

 private:
  Database(OpenStoreState& store, std::string name, const SessionOptions& options,
           DisplacedObjects& displaced, const ProcedureNames& procedures);

  OpenStoreState& store_;
  std::string name_, path_;
  DisplacedObjects& displaced_;
  const ProcedureNames& procedures_;
  const SessionOptions& options_;
  DatabaseId id_;
  Uuid uuid_;
  std::vector<ImportEntry> imports_;
  std::map<std::pair<Uuid, uint64_t>, std::vector<uint64_t>> numbers_of_;  // by uuid and export
  std::map<std::pair<const Database*, uint64_t>, uint64_t> import_of_;     // by target and home
  std::vector<ExportEntry> exports_;
  std::unordered_map<uint64_t, uint64_t> export_of_;  // by the bits of the home
  bool open_ = false;
  Status closed_because_;
  std::unique_ptr<FrameMapping> mapping_;
  PageFrames frames_;
  PersistentRef root_;
  std::optional<abi::Ref> pending_root_;
  PageList<&Frame::dirty> dirty_{frames_};
  PageList<&Frame::remembered> remembered_{frames_};
  std::vector<PageId> stale_;
  std::unordered_map<PageId, SpilledPage> spilled_;
  StoredWords stored_words_;
  std::vector<UntoldWord> untold_words_;
  std::unordered_map<const void*, PersistentRef> literals_;
  std::vector<PageRun> free_runs_;
  uint64_t connection_ = 0;
  bool removed_used_ = false;  // the server has no more removed pages
  OpenPages open_pages_;
  bool not_round_trippable_ = false;
  bool root_fresh_ = false, all_stale_ = false, implicit_ = false;
  uint64_t changed_version_ = 0;
  PageRun last_opened_{PageId{0}, 0};
  PageId last_fault_;
  uint64_t twins_ = 0;
  std::unordered_map<PageId, std::vector<UnknownProcedure>> unknown_procedures_;
  Status encode_failure_;
};

}  // namespace tenure::stabilize
