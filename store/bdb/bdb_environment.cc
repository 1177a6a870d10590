#include "store/bdb/bdb_environment.h"

#include <db.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/mutex.h"
#include "store/bdb/bdb_memory.h"
#include "store/bdb/bdb_messages.h"
#include "store/bdb/bdb_read_ahead.h"
#include "store/directory/recovery.h"
#include "store/files/descriptor.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"
#include "store/log/log_files.h"
#include "store/trees/tree_checksum.h"
#include "store/trees/tree_io.h"
#include "store/trees/tree_memory.h"
#include "store/trees/tree_pages.h"
#include "store/trees/tree_random.h"

namespace tenure::store {

namespace {

// Each opening reads the last log file to find its end, a millisecond for each megabyte; the log
// buffer may be no more than a quarter of it.
constexpr uint32_t kLogFileBytes = 16 << 20;

// Berkeley DB's functions are replaced for the process, before the first environment is made.
void InstallFunctions() {
  LinkTreeChecksum();
  LinkTreeRandom();
  static const bool installed = [] {
    db_env_set_func_pread(TreeRead);
    // Not `read`: Berkeley DB takes a replacement's short count for an error. Berkeley DB uses it
    // only for files that it has just opened. Since `write` is replaced it does not use pwrite.
    db_env_set_func_write(TreeWriteHere);
    db_env_set_func_pwrite(TreeWrite);
    db_env_set_func_fsync(TreeSync);
    db_env_set_func_ftruncate(TreeTruncate);
    db_env_set_func_rename(TreeRename);
    db_env_set_func_unlink(TreeUnlink);
    db_env_set_func_open(TreeOpen);
    db_env_set_func_dirlist(TreeList);
    db_env_set_func_dirfree(TreeFreeList);
    db_env_set_func_exists(TreeExists);
    db_env_set_func_ioinfo(TreeInfo);
    db_env_set_func_malloc(TreeAllocate);
    db_env_set_func_realloc(TreeReallocate);
    db_env_set_func_free(TreeFree);
    return true;
  }();
  static_cast<void>(installed);
}

// Berkeley DB trusts a tree's first bytes and divides by numbers in them.
Status CheckMetaPage(const std::string& path) {
  const Descriptor file(StoreOpen(path.c_str(), O_RDONLY));
  if (file.get() < 0) return SystemFailure(errno, "cannot open " + path);
  std::vector<std::byte> bytes(kTreeMetaBytes);
  const ssize_t got = ReadAt(file.get(), bytes.data(), bytes.size(), 0);
  if (got < 0) return SystemFailure(errno, "cannot read " + path);
  // Berkeley DB itself reports a page that is too short or has a wrong checksum.
  if (got < static_cast<ssize_t>(bytes.size()) || !IsSummedRight(bytes)) return Status::Ok();
  const std::string trouble = MetaPageTrouble(bytes);
  if (trouble.empty()) return Status::Ok();
  return Failure(StatusCode::kCorrupt, path + " is damaged: it " + trouble);
}

// Checks the meta pages of all trees, before recovery opens some of these.
Status CheckMetaPages(const std::string& directory) {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(directory));
  for (const std::string& name : names) {
    const std::string path = directory + "/" + name;
    struct stat info;
    if (!name.ends_with(".db")) continue;
    if (StoreStat(path.c_str(), &info) != 0) {
      if (errno == ENOENT) continue;
      return SystemFailure(errno, "cannot examine " + path);
    }
    if (S_ISREG(info.st_mode)) TN_RETURN_IF_ERROR(CheckMetaPage(path));
  }
  return Status::Ok();
}

}  // namespace

Result<std::unique_ptr<BdbEnvironment>> BdbEnvironment::Open(const StoreDirectory& directory,
                                                             const BdbOptions& options) {
  InstallFunctions();
  std::unique_ptr<BdbEnvironment> environment(new BdbEnvironment(directory, options));
  TN_RETURN_IF_ERROR(directory.writable() ? environment->OpenEnvironment()
                                          : environment->OpenForReading());
  return environment;
}

void BdbEnvironment::StartCheckpointer() {
  // Without a checkpoint thread the committing threads make the checkpoints.
  if (options_.checkpoint_thread && directory_.writable()) {
    static_cast<void>(checkpointer_.Start([this] { RunCheckpointer(); }));
  }
}

int BdbEnvironment::MakeHandle() {
  StartListening();
  int code = db_env_create(&env_, 0);
  if (code != 0) return code;
  env_->set_errcall(env_, KeepMessage);
  // Memory that Berkeley DB gives us to free.
  code = env_->set_alloc(env_, std::malloc, std::realloc, std::free);
  if (code != 0) return code;
  const auto gigabyte = uint64_t{1} << 30;
  // For 10 TB Berkeley DB fails with a message about the store. For 1 TB the allocation fails, with
  // the system's message about memory.
  const uint64_t cache = std::min(options_.cache_bytes, uint64_t{1} << 40);
  code = env_->set_cachesize(env_, static_cast<uint32_t>(cache / gigabyte),
                             static_cast<uint32_t>(cache % gigabyte), 1);
  // From this size Berkeley DB estimates how many hash buckets and mutexes the cache needs. It
  // makes all of them when the environment is opened.
  if (code == 0) code = env_->set_mp_pagesize(env_, kTreePageBytes);
  // A read-only mapping would bypass the checksums when a page comes in.
  if (code == 0) code = env_->set_mp_mmapsize(env_, 1);
  return code;
}

Status BdbEnvironment::FailedToOpen(int code) {
  // A failed read of this kind leaves only Berkeley DB's message, no errno.
  const bool unread = std::string_view(KeptMessage()).starts_with("BDB0134 read:");
  const Status status = unread || IsOfSystem(code)
                            ? Translate(code, "cannot open store " + directory_.path())
                            : Damaged(code, "store " + directory_.path());
  if (env_ != nullptr) env_->close(env_, 0);
  env_ = nullptr;
  double_write_ = nullptr;
  return status;
}

// The trees have all that there is: the log is not looked at.
Status BdbEnvironment::OpenForReading() {
  fetched_ = ReadAheadStore(directory_.path());
  double_write_ = std::make_unique<DoubleWrite>(directory_.path());
  double_write_->NoteRecovered();
  int code = MakeHandle();
  if (code == 0) {
    code = env_->open(env_, directory_.path().c_str(),
                      DB_CREATE | DB_PRIVATE | DB_THREAD | DB_INIT_MPOOL, 0);
  }
  return code == 0 ? Status::Ok() : FailedToOpen(code);
}

Status BdbEnvironment::OpenEnvironment(bool again) {
  const bool fresh = directory_.created();
  bool recover = false;
  if (!fresh) {
    if (!again) fetched_ = ReadAheadStore(directory_.path());
    TN_ASSIGN_OR_RETURN(const LogOpening log,
                        PrepareLog(directory_.path(), directory_.uuid(), kLogFileBytes,
                                   options_.redo_until_damage));
    recover = log.recover;
    if (!again) acknowledged_ = log.marks.version;
  }
  TN_RETURN_IF_ERROR(CheckMetaPages(directory_.path()));
  mark_ = std::make_unique<LogMarkFile>(directory_.path(), directory_.uuid());
  double_write_ = std::make_unique<DoubleWrite>(directory_.path());
  int code = MakeHandle();
  if (code == 0) code = env_->set_lg_max(env_, kLogFileBytes);
  if (code == 0) code = env_->set_lg_bsize(env_, LogBufferBytes(options_.cache_bytes));
  if (code == 0) code = env_->log_set_config(env_, DB_LOG_AUTO_REMOVE, 1);
  if (code == 0) {
    const TreeLookGuard guard;
    const uint32_t recovery = recover ? DB_RECOVER : 0;
    code = env_->open(
        env_, directory_.path().c_str(),
        DB_CREATE | DB_PRIVATE | DB_THREAD | DB_INIT_MPOOL | DB_INIT_TXN | DB_INIT_LOG | recovery,
        0666);
    if (guard.error() != 0) {
      // Berkeley DB may return any code for the failed read, even success. It has written nothing
      // since.
      env_->close(env_, 0);
      env_ = nullptr;
      double_write_ = nullptr;
      const std::string what = guard.path().empty() ? "" : ": cannot read " + guard.path();
      return SystemFailure(guard.error(), "cannot open store " + directory_.path() + what);
    }
  }
  if (code == 0) {
    double_write_->NoteRecovered();
    TN_ASSIGN_OR_RETURN(const bool replacements, StoreFiles(directory_.path()).HasReplacements());
    if (replacements && !again) {
      // Opens once more: after this clean end, recovery has no replacement to make anew.
      TN_RETURN_IF_ERROR(Close());
      TN_RETURN_IF_ERROR(StoreFiles(directory_.path()).RemoveRemains());
      return OpenEnvironment(/*again=*/true);
    }
    TN_RETURN_IF_ERROR(StoreFiles(directory_.path()).RemoveRemains());
    return ExtendLog(directory_.path(), kLogFileBytes);
  }
  return FailedToOpen(code);
}

BdbEnvironment::~BdbEnvironment() { static_cast<void>(Close()); }

Status BdbEnvironment::Close(const std::string& obsolete) {
  StopCheckpointer();
  if (env_ == nullptr) return failed();
  if (failed().ok() && directory_.writable()) {
    if (const Status status = Checkpoint(); !status.ok()) static_cast<void>(Fail(status));
  }
  // After a failed write, closing must not write the same pages after all: callers were told that
  // the write failed.
  if (!failed().ok()) env_->set_flags(env_, DB_PANIC_ENVIRONMENT, 1);
  const int code = env_->close(env_, 0);
  env_ = nullptr;
  // Ends here in any case: the store may be opened anew while this object lives, and pages that are
  // then written are the new opening's.
  const std::unique_ptr<DoubleWrite> double_write = std::move(double_write_);
  if (code != 0 && failed().ok()) return Translate(code, "cannot close store " + directory_.path());
  TN_RETURN_IF_ERROR(failed());
  if (!directory_.writable()) return Status::Ok();
  TN_RETURN_IF_ERROR(double_write->Close());
  const bool ended = EndLog(directory_.path(), kLogFileBytes, *mark_);
  mark_ = nullptr;
  RemoveSpareLog(directory_.path());
  if (!obsolete.empty() && StoreUnlink(obsolete.c_str()) != 0 && errno != ENOENT) {
    return SystemFailure(errno, "cannot remove " + obsolete);
  }
  if ((ended || !obsolete.empty()) && StoreSyncDirectory(directory_.path().c_str()) != 0) {
    return SystemFailure(errno, "cannot write " + directory_.path());
  }
  return Status::Ok();
}

Status BdbEnvironment::Settle() {
  TN_CHECK(!checkpointer_.started());
  TN_RETURN_IF_ERROR(Checkpoint());
  NoteAcknowledged(0);
  TN_RETURN_IF_ERROR(double_write_->Close());
  ShortenLog(directory_.path());
  spare_file_ = 0;
  RemoveSpareLog(directory_.path());
  return Status::Ok();
}

Status BdbEnvironment::Resume() { return ExtendLog(directory_.path(), kLogFileBytes); }

namespace {

// One configuration for all trees. Closes the handle on failure.
int ConfiguredTree(DB_ENV* env, DB** tree) {
  int code = db_create(tree, env, 0);
  if (code != 0) return code;
  code = (*tree)->set_flags(*tree, DB_CHKSUM);
  if (code == 0) code = (*tree)->set_pagesize(*tree, kTreePageBytes);
  if (code != 0) {
    (*tree)->close(*tree, DB_NOSYNC);
    *tree = nullptr;
  }
  return code;
}

}  // namespace

Result<__db*> BdbEnvironment::OpenTree(const std::string& file) {
  const std::string path = directory_.File(file);
  struct stat info;
  if (StoreStat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return Failure(StatusCode::kNotFound, path + " does not exist");
    return SystemFailure(errno, "cannot examine " + path);
  }
  TN_RETURN_IF_ERROR(CheckIsFile(info, path, directory_.writable()));
  TN_RETURN_IF_ERROR(CheckMetaPage(path));
  if (file != kStoreTreeFile && file != fetched_) ReadAhead({path});
  StartListening();
  DB* tree = nullptr;
  int code = ConfiguredTree(env_, &tree);
  if (code != 0) return Translate(code, "cannot open " + path);
  const uint32_t access_flags = directory_.writable() ? DB_AUTO_COMMIT : DB_RDONLY;
  code = tree->open(tree, nullptr, file.c_str(), nullptr, DB_BTREE, access_flags | DB_THREAD, 0666);
  uint32_t flags = 0;
  uint32_t page_bytes = 0;
  if (code == 0) code = tree->get_flags(tree, &flags);
  if (code == 0) code = tree->get_pagesize(tree, &page_bytes);
  if (code == 0 && (flags & DB_CHKSUM) != 0 && page_bytes == kTreePageBytes) return tree;

  // Any failure but an error of the system is damage: the file's meta page is wrong or unusable.
  const Status status =
      code == 0 ? Failure(StatusCode::kCorrupt, path + " is damaged: it is not a tree of ours")
      : IsOfSystem(code) ? Translate(code, "cannot open " + path)
                         : Damaged(code, path);
  tree->close(tree, DB_NOSYNC);
  return status;
}

Result<__db*> BdbEnvironment::CreateTree(__db_txn* transaction, const std::string& file) {
  const std::string path = directory_.File(file);
  struct stat info;
  if (StoreStat(path.c_str(), &info) == 0) {
    return Failure(StatusCode::kExists, path + " exists already");
  }
  if (errno != ENOENT) return SystemFailure(errno, "cannot examine " + path);
  StartListening();
  DB* tree = nullptr;
  int code = ConfiguredTree(env_, &tree);
  if (code == 0) {
    code = tree->open(tree, transaction, file.c_str(), nullptr, DB_BTREE,
                      DB_CREATE | DB_EXCL | DB_THREAD, 0666);
    if (code != 0) tree->close(tree, DB_NOSYNC);
  }
  if (code != 0) return Translate(code, "cannot create " + path);
  return tree;
}

Result<__db*> BdbEnvironment::CreateReplacement(const std::string& file) {
  const std::string path = directory_.File(file);
  struct stat info;
  if (StoreStat(path.c_str(), &info) == 0) {
    return Failure(StatusCode::kExists, path + " exists already");
  }
  if (errno != ENOENT) return SystemFailure(errno, "cannot examine " + path);
  StartListening();
  replaces_ = true;
  DB* tree = nullptr;
  int code = ConfiguredTree(env_, &tree);
  if (code == 0) {
    code = tree->set_flags(tree, DB_TXN_NOT_DURABLE);
    if (code == 0) {
      code = tree->open(tree, nullptr, file.c_str(), nullptr, DB_BTREE,
                        DB_CREATE | DB_EXCL | DB_THREAD, 0666);
    }
    if (code != 0) tree->close(tree, DB_NOSYNC);
  }
  if (code == 0) return tree;
  const Status status = Translate(code, "cannot create " + path);
  static_cast<void>(StoreUnlink(path.c_str()));
  return status;
}

Status BdbEnvironment::ReplacementError() const {
  const int error = double_write_->replacement_error();
  if (error == 0) return Status::Ok();
  return SystemFailure(error, "cannot write a new database of store " + directory_.path());
}

Status BdbEnvironment::SyncReplacement(__db* tree) {
  StartListening();
  const int code = tree->sync(tree, 0);
  TN_RETURN_IF_ERROR(ReplacementError());
  return code == 0 ? Status::Ok()
                   : Translate(code, "cannot write a new database of store " + directory_.path());
}

void BdbEnvironment::DropReplacements() {
  if (!replaces_) return;
  double_write_->DropReplacements();
  const Result<std::vector<std::string>> names = EntriesOf(directory_.path());
  if (!names.ok()) return;
  for (const std::string& name : *names) {
    if (!IsReplacementFile(name)) continue;
    const std::string path = directory_.File(name);
    // Berkeley DB has the file open, so that removing its name would free nothing yet, and a
    // checkpoint looks for the name once more.
    const Descriptor file(StoreOpen(path.c_str(), O_RDWR));
    if (file.get() >= 0) static_cast<void>(StoreTruncate(file.get(), 0));
  }
}

void BdbEnvironment::CloseTree(__db* tree) {
  // Its pages stay in the cache; checkpoints write them.
  const int code = tree->close(tree, DB_NOSYNC);
  if (code != 0) static_cast<void>(Translate(code, "cannot close a database"));
}

Status BdbEnvironment::RemoveTree(const std::string& file) {
  TN_RETURN_IF_ERROR(directory_.CheckWritable());
  // After this checkpoint the tree has everything, and the part of the log that recovery reads has
  // nothing about the tree: removing the file is one step. Berkeley DB's own removal in a
  // transaction renames the file to a placeholder first; after a power failure it may find neither
  // of the two.
  TN_RETURN_IF_ERROR(Checkpoint());
  const std::string path = directory_.File(file);
  int error = TreeUnlink(path.c_str());
  if (error == 0 && StoreSyncDirectory(directory_.path().c_str()) != 0) error = errno;
  if (error != 0) return SystemFailure(error, "cannot remove " + path);
  return Status::Ok();
}

Result<__db_txn*> BdbEnvironment::Begin() {
  TN_RETURN_IF_ERROR(directory_.CheckWritable());
  StartListening();
  DB_TXN* transaction = nullptr;
  const int code = env_->txn_begin(env_, nullptr, &transaction, 0);
  if (code != 0) return Translate(code, "cannot begin to write to " + directory_.path());
  return transaction;
}

Status BdbEnvironment::Commit(__db_txn* transaction) {
  const int code = transaction->commit(transaction, DB_TXN_NOSYNC);
  ++ended_;
  if (code == 0) return Status::Ok();
  return Fail(Translate(code, "cannot commit to " + directory_.path()));
}

void BdbEnvironment::NoteAcknowledged(uint64_t version) {
  DB_LOG_STAT* statistics = nullptr;
  LogPlace synced;
  if (env_->log_stat(env_, &statistics, 0) == 0) {
    synced = {statistics->st_disk_file, statistics->st_disk_offset};
    free(statistics);
  }
  mark_->Note(synced, version);
}

Status BdbEnvironment::Flush(uint64_t version) {
  StartListening();
  flushes_.fetch_add(1, std::memory_order_relaxed);
  const int code = env_->log_flush(env_, nullptr);
  if (code == 0) {
    NoteAcknowledged(version);
    return Status::Ok();
  }
  return Fail(Translate(code, "cannot write the log of " + directory_.path()));
}

void BdbEnvironment::Abort(__db_txn* transaction) {
  const int code = transaction->abort(transaction);
  ++ended_;
  if (code != 0) static_cast<void>(Fail(Translate(code, "cannot undo in " + directory_.path())));
}

Status BdbEnvironment::Checkpoint() { return Checkpoint(0); }

Status BdbEnvironment::Checkpoint(uint32_t log_kilobytes) {
  const auto log_bytes = uint64_t{log_kilobytes} << 10;
  if (log_bytes != 0 && checkpoint_error().ok() && LogBytesSinceCheckpoint() < log_bytes) {
    return Status::Ok();
  }
  ++period_;
  const Status status = MakeCheckpoint(log_kilobytes);
  ++period_;
  return status;
}

Status BdbEnvironment::MakeCheckpoint(uint32_t log_kilobytes) {
  const std::string what = "cannot make a checkpoint of " + directory_.path();
  const bool again = !checkpoint_error().ok();
  StartListening();
  // After a checkpoint that failed Berkeley DB may have forgotten which files have unsynced pages.
  if (again && double_write_->Retire() != 0) {
    const Status status = SystemFailure(errno, what);
    if (IsRetryable(status)) return status;
    return Fail(status);
  }
  // A checkpoint that another thread makes ends with a record behind what was committed while it
  // wrote pages. Berkeley DB then believes that there is nothing to write.
  const bool full = again || log_kilobytes == 0;
  const uint64_t ended = ended_;
  const bool written = [&] {
    const MutexLock lock(failed_mutex_);
    return ended == ended_before_checkpoint_;
  }();
  const int code =
      env_->txn_checkpoint(env_, again ? 0 : log_kilobytes, 0, full && !written ? DB_FORCE : 0);
  if (code != 0) {
    const Status status = Translate(code, what);
    // The log still has everything, but pages may have been lost on their way to the disk.
    if (!IsRetryable(status)) return Fail(status);
    DeferCheckpoint(status);
    return status;
  }
  const MutexLock lock(failed_mutex_);
  checkpoint_error_ = Status::Ok();
  if (full) ended_before_checkpoint_ = std::max(ended_before_checkpoint_, ended);
  return Status::Ok();
}

bool BdbEnvironment::IsRetryable(const Status& status) const {
  // The number of any other status may be a page number.
  const bool of_system = status.code() == StatusCode::kIo;
  const bool lack = status.code() == StatusCode::kNoSpace ||
                    (of_system && (status.number() == EMFILE || status.number() == ENFILE));
  if (!lack || !failed().ok()) return false;
  uint32_t flags = 0;
  return env_->get_flags(env_, &flags) == 0 && (flags & DB_PANIC_ENVIRONMENT) == 0;
}

Status BdbEnvironment::checkpoint_error() const {
  const MutexLock lock(failed_mutex_);
  return checkpoint_error_;
}

void BdbEnvironment::DeferCheckpoint(Status status) {
  const MutexLock lock(failed_mutex_);
  checkpoint_error_ = status;
}

void BdbEnvironment::NoteCommit() {
  if (checkpointer_.started()) {
    {
      const MutexLock lock(checkpoint_mutex_);
      if (commits_since_checkpoint_) return;
      commits_since_checkpoint_ = true;
    }
    checkpoint_wanted_.notify_one();
    return;
  }
  // The next caller gets the failure.
  static_cast<void>(Checkpoint(static_cast<uint32_t>(options_.checkpoint_log_bytes >> 10)));
}

void BdbEnvironment::RunCheckpointer() {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kLook(250);
  constexpr std::chrono::seconds kRetry(1);
  const auto interval = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(options_.checkpoint_seconds));
  auto last = Clock::now();
  MutexLock lock(checkpoint_mutex_);
  while (!stop_checkpointer_) {
    if (commits_since_checkpoint_) {
      checkpoint_wanted_.wait_for(lock, kLook);
    } else {
      checkpoint_wanted_.wait(lock);
    }
    if (stop_checkpointer_ || !commits_since_checkpoint_) continue;
    const bool due = Clock::now() - last >= interval;
    if (due) commits_since_checkpoint_ = false;
    lock.unlock();
    if (!failed().ok()) return;
    const auto log_kilobytes = static_cast<uint32_t>(options_.checkpoint_log_bytes >> 10);
    const Status made = Checkpoint(due ? 0 : log_kilobytes);
    if (!failed().ok()) return;
    // After a power failure the mark says how far recovery must come, but for the last seconds.
    if (due) mark_->Sync();
    if (due) last = Clock::now();
    lock.lock();
    if (made.ok()) continue;
    commits_since_checkpoint_ = true;
    checkpoint_wanted_.wait_for(
        lock, kRetry, [&]() TN_REQUIRES(checkpoint_mutex_) { return stop_checkpointer_; });
  }
}

void BdbEnvironment::StopCheckpointer() {
  if (!checkpointer_.started()) return;
  {
    const MutexLock lock(checkpoint_mutex_);
    stop_checkpointer_ = true;
  }
  checkpoint_wanted_.notify_one();
  checkpointer_.Join();
}

Status BdbEnvironment::Fail(Status status) {
  const MutexLock lock(failed_mutex_);
  if (!failed_.ok()) return status;
  failed_ = status;
  if (tell_failure_) tell_failure_();
  return status;
}

void BdbEnvironment::OnFailure(std::function<void()> tell) {
  const MutexLock lock(failed_mutex_);
  if (!failed_.ok()) return tell();
  tell_failure_ = std::move(tell);
}

Status BdbEnvironment::failed() const {
  const MutexLock lock(failed_mutex_);
  return failed_;
}

Status BdbEnvironment::Translate(int code, const std::string& what, int64_t number) {
  TN_CHECK(code != 0);
  // The page's damage says more than Berkeley DB's message about the page's checksum.
  std::string message = PageTrouble();
  const bool has_page_trouble = !message.empty();
  if (!has_page_trouble) message = KeptMessage();
  ForgetMessage();
  ClearPageTrouble();
  if (has_page_trouble || SpeaksOfDamage(code, message.c_str())) {
    const Status status =
        Failure(StatusCode::kCorrupt,
                what + ": the file is damaged (" +
                    (message.empty() ? std::string(db_strerror(code)) : message) + ")",
                number);
    return code == DB_RUNRECOVERY ? Fail(status) : status;
  }
  if (code == DB_RUNRECOVERY) {
    // Berkeley DB has given up. If another thread met the cause, that is the better answer.
    if (!failed().ok()) return failed();
    const int error = LastIoError();
    return Fail(
        error != 0
            ? SystemFailure(error, what)
            : Failure(StatusCode::kIo,
                      what + ": " + (message.empty() ? std::string("failed earlier") : message)));
  }
  if (code > 0) {
    // Berkeley DB returns EIO if it can write no page of its cache.
    const int cause = code == EIO && IsLackOfSpace(LastIoError()) ? LastIoError() : code;
    const Status status = SystemFailure(cause, what);
    if (message.empty()) return status;
    return Failure(status.code(), std::string(status.text()) + " (" + message + ")",
                   status.number());
  }
  return Failure(StatusCode::kIo,
                 what + ": " + db_strerror(code) + (message.empty() ? "" : " (" + message + ")"),
                 code);
}

namespace {

// 0, or Berkeley DB's code.
int GetLogStatistics(DB_ENV* env, DB_LOG_STAT* statistics) {
  DB_LOG_STAT* made = nullptr;
  const int code = env->log_stat(env, &made, 0);
  if (code != 0) return code;
  *statistics = *made;
  free(made);
  return 0;
}

uint64_t LogStatistic(DB_ENV* env, uint32_t DB_LOG_STAT::* megabytes,
                      uint32_t DB_LOG_STAT::* bytes) {
  DB_LOG_STAT statistics;
  if (env == nullptr || GetLogStatistics(env, &statistics) != 0) return 0;
  return (static_cast<uint64_t>(statistics.*megabytes) << 20) + statistics.*bytes;
}

// Blocks for the records that follow, where there is space.
constexpr uint64_t kLogStep = 1 << 20;

}  // namespace

Status BdbEnvironment::ReserveLog(uint64_t bytes) {
  DB_LOG_STAT log;
  if (const int code = GetLogStatistics(env_, &log); code != 0) {
    return Translate(code, "cannot look at the log of " + directory_.path());
  }
  const uint64_t end = log.st_cur_offset + bytes;
  uint64_t end_here = std::min<uint64_t>(end, kLogFileBytes);
  if (reserved_file_ != log.st_cur_file || reserved_end_ < end_here) {
    // What is not on the disk yet lies in memory.
    const uint64_t begin = log.st_disk_file == log.st_cur_file ? log.st_disk_offset : 0;
    const auto reserve = [&](uint64_t to) {
      reserved_end_ = std::min<uint64_t>(to, kLogFileBytes);
      return ReserveLogBlocks(directory_.path(), log.st_cur_file, begin, reserved_end_);
    };
    reserved_file_ = 0;
    Result<bool> reserved = reserve(end + kLogStep);
    if (!reserved.ok()) reserved = reserve(end);
    if (!reserved.ok()) return reserved.status();
    if (*reserved) {
      reserved_file_ = log.st_cur_file;
    } else {
      end_here = log.st_cur_offset;
    }
  }
  if (end == end_here) return Status::Ok();
  return ReserveNextLog(log.st_cur_file, end - end_here);
}

Status BdbEnvironment::ReserveNextLog(uint32_t current, uint64_t bytes) {
  // Berkeley DB puts a record that does not fit in the present file as a whole into the next one.
  constexpr uint64_t kLongestRecord = 128 << 10;
  const uint64_t needed = std::min<uint64_t>(bytes + kLongestRecord, kLogFileBytes);
  uint64_t rest = bytes > kLogFileBytes ? bytes - kLogFileBytes : 0;
  if (spare_file_ != current + 1 || spare_end_ < needed) {
    const auto reserve = [&](uint64_t to) {
      spare_end_ = std::min<uint64_t>(to, kLogFileBytes);
      return ReserveSpareLog(directory_.path(), spare_end_);
    };
    spare_file_ = 0;
    Result<bool> reserved = reserve(needed + kLogStep);
    if (!reserved.ok()) reserved = reserve(needed);
    if (!reserved.ok()) return reserved.status();
    if (*reserved) {
      spare_file_ = current + 1;
    } else {
      rest = bytes;
    }
  }
  if (rest == 0) return Status::Ok();
  TN_ASSIGN_OR_RETURN(const uint64_t free_bytes, directory_.FreeBytes());
  if (free_bytes >= rest) return Status::Ok();
  return SystemFailure(ENOSPC, "cannot extend the log of " + directory_.path());
}

uint64_t BdbEnvironment::LogBytes() const {
  return LogStatistic(env_, &DB_LOG_STAT::st_w_mbytes, &DB_LOG_STAT::st_w_bytes);
}

uint64_t BdbEnvironment::LogBytesSinceCheckpoint() const {
  return LogStatistic(env_, &DB_LOG_STAT::st_wc_mbytes, &DB_LOG_STAT::st_wc_bytes);
}

}  // namespace tenure::store
