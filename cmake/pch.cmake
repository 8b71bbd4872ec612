# Precompiled headers: one file for each kind of target, shared by all targets of that kind.
#
# A precompiled header holds paths of the clone, so ccache hashes a checksum of its contents instead
# (pch_sum.cmake): clones share their objects. Headers of the project are listed only where most
# sources of a kind include them anyway, so that an edited header rebuilds little more than it would
# otherwise. A source still includes what it uses: the preset gcc and clang-tidy of
# `./dev check --full` read it without them.
set(ARBITER_PCH_STANDARD algorithm array bit charconv cmath compare cstddef cstdint cstring expected
    functional initializer_list iterator limits map memory new numeric optional set span string
    string_view tuple unordered_map utility variant vector)
set(ARBITER_PCH_HEADERS_core ${ARBITER_PCH_STANDARD})
set(ARBITER_PCH_HEADERS_shell ${ARBITER_PCH_STANDARD} chrono cstdio cstdlib filesystem mutex
    system_error thread)
# Modules whose sources mostly include the same headers of others have these precompiled, too: parsing
# them takes up to a third of the time of such a source.
set(ARBITER_PCH_OWN_document base/messages.h value/array.h value/diff.h value/object.h)
set(ARBITER_PCH_OWN_engine ${ARBITER_PCH_OWN_document} engine/engine.h)
set(ARBITER_PCH_OWN_turn ${ARBITER_PCH_OWN_document} engine/engine.h protocol/library.h table/registries.h)
set(ARBITER_PCH_OWN_ledger ${ARBITER_PCH_OWN_document} turn/turn.h)
set(ARBITER_PCH_OWN_session ${ARBITER_PCH_OWN_document} value/json.h campaign/session.h)
set(ARBITER_PCH_HEADERS_document ${ARBITER_PCH_HEADERS_core})
set(ARBITER_PCH_HEADERS_engine ${ARBITER_PCH_HEADERS_core})
set(ARBITER_PCH_HEADERS_turn ${ARBITER_PCH_HEADERS_core})
set(ARBITER_PCH_HEADERS_ledger ${ARBITER_PCH_HEADERS_shell})
set(ARBITER_PCH_HEADERS_session ${ARBITER_PCH_HEADERS_shell})
set(ARBITER_PCH_HEADERS_test ${ARBITER_PCH_HEADERS_shell} fstream iostream gtest/gtest.h)
# Flags beside those of every target, as the targets of each kind have them.
set(ARBITER_PCH_FLAGS_core ${CMAKE_CXX_COMPILE_OPTIONS_PIC} -fno-exceptions)
set(ARBITER_PCH_FLAGS_shell ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
set(ARBITER_PCH_FLAGS_document ${ARBITER_PCH_FLAGS_core})
set(ARBITER_PCH_FLAGS_engine ${ARBITER_PCH_FLAGS_core})
set(ARBITER_PCH_FLAGS_turn ${ARBITER_PCH_FLAGS_core})
set(ARBITER_PCH_FLAGS_ledger ${ARBITER_PCH_FLAGS_shell})
set(ARBITER_PCH_FLAGS_session ${ARBITER_PCH_FLAGS_shell})
set(ARBITER_PCH_FLAGS_test ${CMAKE_CXX_COMPILE_OPTIONS_PIE} -DGTEST_HAS_PTHREAD=1)

# An empty file would do: the headers come by -include.
if(ARBITER_PCH)
    find_file(ARBITER_PCH_MAIN features.h REQUIRED)
    mark_as_advanced(ARBITER_PCH_MAIN)
endif()

# Compiles `target` with the precompiled headers of `kind`: core, turn, shell, ledger, session or test.
function(arbiter_precompiled target kind)
    if(NOT ARBITER_PCH)
        return()
    endif()
    set(file ${CMAKE_BINARY_DIR}/pch/${kind}.pch)
    if(NOT TARGET arbiter_pch_${kind})
        string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
        separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
        set(headers ${ARBITER_PCH_HEADERS_${kind}} ${ARBITER_PCH_OWN_${kind}})
        list(TRANSFORM headers PREPEND -include OUTPUT_VARIABLE includes)
        set(options $<TARGET_PROPERTY:arbiter_flags,INTERFACE_COMPILE_OPTIONS>)
        set(definitions $<TARGET_PROPERTY:arbiter_flags,INTERFACE_COMPILE_DEFINITIONS>)
        file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/pch)
        add_custom_command(OUTPUT ${file}
            COMMAND ${CMAKE_CXX_COMPILER} ${CMAKE_CXX23_STANDARD_COMPILE_OPTION} ${flags}
                "${options}" -I${CMAKE_SOURCE_DIR}/src -fpch-instantiate-templates
                "-D$<JOIN:${definitions},;-D>"
                ${ARBITER_PCH_FLAGS_${kind}} ${includes} -Xclang -fno-pch-timestamp
                -MD -MF ${file}.d -MT ${file} -x c++-header ${ARBITER_PCH_MAIN} -o ${file}
            COMMAND ${CMAKE_COMMAND} -D DEPFILE=${file}.d -D ROOT=${CMAKE_SOURCE_DIR}/
                -D OUT=${file}.sum -P ${CMAKE_SOURCE_DIR}/cmake/pch_sum.cmake
            DEPENDS ${CMAKE_SOURCE_DIR}/cmake/pch_sum.cmake
            DEPFILE ${file}.d COMMENT "Precompiling the ${kind} headers"
            COMMAND_EXPAND_LISTS VERBATIM)
        add_custom_target(arbiter_pch_${kind} DEPENDS ${file})
    endif()
    add_dependencies(${target} arbiter_pch_${kind})
    target_compile_options(${target} PRIVATE "SHELL:-include-pch ${file}")
endfunction()
