#include "lab/recovery/client.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "lab/support/fail.h"

namespace tenure::lab::recovery {

Client* Client::current = nullptr;

namespace {

constexpr uint64_t kWriteBit = 2;  // of a page fault's error code

}  // namespace

Client::Client(int socket, size_t module_pages, const ClientOptions& options)
    : socket_(socket),
      options_(options),
      by_calls_(options.scheme == Scheme::kSdEsm || options.scheme == Scheme::kSlEsm),
      pages_(module_pages),
      in_slot_(options.pool_pages, 0) {
  if (current != nullptr) Fail("there is a client already");
  current = this;
  const size_t bytes = options.pool_pages * kPageBytes;
  pool_ = memfd_create("pool", MFD_CLOEXEC);
  if (pool_ < 0 || ftruncate(pool_, static_cast<off_t>(bytes)) != 0) Fail("no memory for a pool");
  void* const slots = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, pool_, 0);
  void* const module = mmap(reinterpret_cast<void*>(kModuleBase), module_pages * kPageBytes,
                            PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (slots == MAP_FAILED || module != reinterpret_cast<void*>(kModuleBase)) {
    Fail("no memory for a module");
  }
  slots_ = static_cast<std::byte*>(slots);
  for (size_t slot = options.pool_pages; slot-- > 0;) free_.push_back(static_cast<uint32_t>(slot));
  struct sigaction action = {};
  action.sa_sigaction = [](int signal, siginfo_t* info, void* context) {
    OnFault(signal, info, context);
  };
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
}

Client::~Client() {
  munmap(slots_, options_.pool_pages * kPageBytes);
  munmap(reinterpret_cast<void*>(kModuleBase), pages_.size() * kPageBytes);
  close(pool_);
  current = nullptr;
  std::signal(SIGSEGV, SIG_DFL);
}

char* Client::FrameOf(size_t page) const {
  return reinterpret_cast<char*>(kModuleBase) + page * kPageBytes;
}

void Client::Protect(size_t page, int protection) {
  if (mprotect(FrameOf(page), kPageBytes, protection) != 0) Fail("cannot protect a page");
  pages_[page].accessible = protection != PROT_NONE;
  pages_[page].writable = (protection & PROT_WRITE) != 0;
}

// --- Faults

void Client::OnFault(int, void* info, void* context) {
  const auto address = reinterpret_cast<uintptr_t>(static_cast<siginfo_t*>(info)->si_addr);
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const bool is_write = (static_cast<uint64_t>(registers[REG_ERR]) & kWriteBit) != 0;
  if (!current->Fault(address, is_write)) Fail("a client's program faults");
}

bool Client::Fault(uintptr_t address, bool is_write) {
  if (address < kModuleBase || address >= kModuleBase + pages_.size() * kPageBytes) return false;
  const size_t page = (address - kModuleBase) / kPageBytes;
  PageState& state = pages_[page];
  if (state.slot == kNoSlot) {
    Fetch(page);
  } else if (!state.accessible) {
    // The clock has passed it.
    const bool enabled =
        state.dirty && (by_calls_ || state.copy != nullptr || options_.scheme == Scheme::kWpl);
    Protect(page, enabled ? PROT_READ | PROT_WRITE : PROT_READ);
  }
  if (!is_write || state.writable) return true;
  // With SD and SL a store follows the update function, which opens the page.
  if (by_calls_) return false;
  ++counters_.write_faults;
  EnableRecovery(page);
  return true;
}

void Client::Send(MessageKind kind, uint64_t page, const void* bytes, size_t count) {
  const MessageHead head{kind, static_cast<uint32_t>(count), page};
  ++counters_.messages;
  SendAll(socket_, &head, sizeof head);
  SendAll(socket_, bytes, count);
}

void Client::Fetch(size_t page) {
  ++counters_.read_faults;
  const uint32_t slot = TakeSlot();
  Send(MessageKind::kRead, page, nullptr, 0);
  if (!ReceiveAll(socket_, slots_ + slot * kPageBytes, kPageBytes)) _exit(3);
  PageState& state = pages_[page];
  state.slot = slot;
  in_slot_[slot] = static_cast<uint32_t>(page);
  void* const frame = mmap(FrameOf(page), kPageBytes, PROT_READ, MAP_SHARED | MAP_FIXED, pool_,
                           static_cast<off_t>(slot * kPageBytes));
  if (frame != FrameOf(page)) Fail("cannot map a page");
  state.accessible = true;
  state.writable = false;
}

// QuickStore's clock: a page that is not accessible has not been touched since the last round; if
// all are accessible, one call protects all.
uint32_t Client::TakeSlot() {
  if (!free_.empty()) {
    const uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < options_.pool_pages; ++i) {
      const size_t slot = hand_;
      hand_ = (hand_ + 1) % options_.pool_pages;
      const size_t page = in_slot_[slot];
      if (pages_[page].accessible) continue;
      Replace(page);
      return static_cast<uint32_t>(slot);
    }
    if (mprotect(FrameOf(0), pages_.size() * kPageBytes, PROT_NONE) != 0) Fail("cannot protect");
    for (PageState& state : pages_) state.accessible = state.writable = false;
  }
  Fail("no page can be replaced");
}

void Client::Replace(size_t page) {
  ++counters_.replaced;
  PageState& state = pages_[page];
  if (state.dirty) {
    if (state.copy != nullptr || state.copied_blocks != 0) {
      std::erase(copied_, page);
      LogChanges(page);
    }
    if (options_.scheme != Scheme::kPdRedo) {
      ShipPage(page);
      state.dirty = false;
      std::erase(dirty_, page);
    } else {
      // The server must have the changes before it answers a read of the page.
      ShipLog();
      state.dirty = false;
      std::erase(dirty_, page);
    }
  }
  void* const frame =
      mmap(FrameOf(page), kPageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (frame != FrameOf(page)) Fail("cannot unmap a page");
  state.slot = kNoSlot;
  state.accessible = state.writable = false;
}

// --- Changes

void Client::MakeRoomForCopies(size_t bytes) {
  while (copied_bytes_ + bytes > options_.recovery_bytes && !copied_.empty()) {
    const size_t page = copied_.front();
    copied_.pop_front();
    ++counters_.early;
    LogChanges(page);
    // Later stores must be seen again.
    if (!by_calls_ && pages_[page].writable) Protect(page, PROT_READ);
  }
  copied_bytes_ += bytes;
  counters_.most_copied = std::max<uint64_t>(counters_.most_copied, copied_bytes_);
}

void Client::EnableRecovery(size_t page) {
  PageState& state = pages_[page];
  if (!state.dirty) {
    state.dirty = true;
    dirty_.push_back(page);
  }
  if (options_.scheme != Scheme::kWpl && !by_calls_ && state.copy == nullptr) {
    MakeRoomForCopies(kPageBytes);
    ++counters_.pages_copied;
    state.copy = std::make_unique_for_overwrite<std::byte[]>(kPageBytes);
    std::memcpy(state.copy.get(), slots_ + size_t{state.slot} * kPageBytes, kPageBytes);
    copied_.push_back(page);
  }
  Protect(page, PROT_READ | PROT_WRITE);
}

// The update function (3.3.1).
__attribute__((noinline)) void Client::Update(int32_t* field, int32_t value) {
  ++counters_.updates;
  const uintptr_t address = reinterpret_cast<uintptr_t>(field) - kModuleBase;
  const size_t page = address / kPageBytes, block = address % kPageBytes / options_.block_bytes;
  PageState& state = pages_[page];
  if (state.slot == kNoSlot || !state.accessible) (void)Fault(kModuleBase + address, false);
  if (state.blocks.empty()) state.blocks.resize(kPageBytes / options_.block_bytes);
  if (state.blocks[block] == nullptr) {
    MakeRoomForCopies(options_.block_bytes);
    ++counters_.blocks_copied;
    // Room may have been made by logging this page's own blocks.
    if (state.copied_blocks++ == 0) copied_.push_back(page);
    state.blocks[block] = std::make_unique_for_overwrite<std::byte[]>(options_.block_bytes);
    std::memcpy(state.blocks[block].get(),
                slots_ + size_t{state.slot} * kPageBytes + block * options_.block_bytes,
                options_.block_bytes);
  }
  if (!state.writable) EnableRecovery(page);
  *field = value;
}

void Client::LogChanges(size_t page) {
  PageState& state = pages_[page];
  const std::byte* const now = slots_ + size_t{state.slot} * kPageBytes;
  alignas(8) std::byte before[kPageBytes];
  std::bitset<kPageWords> changed;
  const auto compare = [&](size_t begin, size_t end, bool all) {
    for (size_t at = begin; at < end; at += kWordBytes) {
      if (all || std::memcmp(before + at, now + at, kWordBytes) != 0) {
        changed.set(at / kWordBytes);
      }
    }
  };
  if (state.copy != nullptr) {
    std::memcpy(before, state.copy.get(), kPageBytes);
    compare(0, kPageBytes, false);
    copied_bytes_ -= kPageBytes;
    state.copy.reset();
  } else {
    std::memcpy(before, now, kPageBytes);
    for (size_t block = 0; block < state.blocks.size(); ++block) {
      if (state.blocks[block] == nullptr) continue;
      const size_t at = block * options_.block_bytes;
      std::memcpy(before + at, state.blocks[block].get(), options_.block_bytes);
      state.blocks[block].reset();
      compare(at, at + options_.block_bytes, options_.scheme == Scheme::kSlEsm);
    }
    copied_bytes_ -= state.copied_blocks * options_.block_bytes;
    state.copied_blocks = 0;
  }
  ForEachRegion(now, changed,
                [&](size_t begin, size_t end) { PutRecord(page, begin, end, before); });
}

void Client::PutRecord(size_t page, size_t begin, size_t end, const std::byte* before) {
  const std::byte* const now = slots_ + size_t{pages_[page].slot} * kPageBytes;
  const size_t bytes = end - begin;
  const RecordHead head{RecordKind::kUpdate,
                        options_.number,
                        transaction_,
                        static_cast<uint32_t>(page),
                        static_cast<uint16_t>(begin),
                        static_cast<uint32_t>(2 * bytes)};
  if (log_.size() + kRecordHeadBytes + 2 * bytes > kPageBytes) ShipLog();
  PutHead(log_, head);
  log_.append(reinterpret_cast<const char*>(before + begin), bytes);
  log_.append(reinterpret_cast<const char*>(now + begin), bytes);
  ++counters_.regions;
  counters_.log_bytes += kRecordHeadBytes + 2 * bytes;
}

// --- Shipping

void Client::ShipLog() {
  if (log_.empty()) return;
  ++counters_.log_pages;
  Send(options_.scheme == Scheme::kPdRedo ? MessageKind::kRedoLog : MessageKind::kLog, 0,
       log_.data(), log_.size());
  log_.clear();
}

// Its log records have been shipped before it.
void Client::ShipPage(size_t page) {
  ShipLog();
  ++counters_.data_pages;
  Send(options_.scheme == Scheme::kWpl ? MessageKind::kLogPage : MessageKind::kPage, page,
       slots_ + size_t{pages_[page].slot} * kPageBytes, kPageBytes);
}

void Client::Commit() {
  for (const size_t page : copied_) LogChanges(page);
  copied_.clear();
  ShipLog();
  std::sort(dirty_.begin(), dirty_.end());
  for (const size_t page : dirty_) {
    if (options_.scheme != Scheme::kPdRedo) ShipPage(page);
    pages_[page].dirty = false;
    if (pages_[page].writable) Protect(page, PROT_READ);
  }
  dirty_.clear();
  Send(MessageKind::kCommit, 0, nullptr, 0);
  char done;
  if (!ReceiveAll(socket_, &done, sizeof done)) _exit(3);
  ++transaction_;
}

ServerReport Client::AskServer() {
  Send(MessageKind::kReport, 0, nullptr, 0);
  ServerReport report;
  if (!ReceiveAll(socket_, &report, sizeof report)) _exit(3);
  return report;
}

}  // namespace tenure::lab::recovery
