// Which of the stored types still have objects: after an upgrade the forms that a type has had stay
// in the type table.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "dbtool/stored/object_source.h"

namespace tenure::dbtool {

class LivingTypes {
 public:
  // The source must outlive it.
  explicit LivingTypes(ObjectSource& source) : source_(source) {}

  // Whether a later type of the table has this one's name.
  bool IsEarlierForm(const StoredType& type);
  // Leaves out earlier forms without objects in the database. Where there are earlier forms, the
  // first call reads all pages; after damage all forms stay.
  std::vector<const StoredType*> Of(std::vector<const StoredType*> types);

 private:
  ObjectSource& source_;
  bool counted_ = false, damaged_ = false;
  std::map<std::string, uint32_t> latest_;  // the last index of each name
  std::set<const StoredType*> living_;
};

}  // namespace tenure::dbtool
