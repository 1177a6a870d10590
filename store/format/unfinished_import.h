// The mark of a database that an import into a served store has not completed: its root is an
// object of this type, which no program has. Others see such a database at once
// (dbtool/move/import.cc).
#pragma once

namespace tenure::store {

inline constexpr char kUnfinishedImportType[] = "Tenure.UnfinishedImport";
inline constexpr char kUnfinishedImportText[] =
    "an import into the database is not finished: wait for it, or, if it has been ended, do it "
    "again";

}  // namespace tenure::store
