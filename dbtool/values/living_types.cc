#include "dbtool/values/living_types.h"

#include <algorithm>
#include <utility>

#include "dbtool/values/walk.h"

namespace tenure::dbtool {

bool LivingTypes::IsEarlierForm(const StoredType& type) {
  if (latest_.empty()) {
    for (const StoredType& stored : source_.types().all()) {
      if (stored.procedure.empty()) latest_[stored.name] = stored.index;
    }
  }
  const auto latest = latest_.find(type.name);
  return latest != latest_.end() && latest->second > type.index;
}

std::vector<const StoredType*> LivingTypes::Of(std::vector<const StoredType*> types) {
  const bool earlier =
      std::ranges::any_of(types, [&](const StoredType* type) { return IsEarlierForm(*type); });
  if (!earlier) return types;
  if (!counted_) {
    counted_ = true;
    const Status walked = WalkObjects(
        source_,
        [&](const StoredType& type) {
          living_.insert(&type);
          return false;
        },
        [](const ObjectPtr&) { return true; }, [&](const Status&) { damaged_ = true; });
    damaged_ = damaged_ || !walked.ok();
  }
  if (damaged_) return types;
  std::erase_if(types, [&](const StoredType* type) {
    return IsEarlierForm(*type) && !living_.contains(type);
  });
  return types;
}

}  // namespace tenure::dbtool
