#include "store/server/store_faults.h"

namespace tenure::store {

namespace {

constinit const FaultOption* linked_option = nullptr;  // set before main begins

}  // namespace

const FaultOption* LinkedFaultOption() { return linked_option; }
void LinkFaultOption(const FaultOption* option) { linked_option = option; }

}  // namespace tenure::store
