// `tenure db browse`: shows a store as a page in a web browser, until it is interrupted.
#pragma once

#include <cstdint>

#include "dbtool/look/commands.h"

namespace tenure::dbtool {

struct BrowseArguments {
  LookArguments look;  // the store, the database, the views
  uint16_t port = 0;   // 0: any free one
  bool read_write = false;
};

// Answers the command's exit status.
int BrowseCommand(const BrowseArguments& arguments);

}  // namespace tenure::dbtool
