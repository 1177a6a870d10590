// Everything in stabilize/ is built on pages: the names of store/ stand there without a prefix.
#pragma once

namespace tenure::store {}

namespace tenure::stabilize {

using namespace store;

}  // namespace tenure::stabilize
