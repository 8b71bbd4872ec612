# Compiles sources of a module together, as one source that includes them: most of the time of a
# source is reading headers. `result` gets the sources to compile instead of those that follow, whose
# paths in #include lines are relative to `includes`. A group has at most ARBITER_GROUP_LINES lines,
# which bounds what a change of one source costs; 0 leaves each source alone.
set(ARBITER_GROUP_LINES 0 CACHE STRING "Lines of sources that are compiled as one, or 0")
if(ARBITER_GROUP_LINES)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()

function(arbiter_grouped result target includes)
    if(NOT ARBITER_GROUP_LINES)
        set(${result} ${ARGN} PARENT_SCOPE)
        return()
    endif()
    list(JOIN ARGN "\n" listed)
    set(list_file ${CMAKE_BINARY_DIR}/generated/groups/${target}.txt)
    file(WRITE ${list_file} "${listed}")
    execute_process(
        COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/source_groups.py
            ${CMAKE_BINARY_DIR}/generated/groups/${target} ${ARBITER_GROUP_LINES} ${includes}
        INPUT_FILE ${list_file} OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" found "${found}")
    # An alias may stand at two depths of namespaces in two sources; alone, they are checked for shadows
    # by the presets without groups.
    set(groups ${found})
    list(FILTER groups INCLUDE REGEX "/generated/groups/")
    set_property(SOURCE ${groups} APPEND PROPERTY COMPILE_OPTIONS -Wno-shadow)
    set(${result} ${found} PARENT_SCOPE)
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/source_groups.py)
