// Faults that a test asks for, as programs that open stores see them. The faults themselves are in
// store/faults/, which only tests and programs for tests are linked with.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/server/page_server.h"

namespace tenure::store {

class StoreFaults {
 public:
  virtual ~StoreFaults() = default;

  // If the fault concerns files: plans it for the Nth operation from now, of any store, and returns
  // true. Else returns false.
  virtual bool PlanFileFault() const = 0;

  // A page server that behaves as `server` but for the fault.
  virtual std::unique_ptr<PageServer> InFrontOf(std::unique_ptr<PageServer> server) const = 0;
};

// How a flag names a fault: POINT:N.
struct FaultOption {
  // kInvalidArgument, with the points that there are, for anything but POINT:N.
  Result<std::shared_ptr<const StoreFaults>> (*parse)(std::string_view text);
  // For the help text: a line for each point, with its name and its effect.
  std::string (*help)();
};

// Null in a program that is not linked with store/faults: no product is.
const FaultOption* LinkedFaultOption();
void LinkFaultOption(const FaultOption* option);

}  // namespace tenure::store
