// The changes that the abort of a child transaction undoes (design.md section 5, "Nested").
//
// Twins are images from before the top-level transaction. A child keeps, for each page that it is
// the first to write among its own writes, the image from before that write; its commit hands them
// to the parent, or drops those of which the parent has an older one; its abort puts them back.
// Names are given by top-level commits only, so displaced objects and homes stay what they are
// while children come and go. What the parents have made since and a commit would name has no page
// that is watched: its image is taken when the child begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "abi/object_header.h"
#include "stabilize/frames/object_images.h"
#include "stabilize/frames/store_names.h"
#include "store/files/page_copy.h"
#include "store/format/persistent_ref.h"

namespace tenure::stabilize {

class Database;

// One open transaction of the process.
struct TransactionLevel {
  struct FrameImage {
    Database* database = nullptr;
    PageId page;
    PageCopy image;             // null: the frame was clean, so the twin is the image
    uint16_t level_before = 0;  // the level that had written it
  };
  struct GovernedImage {
    char* page = nullptr;
    PageCopy image;  // null: it was protected
    uint16_t level_before = 0;
  };
  struct RootBefore {
    Database* database = nullptr;
    std::optional<abi::Ref> pending;  // what a lower level had set
  };

  uint64_t serial = 0;
  // A write to a persistent object is an error. The level of all ReadOnlyTransactions together, or
  // a child in a transaction that writes.
  bool read_only = false;
  // Empty at the top level.
  std::vector<FrameImage> frames;
  std::vector<GovernedImage> governed;
  std::vector<RootBefore> roots;
  // Images of the objects made by this transaction and those above it, taken when its latest child
  // began.
  ObjectImages made;
};

}  // namespace tenure::stabilize
