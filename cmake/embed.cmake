# Puts files of data/ into the binary: a generated .cpp with one row {name, text} for each. A file in
# a folder of the folder is named "inner/file".
function(arbiter_embed target function header folder)
    file(GLOB_RECURSE names CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/${folder}
        ${CMAKE_SOURCE_DIR}/${folder}/*.yaml)
    list(TRANSFORM names REPLACE "\\.yaml$" "")
    list(SORT names)
    set(rows "")
    foreach(name IN LISTS names)
        set(source ${CMAKE_SOURCE_DIR}/${folder}/${name}.yaml)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
        file(READ ${source} text)
        string(APPEND rows "    {\"${name}\", R\"__yaml__(${text})__yaml__\"},\n")
    endforeach()
    set(out ${CMAKE_BINARY_DIR}/generated/${function}.cpp)
    file(WRITE ${out}.new "// Made by cmake/embed.cmake from ${folder}.
#include \"${header}\"

namespace arbiter::config {
namespace {

constexpr EmbeddedFile kRows[] = {
${rows}};

}  // namespace

std::span<const EmbeddedFile> ${function}() noexcept {
    return kRows;
}

}  // namespace arbiter::config
")
    file(COPY_FILE ${out}.new ${out} ONLY_IF_DIFFERENT)
    target_sources(${target} PRIVATE ${out})
endfunction()

if(TARGET arbiter_config)
    arbiter_embed(arbiter_config built_in_profiles "config/embedded.h" data/profiles)
    arbiter_embed(arbiter_config built_in_rulebooks "config/embedded.h" data/rulebooks)
    arbiter_embed(arbiter_config built_in_protocols "config/embedded.h" data/schemas)
    arbiter_embed(arbiter_config built_in_demos "config/embedded.h" data/demo)
endif()
