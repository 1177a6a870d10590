#include "dbtool/passed_output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "base/mutex.h"

namespace tenure::dbtool {

namespace {

constexpr uint64_t kMostInMemory = uint64_t{4} << 20;
// A reader that is slower than the command must not fill the disk, or the memory where the
// directory for temporary files is there.
constexpr uint64_t kMostInFile = uint64_t{256} << 20;
constexpr size_t kMostInPart = size_t{64} << 10;

// Whether a reader may take the output, now or later: a regular file has none.
bool HasReader(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode);
}

// Negative: there is none.
int NamelessFile() {
  const char* const set = secure_getenv("TMPDIR");
  const std::string directory = set != nullptr && *set != '\0' ? set : "/tmp";
  const int file = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = directory + "/tenure-output.XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

// 0, or the error.
int WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

// A reader that has gone away ends the command, unless it was started with SIGPIPE ignored.
void TakeBrokenPipes() {
  sigset_t broken;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_UNBLOCK, &broken, nullptr);
}

}  // namespace

std::unique_ptr<PassedOutput> PassedOutput::Start() {
  if (!HasReader(STDOUT_FILENO)) return nullptr;
  std::unique_ptr<PassedOutput> passed(new PassedOutput);
  PassedOutput* const owner = passed.get();
  if (!owner->thread_.Start([owner] { owner->PassOn(); })) return nullptr;
  // Lines appear on a terminal as they come.
  const int buffering = isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF;
  owner->Open(&owner->output_, STDOUT_FILENO, buffering, &stdout);
  owner->Open(&owner->error_, STDERR_FILENO, _IONBF, &stderr);
  return passed;
}

PassedOutput::~PassedOutput() {
  End();
  if (file_ >= 0) close(file_);
}

void PassedOutput::Open(Stream* stream, int descriptor, int buffering, FILE** standard) {
  stream->owner = this;
  stream->descriptor = descriptor;
  fflush(*standard);
  stream->stream = fopencookie(stream, "w", {nullptr, Take, nullptr, nullptr});
  if (stream->stream == nullptr) return;
  setvbuf(stream->stream, nullptr, buffering, buffering == _IONBF ? 0 : kMostInPart);
  stream->before = std::exchange(*standard, stream->stream);
}

bool PassedOutput::End() {
  if (!thread_.started()) return output_.error == 0;
  bool is_good = true;
  if (output_.stream != nullptr) {
    is_good = fflush(output_.stream) == 0 && ferror(output_.stream) == 0;
  }
  {
    const MutexLock guard(mutex_);
    is_ending_ = true;
  }
  added_.notify_one();
  thread_.Join();
  for (const auto& [stream, standard] :
       {std::pair(&output_, &stdout), std::pair(&error_, &stderr)}) {
    if (stream->stream == nullptr) continue;
    fclose(stream->stream);
    *standard = stream->before;
  }
  return is_good && output_.error == 0;
}

ssize_t PassedOutput::Take(void* stream, const char* bytes, size_t count) {
  auto* const to = static_cast<Stream*>(stream);
  PassedOutput& self = *to->owner;
  MutexLock lock(self.mutex_);
  std::string_view left(bytes, count);
  while (!left.empty() && to->error == 0) {
    const std::string_view part = left.substr(0, kMostInPart);
    if (self.in_memory_ + part.size() <= kMostInMemory) {
      self.Add(to, part);
    } else if (!self.AddToFile(to, part)) {
      // Without room for more, whoever prints waits for the reader after all.
      self.written_.wait(lock);
      continue;
    }
    left.remove_prefix(part.size());
  }
  if (to->error == 0) return static_cast<ssize_t>(count);
  errno = to->error;
  return 0;
}

void PassedOutput::Add(Stream* stream, std::string_view bytes) {
  Part* const last = parts_.empty() ? nullptr : &parts_.back();
  if (last != nullptr && last->stream == stream && last->length == 0 &&
      last->bytes.size() + bytes.size() <= kMostInPart) {
    last->bytes += bytes;
  } else {
    parts_.push_back({stream, std::string(bytes)});
  }
  in_memory_ += bytes.size();
  added_.notify_one();
}

bool PassedOutput::AddToFile(Stream* stream, std::string_view bytes) {
  if (in_file_ + bytes.size() > kMostInFile) return false;
  if (file_ < 0) file_ = NamelessFile();
  if (file_ < 0) return false;
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = pwrite(file_, bytes.data() + done, bytes.size() - done,
                                 static_cast<off_t>(file_end_ + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  Part* const last = parts_.empty() ? nullptr : &parts_.back();
  if (last != nullptr && last->stream == stream && last->length != 0 &&
      last->length + bytes.size() <= kMostInPart) {
    last->length += bytes.size();
  } else {
    parts_.push_back({stream, {}, file_end_, bytes.size()});
  }
  file_end_ += bytes.size();
  in_file_ += bytes.size();
  added_.notify_one();
  return true;
}

void PassedOutput::PassOn() {
  TakeBrokenPipes();
  MutexLock lock(mutex_);
  while (true) {
    added_.wait(lock, [&]() TN_REQUIRES(mutex_) { return !parts_.empty() || is_ending_; });
    if (parts_.empty()) return;
    Part part = std::move(parts_.front());
    parts_.pop_front();
    const uint64_t from_memory = part.bytes.size(), from_file = part.length;
    int error = part.stream->error;
    lock.unlock();
    if (error == 0) error = Write(part);
    lock.lock();
    part.stream->error = error;
    in_memory_ -= from_memory;
    in_file_ -= from_file;
    written_.notify_all();
  }
}

int PassedOutput::Write(Part& part) const {
  if (part.length != 0) {
    part.bytes.resize(part.length);
    const auto at = static_cast<off_t>(part.at);
    const ssize_t count = pread(file_, part.bytes.data(), part.length, at);
    if (count != static_cast<ssize_t>(part.length)) return count < 0 ? errno : EIO;
    // Frees the blocks that have been read, if the file system can.
    (void)fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, at,
                    static_cast<off_t>(part.length));
  }
  return WriteAll(part.stream->descriptor, part.bytes);
}

}  // namespace tenure::dbtool
