// A walk over all objects of a database, page after page, past damage.
#pragma once

#include <functional>

#include "dbtool/stored/object_source.h"

namespace tenure::dbtool {

// Calls visit(object) for each object whose type is `wanted`, in order of pages, until visit
// returns false. Reads only the first page of an object that is larger than a page. Damaged pages
// are reported to `problem`, and their objects are left out. A failure: the walk could not go on.
Status WalkObjects(ObjectSource& source, const std::function<bool(const StoredType&)>& wanted,
                   const std::function<bool(const ObjectPtr&)>& visit,
                   const std::function<void(const Status&)>& problem);

}  // namespace tenure::dbtool
