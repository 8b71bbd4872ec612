# The package for programs that embed Arbiter: `cmake --install build/release --prefix DIR` puts the
# libraries, public headers, a CMake package and pkg-config files there. docs/embedding.md explains
# its use. The component `config` reads YAML and brings the shipped profiles, rulebooks and
# protocols; the core needs none of that.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Headers that others may include: those outside internal/, and of the rest only what these need
# for their inline functions.
function(arbiter_public_headers result)
    set(found "")
    foreach(target IN LISTS ARGN)
        string(REPLACE arbiter_ "" module ${target})
        file(GLOB headers RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS
            ${CMAKE_SOURCE_DIR}/src/${module}/*.h)
        list(APPEND found ${headers})
    endforeach()
    set(open ${found})
    while(open)
        list(POP_FRONT open header)
        file(STRINGS ${CMAKE_SOURCE_DIR}/src/${header} includes REGEX "^#include \".*/internal/")
        foreach(line IN LISTS includes)
            string(REGEX REPLACE "^#include \"(.*)\".*$" "\\1" needed "${line}")
            if(NOT needed IN_LIST found)
                list(APPEND found ${needed})
                list(APPEND open ${needed})
            endif()
        endforeach()
    endwhile()
    set(${result} ${found} PARENT_SCOPE)
endfunction()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/arbiter)

# Installs targets as one set of the package, with a pkg-config file `name`.pc.
function(arbiter_install_set name description requires)
    install(TARGETS ${ARGN} EXPORT ${name}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT ${name} NAMESPACE arbiter:: FILE ${name}Targets.cmake DESTINATION ${package})
    set(libraries "")
    set(modules "")
    foreach(target IN LISTS ARGN)
        get_target_property(type ${target} TYPE)
        if(type STREQUAL "STATIC_LIBRARY")
            # A linker reads them from left to right: users come before what they use.
            string(PREPEND libraries " -l${target}")
            list(APPEND modules ${target})
        endif()
    endforeach()
    arbiter_public_headers(headers ${modules})
    install(CODE "set(SOURCE \"${CMAKE_SOURCE_DIR}/src\")
        set(HEADERS \"${headers}\")
        set(DESTINATION \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/arbiter\")
        include(\"${CMAKE_SOURCE_DIR}/cmake/install_headers.cmake\")")
    file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /.)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.pc @ONLY CONTENT
"prefix=\${pcfiledir}/@up@
libdir=\${prefix}/@CMAKE_INSTALL_LIBDIR@
includedir=\${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: @name@
Description: @description@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: -I\${includedir}
Libs: -L\${libdir}@libraries@
")
    install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

# arbiter::arbiter is all of the core; arbiter::engine, arbiter::reader and so on are its modules.
add_library(arbiter_all INTERFACE)
target_link_libraries(arbiter_all INTERFACE ${ARBITER_CORE_TARGETS})
set_target_properties(arbiter_all PROPERTIES EXPORT_NAME arbiter)
foreach(target IN LISTS ARBITER_CORE_TARGETS ITEMS arbiter_config)
    if(TARGET ${target})
        string(REPLACE arbiter_ "" module ${target})
        set_target_properties(${target} PROPERTIES EXPORT_NAME ${module})
        target_compile_features(${target} INTERFACE cxx_std_23)
    endif()
endforeach()
string(TOLOWER "${ARBITER_CORE_LIBRARIES}" requires)
string(REPLACE ";" " " requires "${requires}")
arbiter_install_set(arbiter "The authoritative state engine for AI role-play" "${requires}"
    ${ARBITER_CORE_TARGETS} arbiter_all)
if(CMAKE_SYSTEM_NAME STREQUAL "WASI")
    # The toolchain with which a program for WebAssembly is built against the package.
    install(FILES ${CMAKE_SOURCE_DIR}/cmake/wasi.cmake DESTINATION ${package})
    install(FILES ${CMAKE_SOURCE_DIR}/cmake/Platform/WASI.cmake DESTINATION ${package}/Platform)
endif()
if(TARGET arbiter_config)
    arbiter_install_set(arbiter-config "Profiles, rulebooks and protocols of Arbiter from YAML"
        "arbiter yaml-cpp" arbiter_config)
endif()

configure_file(${CMAKE_SOURCE_DIR}/include/arbiter/version.h.in ${CMAKE_BINARY_DIR}/version.h @ONLY)
install(FILES ${CMAKE_SOURCE_DIR}/include/arbiter/arbiter.h ${CMAKE_BINARY_DIR}/version.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arbiter)

configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/arbiterConfig.cmake.in
    ${CMAKE_BINARY_DIR}/arbiterConfig.cmake INSTALL_DESTINATION ${package})
# Until 1.0 a minor version may change what a program sees.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/arbiterConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/arbiterConfig.cmake ${CMAKE_BINARY_DIR}/arbiterConfigVersion.cmake
    DESTINATION ${package})
