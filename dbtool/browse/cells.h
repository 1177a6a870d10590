// Values and objects as JSON for the page: the text that all commands show, the targets of
// references, and the path to each part.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "dbtool/look/database_view.h"
#include "dbtool/values/json.h"

namespace tenure::dbtool {

// The value as {"text", "path", "declared"}; of a reference "ref" and "type"; of a text "is_text"
// and, where it lies in an object, "ref"; of a record "fields"; of an array "elements", and "more"
// if not all are there. The text has 400 characters of a text at most.
Json CellOf(DatabaseView& view, const Datum& value, const std::string& path, int depth = 0);

// The fields of an object, each as a cell with its "name", "declared" and "size" in bits.
Json FieldCells(DatabaseView& view, const ObjectPtr& object);

// A short text that tells an object from others of its type: its first text, or the number of its
// entries. May be empty.
std::string SummaryOf(DatabaseView& view, const ObjectPtr& object);

// {"ref", "type", "summary"}; of one that cannot be read "problem" instead of the last two.
Json ObjectLine(DatabaseView& view, store::PersistentRef at);

// Whether objects of the type are shown as the texts that they stand for.
bool IsText(DatabaseView& view, const StoredType& type);

// The value at a path. Nothing: the path is wrong, as *problem says.
Result<std::optional<Datum>> ValueAt(DatabaseView& view, const std::string& path,
                                     QueryProblem* problem);

}  // namespace tenure::dbtool
