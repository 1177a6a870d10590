// Finds the program's references from outside a database to objects in it: the answer to a disk
// collection that goes on while the program works (design.md section 5, "Space").
#include <algorithm>
#include <cstring>

#include "base/mutex.h"
#include "stabilize/frames/placed.h"
#include "stabilize/session/called_back.h"
#include "stabilize/state/page_images.h"

namespace tenure::stabilize {

using abi::kHeaderBytes;
using abi::kPageBytes;

namespace {

// Finds the candidates to which words may refer.
class CandidateFinder {
 public:
  CandidateFinder(const Database& database, std::span<const Candidate> candidates)
      : database_(database), candidates_(candidates), found_(candidates.size()) {}

  // An address of the program: of the object, inside it, or just behind it.
  void Note(const void* address) {
    if (!database_.Contains(address)) return;
    const uint64_t bits = database_.HomeAt(address).bits;
    auto at = Behind(bits + kHeaderBytes);
    for (int i = 0; i < 2 && at != candidates_.begin(); ++i) {
      --at;
      if (bits <= Placed{at->object, at->bytes}.end()) Found(at);
    }
  }
  void NoteHome(PersistentRef home) {
    const auto at = Behind(home.bits);
    if (at != candidates_.begin() && (at - 1)->object == home) Found(at - 1);
  }
  void NotePage(const void* page) {
    for (size_t i = 0; i < kPageBytes; i += sizeof(void*)) {
      void* word;
      std::memcpy(&word, static_cast<const char*>(page) + i, sizeof word);
      Note(word);
    }
  }
  std::vector<bool> Take() { return std::move(found_); }

 private:
  using Place = std::span<const Candidate>::iterator;

  // The first candidate that begins behind.
  Place Behind(uint64_t bits) const {
    return std::upper_bound(
        candidates_.begin(), candidates_.end(), bits,
        [](uint64_t value, const Candidate& candidate) { return value < candidate.object.bits; });
  }
  void Found(Place at) { found_[static_cast<size_t>(at - candidates_.begin())] = true; }

  const Database& database_;
  const std::span<const Candidate> candidates_;
  std::vector<bool> found_;
};

}  // namespace

void SessionCallbacks::WithOthersStopped(const std::function<void()>& ask) {
  // Displaced objects go home, dead ones go.
  session_.heap.CollectMajor();
  session_.heap.StopWorld();
  {
    const LockGuard guard(session_.lock);
    ask();
  }
  session_.heap.ResumeWorld();
}

std::vector<bool> SessionCallbacks::RefersTo(PageServer& server, DatabaseId id,
                                             std::span<const Candidate> candidates) {
  Database* database = nullptr;
  for (auto& open : session_.databases) {
    if (!open->open()) continue;
    // The spill file is not searched: with one, all candidates count as referred to.
    if (!open->spilled().empty()) return std::vector<bool>(candidates.size(), true);
    if (open->id() == id && &open->server() == &server) database = open.get();
  }
  if (database == nullptr) return std::vector<bool>(candidates.size());
  CandidateFinder finder(*database, candidates);
  session_.heap.ForEachHeldWord([&](const void* word) { finder.Note(word); });
  for (const abi::Ref place : session_.displaced.PlacesOf(database)) {
    finder.NoteHome(session_.displaced.Find(place)->home);
  }
  for (const auto& [literal, home] : database->literals()) finder.NoteHome(home);
  for (auto& other : session_.databases) {
    if (!other->open()) continue;
    if (other->pending_root()) finder.Note(*other->pending_root());
    PageFrames& frames = other->frames();
    for (PageId page = frames.NextUsed(PageId{1}); page.number < frames.end();
         page = frames.NextUsed(page + 1)) {
      switch (frames.At(page).state) {
        case FrameState::kAbsent:
        case FrameState::kVacant:
        case FrameState::kStoreOnly:
        case FrameState::kSpilled: break;
        case FrameState::kDirty: finder.NotePage(other->AliasOf(page)); break;
        case FrameState::kClosed:
        case FrameState::kClean:
          // The disk collection has seen the stored references itself.
          ForEachSlotOnPage(*other, page, other->AliasOf(page),
                            [&](abi::Ref* slot, abi::SlotKind kind) {
                              if (kind != abi::SlotKind::kReference) finder.Note(*slot);
                            });
          break;
      }
    }
  }
  // Aborts of children would bring these images back.
  for (const TransactionLevel& level : session_.open.levels()) {
    for (const TransactionLevel::RootBefore& root : level.roots) {
      if (root.pending) finder.Note(*root.pending);
    }
    for (const TransactionLevel::FrameImage& image : level.frames) {
      if (image.image != nullptr) finder.NotePage(image.image.get());
    }
    for (const TransactionLevel::GovernedImage& image : level.governed) {
      if (image.image != nullptr) finder.NotePage(image.image.get());
    }
  }
  return finder.Take();
}

}  // namespace tenure::stabilize
