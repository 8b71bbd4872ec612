# The calendars of data/calendars inside the core, which reads no files and no YAML.
#
# Each file is a block mapping whose values are JSON, so that it becomes JSON by quoting the keys at
# the beginnings of its lines and dropping the comments. Sets ARBITER_CALENDARS to the source made.
file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/data/calendars/*.yaml)
set(entries "")
foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    get_filename_component(name ${file} NAME)
    file(READ ${file} text)
    string(PREPEND text "\n")
    string(REGEX REPLACE "\n *#[^\n]*" "" text "${text}")
    string(REGEX REPLACE "\n([a-z_]+):" ",\n\"\\1\":" text "${text}")
    string(STRIP "${text}" text)
    string(SUBSTRING "${text}" 1 -1 text)
    string(APPEND entries "    {\"${name}\", R\"json({${text}})json\"},\n")
endforeach()
set(ARBITER_CALENDARS ${CMAKE_BINARY_DIR}/generated/shipped_calendars.cpp)
file(CONFIGURE OUTPUT ${ARBITER_CALENDARS} @ONLY CONTENT [[
// Made from data/calendars by cmake/calendars.cmake.
#include "calendar/shipped.h"

namespace arbiter::calendar {
namespace {

constexpr ShippedText kTexts[] = {
@entries@};

}  // namespace

std::span<const ShippedText> shipped_calendars() noexcept {
    return kTexts;
}

}  // namespace arbiter::calendar
]])
