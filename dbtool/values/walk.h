// All objects of a database, page after page, past what is damaged.
#pragma once

#include <functional>

#include "dbtool/values/object_source.h"

namespace tenure::dbtool {

// Calls visit(object) for each object for whose type `wanted` answers true, in order of pages,
// until it answers false. Of an object larger than a page only the first page is read. `problem` is
// told each page that is damaged, whose objects are left out. A failure: the walk could not go on.
Status WalkObjects(ObjectSource& source, const std::function<bool(const StoredType&)>& wanted,
                   const std::function<bool(const ObjectPtr&)>& visit,
                   const std::function<void(const Status&)>& problem);

}  // namespace tenure::dbtool
