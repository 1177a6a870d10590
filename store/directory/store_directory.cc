#include "store/directory/store_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <deque>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "base/shell_word.h"
#include "store/directory/recovery.h"
#include "store/files/closed_in_child.h"
#include "store/files/descriptor.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_format.h"
#include "store/files/store_io.h"
#include "store/format/status_text.h"
#include "store/log/log_files.h"
#include "store/trees/double_write.h"

namespace tenure::store {

namespace {

std::string ReadAll(int fd) {
  std::string text(4096, '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

// The description of this process in LOCK; by default the name of its executable file.
struct OwnDescription {
  std::string program;
  bool ends_soon = false;
};

OwnDescription& Own() {
  static auto* const own = [] {
    char program[256] = "";
    const ssize_t got = readlink("/proc/self/exe", program, sizeof program - 1);
    std::string name(program, got > 0 ? static_cast<size_t>(got) : 0);
    name = name.substr(name.rfind('/') + 1);
    if (name.empty()) name = program_invocation_short_name;
    return new OwnDescription{name.empty() ? "unknown" : name};
  }();
  return *own;
}

// Where process ids mean something: this boot of this machine, and the process's namespace of ids,
// as in containers. Empty if the system does not tell.
const std::string& OwnIdSpace() {
  static const auto* const space = [] {
    char name[64] = "", boot[64] = "";
    const ssize_t got = readlink("/proc/self/ns/pid", name, sizeof name);
    const Descriptor file(open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
    const ssize_t read_bytes = file.get() < 0 ? -1 : read(file.get(), boot, sizeof boot);
    if (got <= 0 || read_bytes <= 1) return new std::string;
    return new std::string(std::string(name, static_cast<size_t>(got)) + " " +
                           std::string(boot, static_cast<size_t>(read_bytes - 1)));
  }();
  return *space;
}

constexpr std::string_view kIdSpace = "ids of ";

// Marks a holder that will release the store without being asked.
constexpr std::string_view kEndsSoon = "ends by itself\n";

// Lines: "PID PROGRAM" of this process, kIdSpace with its space, and kEndsSoon if it applies.
std::string OwnName() {
  std::string name = std::to_string(getpid()) + " " + Own().program + "\n";
  if (!OwnIdSpace().empty()) name += std::string(kIdSpace) + OwnIdSpace() + "\n";
  return name + std::string(Own().ends_soon ? kEndsSoon : "");
}

Status OnlyReadable(const std::string& store, int error) {
  const Status status = SystemFailure(error, "store " + store + " can only be read");
  return Failure(
      status.code(),
      std::string(status.text()) +
          (error == EROFS ? "; what writes can work on a copy of it"
                          : "; what writes must be run by its owner, or on a copy of it"),
      status.number());
}

// The contents of LOCK when no process holds the store; LOCK is empty at first.
constexpr std::string_view kNobody = "\n";

// The process that has locked LOCK, as LOCK describes it.
struct Holder {
  int64_t process = 0;  // 0: it says nothing
  std::string program;
  std::string id_space;  // empty: not known
  bool makes_store = false;
  bool ends_soon = false;

  // Certainly not in this process's space of ids.
  bool Elsewhere() const {
    return !id_space.empty() && !OwnIdSpace().empty() && id_space != OwnIdSpace();
  }
  // By the id alone.
  bool HasOwnId() const { return process == getpid() && !Elsewhere(); }
  bool IsGone() const {
    return !Elsewhere() && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
  }
  std::string Text() const {
    return "process " + std::to_string(process) + " (" + program + ")" +
           (Elsewhere() ? " of another container or machine" : "");
  }
};

Holder HolderIn(std::string_view text) {
  Holder holder;
  if (text.starts_with(kCreatingMark)) {
    holder.makes_store = true;
    text.remove_prefix(kCreatingMark.size());
  }
  const char* const end = text.data() + text.size();
  const char* const after = std::from_chars(text.data(), end, holder.process).ptr;
  if (holder.process <= 0) return {};
  const char* const line_end = std::find(after, end, '\n');
  holder.program.assign(after, line_end);
  holder.program.erase(0, holder.program.find_first_not_of(' '));
  std::string_view rest(line_end, static_cast<size_t>(end - line_end));
  holder.ends_soon = rest.ends_with(kEndsSoon);
  if (rest.starts_with('\n')) rest.remove_prefix(1);
  if (rest.starts_with(kIdSpace)) {
    rest.remove_prefix(kIdSpace.size());
    holder.id_space = rest.substr(0, rest.find('\n'));
  }
  return holder;
}

// Whether this process has the file open by another descriptor than this one: another opening of
// the store, in this process, has it.
bool IsOpenHere(int fd) {
  struct stat own, other;
  if (StoreInfo(fd, &own) != 0) return false;
  ClosedInChild& locks = DescriptorsClosedInChild();
  const MutexLock guard(locks.mutex);
  return std::any_of(locks.descriptors.begin(), locks.descriptors.end(), [&](int descriptor) {
    return descriptor != fd && fstat(descriptor, &other) == 0 && other.st_dev == own.st_dev &&
           other.st_ino == own.st_ino;
  });
}

// `here`: this process holds the store itself.
Status HeldBy(const std::string& path, const Holder& holder, bool here) {
  if (holder.process <= 0) return Failure(StatusCode::kInUse, "store " + path + " is in use", -1);
  // The lock of a process ends with the process. So the id of this process, in LOCK, is that of a
  // process in another namespace, or is old.
  if (!here && (holder.HasOwnId() || holder.IsGone())) {
    return Failure(StatusCode::kInUse,
                   "store " + path +
                       " is held by a process that is not known here: of another container or "
                       "machine, or one that may not write the store's LOCK, which still names " +
                       holder.Text(),
                   -1);
  }
  if (holder.makes_store && !here) {
    return Failure(
        StatusCode::kInUse,
        "store " + path + " is being made by " + holder.Text() + ": try again when that is done",
        holder.process);
  }
  return Failure(StatusCode::kInUse,
                 "store " + path + " is held by " + holder.Text() + (here ? ", this one" : ""),
                 holder.process);
}

// Decides how long to wait for a lock that another process has.
class LockWait {
 public:
  // True: to be tried again, after a while.
  bool Again(const std::string& path, const Holder& holder, bool here) {
    using std::chrono::milliseconds;
    constexpr milliseconds kToName(200), kToMake(10'000), kSilence(1'500);
    if (here) return false;
    const auto waited = Clock::now() - start_;
    // The holder has just got the lock and will write its name soon; or it has no right to write,
    // or its process id means something only in another namespace, of which it said nothing.
    const bool unnamed = holder.process <= 0 || holder.HasOwnId() || holder.IsGone();
    // A process that is about to release the lock has already written kNobody.
    if (!unnamed) unnamed_since_ = Clock::now();
    const bool named_soon = unnamed && Clock::now() - unnamed_since_ < kToName;
    const bool made_soon = holder.makes_store && waited < kToMake;
    if (!named_soon && !made_soon && !holder.ends_soon) return false;
    if (waited > kSilence && holder.process != told_) {
      told_ = holder.process;
      const std::string who = unnamed ? "a process that is not known here" : holder.Text();
      fprintf(stderr, "%s: waiting for %s, which %s store %s\n", Own().program.c_str(), who.c_str(),
              holder.makes_store ? "makes" : "holds", path.c_str());
    }
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, std::chrono::milliseconds(50));
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point unnamed_since_ = start_;
  std::chrono::milliseconds pause_{1};
  int64_t told_ = 0;
};

// Ok if `mode` may go on with a directory in that state.
Status CheckState(const std::string& path, StoreState state, OpenMode mode) {
  const std::string removal = "rm -r " + QuotedForShell(path);
  switch (state) {
    case StoreState::kComplete:
      if (mode == OpenMode::kCreate) {
        return Failure(StatusCode::kExists, "store " + path + " exists already");
      }
      break;
    case StoreState::kNamedLikeStore:
    case StoreState::kForeign:
      return Failure(
          mode == OpenMode::kOpen ? StatusCode::kNotFound : StatusCode::kInvalidArgument,
          path + " is not a store, and it is not an empty directory" +
              (state == StoreState::kForeign
                   ? std::string()
                   : ": its files are named as those of a store without FORMAT and LOCK. "
                     "If they are left of a store whose creation was interrupted, "
                     "remove them with `" +
                         removal + "`"));
    case StoreState::kAbsent:
    case StoreState::kEmpty:
      if (mode == OpenMode::kOpen) {
        return Failure(StatusCode::kNotFound, "there is no store at " + path);
      }
      break;
    case StoreState::kHalfCreated:
      if (mode == OpenMode::kOpen) {
        return Failure(StatusCode::kNotFound,
                       "there is no store at " + path +
                           ", only the files of one whose creation was interrupted before anything "
                           "was committed: create it again, or remove them with `" +
                           removal + "`");
      }
      break;
    case StoreState::kWithoutFormat:
      return Failure(
          StatusCode::kCorrupt,
          "store " + path +
              " has lost its file FORMAT: put it back, or save what is there into a new "
              "store with `tenure db salvage`; if nothing in it is needed, remove it with "
              "`" +
              removal + "`");
  }
  return Status::Ok();
}

}  // namespace

StoreDirectory::StoreDirectory(StoreDirectory&& other) noexcept
    : path_(std::move(other.path_)),
      held_(std::move(other.held_)),
      lock_path_(std::move(other.lock_path_)),
      lock_key_(std::move(other.lock_key_)),
      lock_fd_(std::exchange(other.lock_fd_, -1)),
      created_(other.created_),
      found_clean_(other.found_clean_),
      read_only_error_(other.read_only_error_),
      uuid_(other.uuid_),
      lineage_(other.lineage_),
      left_(other.left_),
      fingerprint_(std::move(other.fingerprint_)) {}

bool StoreDirectory::IsHeldElsewhere(const std::string& path) {
  const Descriptor lock(StoreOpen((path + "/LOCK").c_str(), O_RDONLY));
  return lock.get() >= 0 && HolderIn(ReadAll(lock.get())).Elsewhere();
}

void StoreDirectory::DescribeHolder(const std::string& program, bool ends_soon) {
  Own() = {program, ends_soon};
}

StoreDirectory::~StoreDirectory() { Unlock(/*clean=*/false); }

void StoreDirectory::Unlock(bool clean) {
  if (lock_fd_ < 0) return;
  ClosedInChild& locks = DescriptorsClosedInChild();
  const MutexLock guard(locks.mutex);
  // Only if the number is in the set: in a forked child the number may name another file by now.
  if (locks.descriptors.erase(lock_fd_) != 0) {
    // The file keeps its block: to give one back takes some systems a millisecond.
    if (clean && !created_ && !left_ && writable() &&
        StorePwrite(lock_fd_, kNobody.data(), kNobody.size(), 0) >= 0) {
      (void)!StoreTruncate(lock_fd_, kNobody.size());
    }
    // Unlocks even if a child that was just forked has not closed its copy of the descriptor yet.
    flock(lock_fd_, LOCK_UN);
    flock(held_.fd(), LOCK_UN);
    close(lock_fd_);
  }
  lock_fd_ = -1;
  held_ = HeldDirectory();
}

Result<StoreDirectory> StoreDirectory::Lock(const std::string& given, OpenMode mode) {
  // Berkeley DB puts the path before names of files in this form, without slashes at its end.
  std::string path = given;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  HeldDirectory::ForgetThoseOfParent();
  TN_ASSIGN_OR_RETURN(const StoreState state, StoreFiles(path).Examine());
  // The store may be one that is being made now: its maker has the lock.
  const bool incomplete = state == StoreState::kHalfCreated || state == StoreState::kWithoutFormat;
  if (!incomplete || !StoreFiles(path).HasLock()) {
    TN_RETURN_IF_ERROR(CheckState(path, state, mode));
  }
  if (state == StoreState::kAbsent && StoreMkdir(path.c_str()) != 0 && errno != EEXIST) {
    return SystemFailure(errno, "cannot create directory " + path);
  }
  StoreDirectory directory(path);
  TN_ASSIGN_OR_RETURN(HeldDirectory held, HeldDirectory::Open(path));
  directory.held_ = std::move(held);
  directory.lock_path_ = directory.held_.AbsolutePath() + "/LOCK";
  TN_RETURN_IF_ERROR(directory.TakeLock(mode));

  // Another process may have completed it between the first look and the lock, or before that.
  TN_ASSIGN_OR_RETURN(const StoreState locked_state, StoreFiles(path).Examine());
  TN_RETURN_IF_ERROR(CheckState(path, locked_state, mode));
  TN_RETURN_IF_ERROR(StoreFiles(path).Check(directory.writable()));
  if (locked_state == StoreState::kComplete) {
    directory.found_clean_ = ReadAll(directory.lock_fd_).starts_with(kNobody);
    if (directory.writable()) TN_RETURN_IF_ERROR(directory.WriteName());
    TN_RETURN_IF_ERROR(directory.ReadFormat());
    if (!directory.writable()) {
      TN_RETURN_IF_ERROR(directory.CheckClosedCleanly());
      return directory;
    }
    if (!directory.found_clean_) TN_RETURN_IF_ERROR(directory.SyncWhatIsThere());
    // Does first what frees space: the rest may need it.
    TN_RETURN_IF_ERROR(StoreFiles(path).RemoveUnusedReplacements());
    TN_RETURN_IF_ERROR(RestoreTornPages(path));
    TN_RETURN_IF_ERROR(StoreFiles(path).FinishReplacing());
    TN_RETURN_IF_ERROR(StoreFiles(path).RemoveTemporaryFiles());
  } else {
    TN_RETURN_IF_ERROR(directory.StartAfresh());
  }
  return directory;
}

int StoreDirectory::OpenLockFile(OpenMode mode) {
  const auto forbids = [](int error) {
    return error == EROFS || error == EACCES || error == EPERM;
  };
  const std::string file = File("LOCK");
  if (mode == OpenMode::kOpen && faccessat(held_.fd(), ".", W_OK, AT_EACCESS) != 0 &&
      forbids(errno)) {
    read_only_error_ = errno;
  } else {
    const int fd = StoreOpen(file.c_str(), O_RDWR | O_CREAT);
    if (fd >= 0 || mode != OpenMode::kOpen || !forbids(errno)) return fd;
    read_only_error_ = errno;
  }
  return StoreOpen(file.c_str(), O_RDONLY);
}

Status StoreDirectory::TakeLock(OpenMode mode) {
  const std::string file = File("LOCK");
  ClosedInChild& locks = DescriptorsClosedInChild();
  {
    const MutexLock guard(locks.mutex);  // no fork between opening and noting it
    lock_fd_ = OpenLockFile(mode);
    if (lock_fd_ < 0) {
      const int error = errno;
      struct stat info;
      if (StoreStat(file.c_str(), &info) == 0) {
        TN_RETURN_IF_ERROR(CheckIsFile(info, file, writable()));
      }
      // A process that may only read the store opens it for reading, unless the caller insists on
      // writing.
      if (error == EROFS || error == EACCES || error == EPERM) return OnlyReadable(path_, error);
      return SystemFailure(error, "cannot open " + file);
    }
    locks.descriptors.insert(lock_fd_);
  }
  struct stat info;
  if (StoreInfo(lock_fd_, &info) != 0) return SystemFailure(errno, "cannot examine " + file);
  lock_key_ = {info.st_dev, info.st_ino};
  LockWait wait;
  while (!TakeLocks()) {
    if (errno != EWOULDBLOCK) return SystemFailure(errno, "cannot lock " + file);
    Holder holder = HolderIn(ReadAll(lock_fd_));
    // The notes of a process that has ended say nothing about the one that has the lock.
    if (!holder.id_space.empty() && holder.IsGone()) holder.makes_store = holder.ends_soon = false;
    const bool here = holder.HasOwnId() && IsOpenHere(lock_fd_);
    if (!wait.Again(path_, holder, here)) return HeldBy(path_, holder, here);
  }
  return Status::Ok();
}

bool StoreDirectory::TakeLocks() {
  const auto take = [&](int fd) {
    int result;
    do {
      result = flock(fd, (writable() ? LOCK_EX : LOCK_SH) | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    return result == 0;
  };
  // The directory first, which is there as long as we have it: LOCK could be removed, and another
  // one be made and locked. Not all file systems lock directories.
  if (!take(held_.fd()) && errno == EWOULDBLOCK) return false;
  if (take(lock_fd_)) return true;
  const int error = errno;
  flock(held_.fd(), LOCK_UN);
  errno = error;
  return false;
}

Status StoreDirectory::CheckInPlace() const {
  struct stat info;
  if (stat(lock_path_.c_str(), &info) == 0) {
    if (FileKey(info.st_dev, info.st_ino) == lock_key_) return Status::Ok();
  } else if (errno != ENOENT && errno != ENOTDIR) {
    return Status::Ok();  // Unknown: we may have lost the permission to reach the path.
  }
  struct stat ours, there;
  const std::string directory = lock_path_.substr(0, lock_path_.rfind('/'));
  const bool here = fstat(held_.fd(), &ours) == 0 && stat(directory.c_str(), &there) == 0 &&
                    ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
  return Failure(StatusCode::kIo,
                 here ? "the file LOCK of store " + path_ +
                            " was removed or replaced while it was in use: close it and open it "
                            "again"
                      : "the directory of store " + path_ +
                            " was moved, removed or replaced while it was in use; what was "
                            "committed before is in that directory, wherever it is now");
}

Status StoreDirectory::CheckWritable() const {
  if (writable()) return Status::Ok();
  return OnlyReadable(path_, read_only_error_);
}

Status StoreDirectory::CheckClosedCleanly() const {
  if (found_clean_) {
    TN_ASSIGN_OR_RETURN(const bool nothing, NothingToRecover(path_, uuid_));
    if (nothing) return Status::Ok();
  }
  return SystemFailure(read_only_error_,
                       "store " + path_ +
                           " was not closed cleanly and needs recovery, which writes: copy it to a "
                           "place that can be written");
}

Status StoreDirectory::WriteName() {
  const std::string name = (created_ ? std::string(kCreatingMark) : "") + OwnName();
  if (StorePwrite(lock_fd_, name.data(), name.size(), 0) >= 0 &&
      StoreTruncate(lock_fd_, static_cast<off_t>(name.size())) == 0) {
    return Status::Ok();
  }
  // The name is for other processes to read; on a full disk LOCK stays without it, but without the
  // earlier owner's name, too.
  if (errno == ENOSPC && StoreTruncate(lock_fd_, 0) == 0) return Status::Ok();
  return SystemFailure(errno, "cannot write " + File("LOCK"));
}

std::string StoreDirectory::LeftText() const { return std::string(kNobody) + TextOf(uuid_) + "\n"; }

std::string StoreDirectory::Fingerprint() const {
  Result<std::vector<std::string>> names = EntriesOf(path_);
  if (!names.ok()) return "";
  std::sort(names->begin(), names->end());
  std::string text;
  for (const std::string& name : *names) {
    struct stat info;
    if (name == "LOCK" || StoreStat(File(name).c_str(), &info) != 0) continue;
    text += name;
    for (const int64_t number :
         {static_cast<int64_t>(info.st_dev), static_cast<int64_t>(info.st_ino),
          static_cast<int64_t>(info.st_size), static_cast<int64_t>(info.st_mtim.tv_sec),
          static_cast<int64_t>(info.st_mtim.tv_nsec)}) {
      text += " " + std::to_string(number);
    }
    text += "\n";
  }
  return text;
}

void StoreDirectory::ReleaseForHandoff() {
  const std::string text = LeftText();
  // If the write fails, Reacquire finds another text.
  if (StorePwrite(lock_fd_, text.data(), text.size(), 0) >= 0) {
    (void)!StoreTruncate(lock_fd_, static_cast<off_t>(text.size()));
  }
  fingerprint_ = Fingerprint();
  left_ = true;
  flock(lock_fd_, LOCK_UN);
  flock(held_.fd(), LOCK_UN);
}

bool StoreDirectory::Reacquire() {
  {
    ClosedInChild& locks = DescriptorsClosedInChild();
    const MutexLock guard(locks.mutex);
    if (!locks.descriptors.contains(lock_fd_)) return false;  // a forked child
  }
  if (TakeLocks() && CheckInPlace().ok() && ReadAll(lock_fd_) == LeftText() &&
      Fingerprint() == fingerprint_ && WriteName().ok()) {
    left_ = false;
    return true;
  }
  flock(lock_fd_, LOCK_UN);
  flock(held_.fd(), LOCK_UN);
  return false;
}

Status StoreDirectory::StartAfresh() {
  created_ = true;
  TN_RETURN_IF_ERROR(WriteName());
  TN_RETURN_IF_ERROR(StoreFiles(path_).RemoveHalfCreated());
  uuid_ = NewUuid();
  lineage_ = NewTag();
  return Status::Ok();
}

Status StoreDirectory::SyncFiles() const {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path_));
  std::deque<Descriptor> files;
  for (const std::string& name : names) {
    // These files contain nothing of the store yet.
    if (name == "LOCK" || name == kDoubleWriteFile) continue;
    if (!IsStoreFile(name)) continue;
    files.emplace_back(StoreOpen(File(name).c_str(), O_RDONLY));
    if (files.back().get() < 0) return SystemFailure(errno, "cannot open " + File(name));
    // A hint: the disk then gets all files together.
    static_cast<void>(sync_file_range(files.back().get(), 0, 0, SYNC_FILE_RANGE_WRITE));
  }
  for (const Descriptor& file : files) {
    if (StoreSync(file.get()) != 0) return SystemFailure(errno, "cannot write " + path_);
  }
  return Status::Ok();
}

Status StoreDirectory::SyncWhatIsThere() const {
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, EntriesOf(path_));
  for (const std::string& name : names) {
    if (!IsStoreFile(name) || name == "LOCK") continue;
    const Descriptor file(StoreOpen(File(name).c_str(), O_RDONLY));
    if (file.get() < 0) return SystemFailure(errno, "cannot open " + File(name));
    if (StoreSyncAnew(file.get()) != 0) return SystemFailure(errno, "cannot sync " + File(name));
    if (!name.ends_with(".db"))
      static_cast<void>(posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED));
  }
  if (StoreSyncDirectory(path_.c_str()) != 0) return SystemFailure(errno, "cannot sync " + path_);
  return Status::Ok();
}

Status StoreDirectory::Complete() {
  TN_CHECK(created_);
  TN_RETURN_IF_ERROR(SyncFiles());
  StoreFormat format;
  format.uuid = uuid_;
  format.lineage = lineage_;
  TN_RETURN_IF_ERROR(WriteStoreFormat(path_, format));
  created_ = false;
  return WriteName();
}

Status StoreDirectory::ReadFormat() {
  TN_ASSIGN_OR_RETURN(StoreFormat format, ReadStoreFormat(path_));
  uuid_ = format.uuid;
  lineage_ = format.lineage;
  TN_ASSIGN_OR_RETURN(const bool original, IsOriginal(path_, format));
  if (format.version == kStoreFormatVersion && original) return Status::Ok();
  // The directory is a copy, or a store of an older version: a new tag tells it from others with
  // the same uuid.
  if (!original || lineage_ == 0) lineage_ = NewTag();
  if (!writable()) return Status::Ok();
  format.lineage = lineage_;
  const Status written = WriteStoreFormat(path_, format);
  // On a full disk the store is readable without the tag; the next opening tries again.
  return written.code() == StatusCode::kNoSpace ? Status::Ok() : written;
}

Result<uint64_t> StoreDirectory::FreeBytes() const {
  struct statvfs info;
  if (fstatvfs(lock_fd_, &info) != 0) return SystemFailure(errno, "cannot examine " + path_);
  return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
}

uint64_t StoreDirectory::DiskBytes() const {
  struct statvfs info;
  if (fstatvfs(lock_fd_, &info) != 0) return 0;
  return static_cast<uint64_t>(info.f_blocks) * info.f_frsize;
}

}  // namespace tenure::store
