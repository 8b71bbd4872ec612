// PreparedOptions: options with the tag table that is made of them. Immutable; readers share it.
#pragma once

#include <utility>

#include "reader/internal/tags.h"
#include "reader/reader.h"

namespace arbiter::reader {

struct PreparedOptions {
    explicit PreparedOptions(Options of) : options(std::move(of)), tags(options) {}
    const Options options;
    const internal::TagTable tags;
};

}  // namespace arbiter::reader
