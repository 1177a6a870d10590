// The database of OO1 as Hosking & Moss lay it out (1993, 5.1): a part holds its three connections
// itself; texts, and the parts that lead to a part, are objects of their own; a B-tree finds parts.
#pragma once

#include <cstdint>

#include "lab/mneme/mneme_file.h"

namespace tenure::lab::object_faults {

// The attributes of an object in the file: its class.
enum class ClassNumber : uint8_t { kLibrary = 1, kIndexNode, kIndexLeaf, kPart, kText, kSources };
inline constexpr uint32_t kClasses = 7;

struct PartsConfiguration {
  uint32_t parts = 20000;
  uint32_t seed = 1;
};

inline constexpr uint32_t kConnections = 3;

// Slots by class.
struct LibrarySlots {
  static constexpr uint32_t kIndex = 0, kParts = 1, kCount = 2;
};
// In an inner node, slot i of the children leads to keys from key i to below key i + 1.
struct IndexSlots {
  static constexpr uint32_t kEntries = 64;
  static constexpr uint32_t kUsed = 0, kKeys = 1, kChildren = kKeys + kEntries,
                            kCount = kChildren + kEntries;
};
struct PartSlots {
  static constexpr uint32_t kId = 0, kX = 1, kY = 2, kBuild = 3, kType = 4, kTo = 5,
                            kTypes = kTo + kConnections, kLengths = kTypes + kConnections,
                            kSources = kLengths + kConnections, kCount = kSources + 1;
};

// Random numbers that are the same on every machine.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  // From 0 to below n.
  uint32_t Draw(uint32_t n) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<uint32_t>((state_ >> 33) % n);
  }

 private:
  uint64_t state_;
};

// Makes the database in a new file and saves it.
void MakeParts(mneme::MnemeFile& file, const PartsConfiguration& configuration);

}  // namespace tenure::lab::object_faults
