// Keeps the store that this process made last open until the process opens the store: a program
// that makes a database opens it next. The kept store does not hold its directory meanwhile and has
// nothing to write. It is given up if another process opened the store first.

#pragma once

#include <memory>
#include <string>

namespace tenure::store {

class BdbPageServer;

class WarmHandoff {
 public:
  // The kept store if its directory has this path, else null. Nothing is kept afterwards.
  static std::unique_ptr<BdbPageServer> Take(const std::string& path);
  // Keeps `server`, in the place of one that is kept.
  static void Keep(std::unique_ptr<BdbPageServer> server);
};

}  // namespace tenure::store
