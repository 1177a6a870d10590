#include "store/server/known_types.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "store/format/type_description.h"
#include "store/server/request_failure.h"

namespace tenure::store {

Status KnownTypes::Check(std::span<const std::byte> description) {
  DescribedType type;
  if (!ParseDescription({reinterpret_cast<const char*>(description.data()), description.size()},
                        &type)) {
    return Status(StatusCode::kInvalidArgument, "a type's description that makes no sense");
  }
  if (!type.names.supertypes_known) {
    return Status(StatusCode::kInvalidArgument,
                  "the description of an object type without its supertypes");
  }
  return Status::Ok();
}

Result<uint32_t> KnownTypes::Add(std::span<const std::byte> description) {
  TN_RETURN_IF_ERROR(Check(description));
  const std::string text(reinterpret_cast<const char*>(description.data()), description.size());
  const MutexLock adding(adding_);
  if (const std::optional<uint64_t> fingerprint = FingerprintIn(text)) {
    const MutexLock guard(lock_);
    TN_RETURN_IF_ERROR(Refresh(SIZE_MAX));
    const auto same = by_fingerprint_.find(*fingerprint);
    if (same != by_fingerprint_.end()) {
      const std::string difference = DescribedDifference(types_[same->second]->text, text);
      if (!difference.empty()) {
        return Nonsense("the description of type " + ValueInDescription(text, "name") +
                        " contradicts the store's description of the same type: " + difference);
      }
    }
  }
  return store_.AddType(description);
}

// Reads the table unless it is known to have so many entries.
Status KnownTypes::Refresh(size_t least) {
  if (least <= types_.size()) return Status::Ok();
  TN_ASSIGN_OR_RETURN(std::vector<TypeEntry> entries, store_.TypeEntries());
  for (size_t i = types_.size(); i < entries.size(); ++i) {
    auto type = std::make_shared<DescribedType>();
    // An entry that an older version accepted and this one cannot read describes no type.
    if (!ParseDescription(entries[i].description, type.get())) type = nullptr;
    if (type != nullptr && !type->procedure) {
      const uint64_t fingerprint = *FingerprintIn(type->text);
      if (fingerprint != 0) by_fingerprint_.try_emplace(fingerprint, i);
    }
    types_.push_back(std::move(type));
  }
  // Whether a name is enough depends on what the store has with that name.
  may_refer_.clear();
  return Status::Ok();
}

Result<const DescribedType*> KnownTypes::At(uint64_t index) {
  const MutexLock guard(lock_);
  if (index == 0 || index > UINT32_MAX) return static_cast<const DescribedType*>(nullptr);
  TN_RETURN_IF_ERROR(Refresh(index));
  return index > types_.size() ? nullptr : types_[index - 1].get();
}

Result<const DescribedType*> KnownTypes::ObjectTypeAt(PageId page, uint64_t index, Cache* types) {
  if (index < types->size() && (*types)[index] != nullptr) return (*types)[index];
  TN_ASSIGN_OR_RETURN(const DescribedType* const type, At(index));
  if (type == nullptr || type->procedure) return WrongPage(page, "an object of no known type");
  if (index >= types->size()) types->resize(index + 1);
  (*types)[index] = type;
  return type;
}

KnownTypes::TypePtr KnownTypes::With(const std::string& fingerprint) {
  const std::optional<uint64_t> number = FingerprintIn("fingerprint " + fingerprint + "\n");
  const auto found = number ? by_fingerprint_.find(*number) : by_fingerprint_.end();
  return found == by_fingerprint_.end() ? nullptr : types_[found->second];
}

Result<bool> KnownTypes::MayRefer(const std::vector<TypeName>& declared, uint32_t target) {
  const MutexLock guard(lock_);
  TN_RETURN_IF_ERROR(Refresh(target));
  const auto [known, fresh] = may_refer_.try_emplace({&declared, target}, false);
  if (fresh) {
    known->second =
        target <= types_.size() && types_[target - 1] != nullptr &&
        MayBe(declared, *types_[target - 1],
              [&](const std::string& fingerprint) TN_REQUIRES(lock_) { return With(fingerprint); });
  }
  return known->second;
}

Result<bool> KnownTypes::IsOneType(uint32_t a, uint32_t b) {
  const MutexLock guard(lock_);
  TN_RETURN_IF_ERROR(Refresh(std::max(a, b)));
  if (std::max(a, b) > types_.size() || types_[a - 1] == nullptr || types_[b - 1] == nullptr) {
    return false;
  }
  const auto [known, fresh] = one_type_.try_emplace({a, b}, false);
  if (fresh) {
    const DescribedType &one = *types_[a - 1], &other = *types_[b - 1];
    known->second = one.names.own.IsSame(other.names.own) && HasLayoutOf(one, other) &&
                    DescribedDifference(one.text, other.text).empty();
  }
  return known->second;
}

}  // namespace tenure::store
