#include "runtime/heap/other_collector.h"

// Alone in its object file: linked only when no other collector is there.
extern "C" tenure::runtime::OtherCollector* tn_linked_collector() { return nullptr; }
