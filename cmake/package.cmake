# The core as a package: `cmake --install build/release --prefix DIR` puts its libraries, public
# headers and a CMake package there, for find_package(arbiter). docs/embedding.md tells how to use it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Headers that others may include: those outside internal/, and of the rest only what these need
# for their inline functions.
function(arbiter_public_headers result)
    set(found "")
    foreach(target IN LISTS ARBITER_CORE_TARGETS)
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

# arbiter::arbiter is all of the core; arbiter::engine, arbiter::reader and so on are its modules.
add_library(arbiter_all INTERFACE)
target_link_libraries(arbiter_all INTERFACE ${ARBITER_CORE_TARGETS})
set_target_properties(arbiter_all PROPERTIES EXPORT_NAME arbiter)
foreach(target IN LISTS ARBITER_CORE_TARGETS)
    string(REPLACE arbiter_ "" module ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${module})
    target_compile_features(${target} INTERFACE cxx_std_23)
endforeach()

install(TARGETS ${ARBITER_CORE_TARGETS} arbiter_all EXPORT arbiter
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arbiter)
arbiter_public_headers(headers)
foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${CMAKE_SOURCE_DIR}/src/${header}
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/arbiter/${folder})
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/arbiter)
install(EXPORT arbiter NAMESPACE arbiter:: FILE arbiterTargets.cmake DESTINATION ${package})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/arbiterConfig.cmake.in
    ${CMAKE_BINARY_DIR}/arbiterConfig.cmake INSTALL_DESTINATION ${package})
# Until 1.0 a minor version may change what a program sees.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/arbiterConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/arbiterConfig.cmake ${CMAKE_BINARY_DIR}/arbiterConfigVersion.cmake
    DESTINATION ${package})
