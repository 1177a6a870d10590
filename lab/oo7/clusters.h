// Which objects of OO7 lie together in stores that have files of objects: a composite part with its
// atomic parts and connections (White & DeWitt 1995, 6.2), documents, assemblies.
#pragma once

#include "lab/esm/storage.h"
#include "lab/oo7/objects.h"

namespace tenure::lab::oo7 {

constexpr esm::Cluster ClusterOf(TypeNumber type) {
  switch (type) {
    case TypeNumber::kConnection:
    case TypeNumber::kAtomicPart:
    case TypeNumber::kCompositePart:
    case TypeNumber::kReferences:
    case TypeNumber::kOo1Connection:
    case TypeNumber::kOo1Part:
    case TypeNumber::kOo1WholePart: return esm::Cluster::kParts;
    case TypeNumber::kDocument:
    case TypeNumber::kChars: return esm::Cluster::kDocuments;
    default: return esm::Cluster::kAssemblies;
  }
}

}  // namespace tenure::lab::oo7
