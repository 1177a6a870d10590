// The types of a served store, read once from its table of types, for the check of requests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/server/described_type.h"
#include "store/server/page_server.h"

namespace tenure::store {

// Any thread.
class KnownTypes {
 public:
  // Types by index, as far as one thread has asked for them.
  using Cache = std::vector<const DescribedType*>;

  explicit KnownTypes(PageServer& store) : store_(store) {}

  // kInvalidArgument unless the text describes a type.
  static Status Check(std::span<const std::byte> description);
  // PageServer::AddType; kInvalidArgument also for a description that contradicts another one of
  // the same type.
  Result<uint32_t> Add(std::span<const std::byte> description);

  // Null: there is none. The entries live as long as this object.
  Result<const DescribedType*> At(uint64_t index);
  // kInvalidArgument, which names the page: there is no such type of objects.
  Result<const DescribedType*> ObjectTypeAt(PageId page, uint64_t index, Cache* types);
  // Whether an object of the type with this index may be where a slot declares one of these.
  Result<bool> MayRefer(const std::vector<TypeName>& declared, uint32_t target);
  // Whether programs take an object of the one type for one of the other: two descriptions of it.
  Result<bool> IsOneType(uint32_t a, uint32_t b);

 private:
  using TypePtr = std::shared_ptr<const DescribedType>;

  TypePtr With(const std::string& fingerprint) TN_REQUIRES(lock_);
  Status Refresh(size_t least) TN_REQUIRES(lock_);

  PageServer& store_;
  Mutex adding_;  // held while a type is added
  Mutex lock_;
  std::vector<TypePtr> types_ TN_GUARDED_BY(lock_);  // by index - 1
  std::unordered_map<uint64_t, size_t> by_fingerprint_
      TN_GUARDED_BY(lock_);  // index - 1 of the first type that has it
  std::map<std::pair<const void*, uint32_t>, bool> may_refer_ TN_GUARDED_BY(lock_);
  std::map<std::pair<uint32_t, uint32_t>, bool> one_type_ TN_GUARDED_BY(lock_);
};

}  // namespace tenure::store
