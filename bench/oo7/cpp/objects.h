// The objects of OO7 in C++, in any heap: those of the laboratory (lab/oo7/objects.h) with
// pointers, the twin of bench/oo7/tenure/OO7.i3, object for object. Keep the two in step.
//
// Include a heap before this file (bench/support/cpp/malloc_heap.h).
#pragma once

#include <cstdint>

#include "bench/support/cpp/heap_memory.h"
#include "bench/support/cpp/random.h"
#include "lab/oo7/objects.h"

namespace oo7 {

using bench::Pointers;

using tenure::lab::oo7::Configuration;
using tenure::lab::oo7::kAssemblyParts;
using tenure::lab::oo7::kConnections;
using tenure::lab::oo7::kDocumentSize;
using tenure::lab::oo7::kSubAssemblies;
using tenure::lab::oo7::ShortText;

using Connection = tenure::lab::oo7::Connection<Pointers>;
using AtomicPart = tenure::lab::oo7::AtomicPart<Pointers>;
using Text = tenure::lab::oo7::Text<Pointers>;
using Document = tenure::lab::oo7::Document<Pointers>;
using Use = tenure::lab::oo7::Use<Pointers>;
using CompositePart = tenure::lab::oo7::CompositePart<Pointers>;
using Assembly = tenure::lab::oo7::Assembly<Pointers>;
using ComplexAssembly = tenure::lab::oo7::ComplexAssembly<Pointers>;
using BaseAssembly = tenure::lab::oo7::BaseAssembly<Pointers>;
using Manual = tenure::lab::oo7::Manual<Pointers>;
using Module = tenure::lab::oo7::Module<Pointers>;
using Library = tenure::lab::oo7::Library<Pointers>;

}  // namespace oo7
