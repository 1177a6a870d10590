// The store that this process has made last, kept open until the process opens the store: a program
// that makes a database opens it next. The kept store does not hold its directory meanwhile, has
// nothing to write, and is given up if another process was faster.

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
