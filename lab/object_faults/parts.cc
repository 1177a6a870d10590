#include "lab/object_faults/parts.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "lab/support/fail.h"

namespace tenure::lab::object_faults {

using mneme::MnemeFile;
using mneme::Object;
using mneme::ObjectId;

namespace {

struct Named {
  ObjectId id;
  Object* object = nullptr;
};

Named Make(MnemeFile& file, ClassNumber of, uint32_t slots, uint32_t bytes) {
  Named made;
  made.object = file.Create(slots, bytes, static_cast<uint32_t>(of), &made.id);
  return made;
}

// One of the two sizes of 5.1: 24 bytes with header and table entry.
constexpr uint32_t kTextBytes = 16;

ObjectId MakeText(MnemeFile& file, uint32_t number) {
  const Named text = Make(file, ClassNumber::kText, 0, kTextBytes);
  std::memcpy(text.object->bytes(), "type", 4);
  text.object->bytes()[4] = static_cast<uint8_t>('0' + number % 10);
  return text.id;
}

// The part that a connection from part `id` leads to: 90 % to the nearest 1 % of the parts.
uint32_t Target(Random& random, uint32_t parts, uint32_t id) {
  constexpr uint32_t kNearShare = 90;
  const uint32_t near = parts / 100;
  if (random.Draw(100) >= kNearShare || near == 0) return random.Draw(parts);
  const uint32_t half = near / 2;
  const uint32_t first = std::min(id > half ? id - half : 0, parts - near);
  return first + random.Draw(near);
}

}  // namespace

// In the order in which a traversal by breadth meets the objects, as new objects are clustered.
void MakeParts(MnemeFile& file, const PartsConfiguration& configuration) {
  const uint32_t parts = configuration.parts;
  if (parts == 0) Fail("a database of parts needs one");
  Random random(configuration.seed);
  const Named library = Make(file, ClassNumber::kLibrary, LibrarySlots::kCount, 0);
  library.object->slots()[LibrarySlots::kParts] = parts;
  // Levels from the root down; each node is full but for the last.
  std::vector<uint32_t> sizes;
  for (uint32_t n = parts; sizes.empty() || n > 1;) {
    n = (n + IndexSlots::kEntries - 1) / IndexSlots::kEntries;
    sizes.insert(sizes.begin(), n);
  }
  std::vector<std::vector<Named>> levels;
  for (size_t level = 0; level < sizes.size(); ++level) {
    const bool leaves = level + 1 == sizes.size();
    levels.emplace_back();
    for (uint32_t i = 0; i < sizes[level]; ++i) {
      levels.back().push_back(Make(file, leaves ? ClassNumber::kIndexLeaf : ClassNumber::kIndexNode,
                                   IndexSlots::kCount, 0));
    }
  }
  library.object->slots()[LibrarySlots::kIndex] = levels[0][0].id.slot();
  levels.emplace_back();
  for (uint32_t id = 0; id < parts; ++id) {
    const Named part = Make(file, ClassNumber::kPart, PartSlots::kCount, 0);
    mneme::Slot* const slots = part.object->slots();
    slots[PartSlots::kId] = id;
    slots[PartSlots::kX] = random.Draw(100000);
    slots[PartSlots::kY] = random.Draw(100000);
    slots[PartSlots::kBuild] = random.Draw(3650);
    levels.back().push_back(part);
  }
  uint32_t reach = 1;  // parts below an entry
  for (size_t level = sizes.size(); level-- > 0; reach *= IndexSlots::kEntries) {
    for (uint32_t child = 0; child < levels[level + 1].size(); ++child) {
      mneme::Slot* const slots = levels[level][child / IndexSlots::kEntries].object->slots();
      const uint32_t entry = child % IndexSlots::kEntries;
      slots[IndexSlots::kUsed] = entry + 1;
      slots[IndexSlots::kKeys + entry] = child * reach;
      slots[IndexSlots::kChildren + entry] = levels[level + 1][child].id.slot();
    }
  }
  const std::vector<Named>& all = levels.back();
  std::vector<std::vector<uint32_t>> sources(parts);
  for (uint32_t id = 0; id < parts; ++id) {
    mneme::Slot* const slots = all[id].object->slots();
    for (uint32_t i = 0; i < kConnections; ++i) {
      const uint32_t to = Target(random, parts, id);
      slots[PartSlots::kTo + i] = all[to].id.slot();
      slots[PartSlots::kLengths + i] = random.Draw(1000);
      sources[to].push_back(id);
    }
  }
  for (uint32_t id = 0; id < parts; ++id) {
    mneme::Slot* const slots = all[id].object->slots();
    slots[PartSlots::kType] = MakeText(file, random.Draw(10)).slot();
    for (uint32_t i = 0; i < kConnections; ++i) {
      slots[PartSlots::kTypes + i] = MakeText(file, random.Draw(10)).slot();
    }
    const Named from =
        Make(file, ClassNumber::kSources, static_cast<uint32_t>(sources[id].size()), 0);
    for (size_t i = 0; i < sources[id].size(); ++i) {
      from.object->slots()[i] = all[sources[id][i]].id.slot();
    }
    slots[PartSlots::kSources] = from.id.slot();
  }
  file.set_root(library.id);
  file.Save();
}

}  // namespace tenure::lab::object_faults
