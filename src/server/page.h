// The page: the files of web/ that are part of the program, and the routes that serve them. They
// are open to all, as they hold nothing of a campaign; what the page asks for then needs its
// rights.
//
// A program that was built without Node has none, and says at / how to build it. Thread-safe.
#pragma once

#include <span>
#include <string_view>

#include "server/routes.h"

namespace arbiter::server {

struct PageFile {
    std::string_view path;  // "/index.html", "/assets/index-D31nByax.js"
    std::string_view type;
    std::string_view hash;
    std::string_view plain;
    std::string_view gzip;
};

// Written by web/embed.mjs, or empty (cmake/page.cmake).
std::span<const PageFile> page_files() noexcept;

std::span<const Route> page_routes();

}  // namespace arbiter::server
