#include "lab/recovery/module.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

namespace tenure::lab::recovery {

namespace {

constexpr uint32_t kAtomicParts = 20;
constexpr uint32_t kConnections = 3;
constexpr size_t kManualBytes = 100 * 1000;

struct Configuration {
  uint32_t composite_parts, levels;
};

Configuration Of(Size size) {
  return size == Size::kSmall ? Configuration{500, 7} : Configuration{2000, 8};
}

// Objects side by side on fresh pages.
class Pages {
 public:
  explicit Pages(std::vector<std::byte>& memory) : memory_(memory) {}

  Reference Place(size_t payload, ObjectKind kind = ObjectKind::kOther) {
    const auto bytes = static_cast<uint32_t>((payload + sizeof(ObjectHead) + 7) / 8 * 8);
    if (left_ < bytes) {
      Fill();
      at_ = memory_.size();
      left_ = kPageBytes;
      memory_.resize(memory_.size() + kPageBytes);
    }
    const ObjectHead head{bytes, kind};
    std::memcpy(memory_.data() + at_, &head, sizeof head);
    const auto reference = static_cast<Reference>(at_ + sizeof head);
    at_ += bytes;
    left_ -= bytes;
    return reference;
  }
  void Fill() {
    if (left_ == 0) return;
    const ObjectHead head{static_cast<uint32_t>(left_), ObjectKind::kFiller};
    std::memcpy(memory_.data() + at_, &head, sizeof head);
    left_ = 0;
  }
  size_t left() const { return left_; }

 private:
  std::vector<std::byte>& memory_;
  size_t at_ = 0, left_ = 0;
};

class Maker {
 public:
  Maker(Size size, Placement placement, uint32_t number)
      : configuration_(Of(size)),
        by_reachability_(placement == Placement::kReachability),
        random_(number * 7919 + static_cast<uint32_t>(size)) {}

  std::vector<std::byte> Make() {
    const Reference head = pages_.Place(sizeof(ModuleHead));
    for (size_t at = 0; at < kManualBytes; at += 8000) (void)pages_.Place(8000);
    if (by_reachability_) {
      // First a place for each object, level by level.
      for (uint32_t i = 0; i < configuration_.composite_parts; ++i) {
        composites_.push_back(pages_.Place(sizeof(CompositePart)));
      }
      std::vector<std::vector<Reference>> atoms(configuration_.composite_parts);
      for (auto& of : atoms) of.push_back(PlaceAtom());
      Pages documents(memory_);
      std::vector<Reference> texts;
      for (size_t i = 0; i < atoms.size(); ++i) texts.push_back(documents.Place(sizeof(Document)));
      documents.Fill();
      pages_.Fill();
      for (uint32_t i = 0; i < configuration_.composite_parts; ++i) {
        while (atoms[i].size() < kAtomicParts) atoms[i].push_back(PlaceAtom());
        Compose(i, texts[i], atoms[i], {});
      }
    } else {
      for (uint32_t i = 0; i < configuration_.composite_parts; ++i) {
        composites_.push_back(pages_.Place(sizeof(CompositePart)));
        const Reference text = pages_.Place(sizeof(Document));
        // All atomic parts are on one page; connections take the rest of the page before.
        std::vector<Reference> atoms, connections;
        constexpr size_t kTogether = kAtomicParts * (sizeof(AtomicPart) + sizeof(ObjectHead));
        while (pages_.left() < kTogether && pages_.left() >= sizeof(Connection) + 16) {
          connections.push_back(pages_.Place(sizeof(Connection)));
        }
        while (atoms.size() < kAtomicParts) atoms.push_back(PlaceAtom());
        Compose(i, text, atoms, std::move(connections));
      }
    }
    const Reference root = MakeAssembly(1);
    To<ModuleHead>(head) = {root, static_cast<int32_t>(configuration_.composite_parts)};
    pages_.Fill();
    return std::move(memory_);
  }

 private:
  // Valid until the next object is placed.
  template <class T>
  T& To(Reference reference) {
    return *reinterpret_cast<T*>(memory_.data() + reference);
  }

  Reference PlaceAtom() { return pages_.Place(sizeof(AtomicPart), ObjectKind::kAtomicPart); }

  // `connections`: those that have a place already.
  void Compose(uint32_t number, Reference text, const std::vector<Reference>& atoms,
               std::vector<Reference> connections) {
    while (connections.size() < kAtomicParts * kConnections) {
      connections.push_back(pages_.Place(sizeof(Connection)));
    }
    CompositePart& part = To<CompositePart>(composites_[number]);
    part.id = static_cast<int32_t>(number);
    part.document = text;
    part.root = atoms[0];
    std::copy(atoms.begin(), atoms.end(), part.parts);
    To<Document>(text).id = static_cast<int32_t>(number);
    for (uint32_t i = 0; i < kAtomicParts; ++i) {
      AtomicPart& atom = To<AtomicPart>(atoms[i]);
      atom.id = static_cast<int32_t>(number * kAtomicParts + i);
      atom.x = static_cast<int32_t>(random_() % 1000);
      atom.y = static_cast<int32_t>(random_() % 1000);
      atom.part_of = composites_[number];
      for (uint32_t k = 0; k < kConnections; ++k) {
        // The first one leads to the next part, so that all parts are reached.
        const uint32_t to =
            k == 0 ? (i + 1) % kAtomicParts : static_cast<uint32_t>(random_() % kAtomicParts);
        const Reference connection = connections[i * kConnections + k];
        atom.to[k] = connection;
        Connection& made = To<Connection>(connection);
        made.from = atoms[i];
        made.to = atoms[to];
      }
    }
  }

  Reference MakeAssembly(uint32_t level) {
    const Reference made = pages_.Place(sizeof(Assembly));
    for (int i = 0; i < 3; ++i) {
      if (level < configuration_.levels) {
        const Reference sub = MakeAssembly(level + 1);
        To<Assembly>(made).sub[i] = sub;
      } else {
        To<Assembly>(made).parts[i] = composites_[random_() % composites_.size()];
      }
    }
    return made;
  }

  const Configuration configuration_;
  const bool by_reachability_;
  std::mt19937 random_;
  std::vector<std::byte> memory_;
  Pages pages_{memory_};
  std::vector<Reference> composites_;
};

}  // namespace

std::vector<std::byte> MakeModule(Size size, Placement placement, uint32_t number) {
  return Maker(size, placement, number).Make();
}

Sums SumModule(size_t pages) {
  Sums sums;
  for (size_t page = 0; page < pages; ++page) {
    for (size_t at = page * kPageBytes; at < (page + 1) * kPageBytes;) {
      const auto* const head = At<ObjectHead>(static_cast<Reference>(at));
      if (head->kind == ObjectKind::kAtomicPart) {
        const auto* const atom = At<AtomicPart>(static_cast<Reference>(at + sizeof *head));
        sums.x += static_cast<uint64_t>(atom->x);
        sums.y += static_cast<uint64_t>(atom->y);
      }
      if (head->bytes == 0) break;  // a page behind the module's last
      at += head->bytes;
    }
  }
  return sums;
}

}  // namespace tenure::lab::recovery
