# Precompiled standard headers: one file for each way of compiling, shared by all its targets.
#
# A precompiled header names no file of this folder, so that two clones make the same bytes and
# share what ccache keeps; target_precompile_headers would put the path of the clone into it. Only
# headers outside the project are listed: editing ours never rebuilds everything. A source still
# includes what it uses, which the presets without precompiled headers (gcc, wasm) check.
set(ARBITER_PCH_STANDARD algorithm array bit charconv cmath compare cstddef cstdint cstring expected
    functional initializer_list iterator limits map memory new numeric optional set span string
    string_view tuple unordered_map utility variant vector)
set(ARBITER_PCH_HEADERS_core ${ARBITER_PCH_STANDARD})
set(ARBITER_PCH_HEADERS_shell ${ARBITER_PCH_STANDARD} chrono cstdio cstdlib filesystem mutex
    system_error thread)
set(ARBITER_PCH_HEADERS_test ${ARBITER_PCH_HEADERS_shell} fstream iostream gtest/gtest.h)
# Flags beside those of every target, as the targets of each kind have them.
set(ARBITER_PCH_FLAGS_core ${CMAKE_CXX_COMPILE_OPTIONS_PIC} -fno-exceptions)
set(ARBITER_PCH_FLAGS_shell ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
set(ARBITER_PCH_FLAGS_test ${CMAKE_CXX_COMPILE_OPTIONS_PIE} -DGTEST_HAS_PTHREAD=1)

# The file that is compiled has to lie outside the clone, too; the headers come by -include.
if(ARBITER_PCH)
    find_file(ARBITER_PCH_MAIN features.h REQUIRED)
    mark_as_advanced(ARBITER_PCH_MAIN)
endif()

# Compiles `target` with the precompiled headers of `kind`: core, shell or test.
function(arbiter_precompiled target kind)
    if(NOT ARBITER_PCH)
        return()
    endif()
    set(file ${CMAKE_BINARY_DIR}/pch/${kind}.pch)
    if(NOT TARGET arbiter_pch_${kind})
        string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
        separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
        list(TRANSFORM ARBITER_PCH_HEADERS_${kind} PREPEND -include OUTPUT_VARIABLE includes)
        set(options $<TARGET_PROPERTY:arbiter_flags,INTERFACE_COMPILE_OPTIONS>)
        set(definitions $<TARGET_PROPERTY:arbiter_flags,INTERFACE_COMPILE_DEFINITIONS>)
        file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/pch)
        add_custom_command(OUTPUT ${file}
            COMMAND ${CMAKE_CXX_COMPILER} ${CMAKE_CXX23_STANDARD_COMPILE_OPTION} ${flags}
                "$<FILTER:${options},EXCLUDE,^-ffile-prefix-map>"
                "-D$<JOIN:${definitions},;-D>"
                ${ARBITER_PCH_FLAGS_${kind}} ${includes} -Xclang -fno-pch-timestamp
                -MD -MF ${file}.d -MT ${file} -x c++-header ${ARBITER_PCH_MAIN} -o ${file}
            DEPFILE ${file}.d COMMENT "Precompiling the ${kind} headers"
            COMMAND_EXPAND_LISTS VERBATIM)
        add_custom_target(arbiter_pch_${kind} DEPENDS ${file})
    endif()
    add_dependencies(${target} arbiter_pch_${kind})
    target_compile_options(${target} PRIVATE "SHELL:-include-pch ${file}")
endfunction()
