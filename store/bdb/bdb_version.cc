#include "store/bdb/bdb_version.h"

#include <db.h>

namespace tenure::store {

std::string BerkeleyDbVersion() {
  int major = 0, minor = 0, patch = 0;
  db_version(&major, &minor, &patch);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace tenure::store
