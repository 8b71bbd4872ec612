# Builds one static library for each module of src/modules.txt.
set(ARBITER_CORE_TARGETS "")
set(ARBITER_CORE_LIBRARIES "")
# External packages of a module, as PACKAGE or PACKAGE=TARGET. WebAssembly has none of them.
set(ARBITER_LIBRARIES_value simdjson)
set(ARBITER_LIBRARIES_card ZLIB)
# Sources of a module that are generated while configuring.
include(calendars)
set(ARBITER_GENERATED_calendar ${ARBITER_CALENDARS})
set(ARBITER_LIBRARIES_config yaml-cpp)
set(ARBITER_LIBRARIES_ledger SQLite3=SQLite::SQLite3 OpenSSL=OpenSSL::Crypto zstd=zstd::libzstd_shared
    PostgreSQL=PostgreSQL::PostgreSQL)

# A library of the sources of one module. `suffix` makes a second, specially compiled copy for tests.
function(arbiter_module_library name layer suffix)
    set(target arbiter_${name}${suffix})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
    if(CMAKE_SYSTEM_NAME STREQUAL "WASI")
        # Files named *_native.cpp wrap a library that cannot enter wasm; *_plain.cpp is its twin.
        list(FILTER sources EXCLUDE REGEX "_native\\.cpp$")
    else()
        list(FILTER sources EXCLUDE REGEX "_plain\\.cpp$")
    endif()
    add_library(${target} STATIC ${sources} ${ARBITER_GENERATED_${name}})
    # Our warnings and hardening are for our own build, not for programs that embed the core.
    target_link_libraries(${target} PUBLIC $<BUILD_INTERFACE:arbiter_flags>)
    if(layer STREQUAL "core")
        target_compile_options(${target} PRIVATE -fno-exceptions)
    endif()
    arbiter_precompiled(${target} ${layer})
    arbiter_optimised_library(${target})
    if(NOT CMAKE_SYSTEM_NAME STREQUAL "WASI")
        foreach(entry IN LISTS ARBITER_LIBRARIES_${name})
            string(REGEX MATCH "^([^=]+)=?(.*)$" _ "${entry}")
            set(library ${CMAKE_MATCH_1})
            set(wanted ${CMAKE_MATCH_2})
            find_package(${library} REQUIRED)
            if(wanted)
                target_link_libraries(${target} PRIVATE ${wanted})
            elseif(TARGET ${library}::${library})
                target_link_libraries(${target} PRIVATE ${library}::${library})
            else()
                # Older packages name their target like themselves.
                target_link_libraries(${target} PRIVATE ${library})
            endif()
        endforeach()
    endif()
endfunction()

file(STRINGS ${CMAKE_SOURCE_DIR}/src/modules.txt lines REGEX "^(core|shell) ")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/modules.txt)

# A new folder is a reason to configure again.
file(GLOB folders LIST_DIRECTORIES true CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*)
file(GLOB test_folders LIST_DIRECTORIES true CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/*)
set(ARBITER_MODULES "")

foreach(line IN LISTS lines)
    string(REGEX MATCH "^([a-z]+) +([a-z]+) *: *(.*)$" _ "${line}")
    set(layer ${CMAKE_MATCH_1})
    set(name ${CMAKE_MATCH_2})
    separate_arguments(neighbours UNIX_COMMAND "${CMAKE_MATCH_3}")
    if(NOT IS_DIRECTORY ${CMAKE_SOURCE_DIR}/src/${name})
        message(FATAL_ERROR "src/modules.txt lists ${name}, but there is no folder src/${name}")
    endif()
    # Tests of the core need these: config reads their data, and many are transcripts.
    if(layer STREQUAL "shell" AND NOT ARBITER_SHELL AND
       (NOT name MATCHES "^(config|model|transcript)$" OR CMAKE_SYSTEM_NAME STREQUAL "WASI"))
        continue()
    endif()
    arbiter_module_library(${name} ${layer} "")
    list(APPEND ARBITER_MODULES ${name})
    list(TRANSFORM neighbours PREPEND arbiter_)
    target_link_libraries(arbiter_${name} PUBLIC ${neighbours})
    if(layer STREQUAL "core")
        list(APPEND ARBITER_CORE_TARGETS arbiter_${name})
        list(APPEND ARBITER_CORE_LIBRARIES ${ARBITER_LIBRARIES_${name}})
    endif()
endforeach()
