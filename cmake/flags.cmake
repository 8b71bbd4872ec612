# Compiler flags shared by every target: the language, warnings as errors, hardening, sanitizers.
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(arbiter_flags INTERFACE)
target_compile_options(arbiter_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
    # Paths of the machine that built it stay out of the binary.
    -ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
target_include_directories(arbiter_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_definitions(arbiter_flags INTERFACE ARBITER_VERSION="${PROJECT_VERSION}")

if(NOT CMAKE_SYSTEM_NAME STREQUAL "WASI")
    target_compile_options(arbiter_flags INTERFACE -fstack-protector-strong)
    target_compile_definitions(arbiter_flags INTERFACE _GLIBCXX_ASSERTIONS)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
        # Every processor since about 2010 counts bits in one instruction, as the tries do a lot.
        target_compile_options(arbiter_flags INTERFACE -fcf-protection -march=x86-64-v2)
    endif()
    target_link_options(arbiter_flags INTERFACE -pie -Wl,-z,relro -Wl,-z,now)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        target_link_options(arbiter_flags INTERFACE -fuse-ld=lld)
    endif()
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
        # Symbols are bound at the start (-z now), so calls of libraries need no stubs: a turn calls
        # the allocator some thousand times.
        target_compile_options(arbiter_flags INTERFACE
            -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fno-plt)
    endif()
endif()

# Libraries optimised across modules hold bitcode and machine code. Programs that matter (the product
# and the benchmark) are linked from the bitcode; tests, and programs that use the installed package
# with any linker, take the machine code and are linked at once.
function(arbiter_optimised_library target)
    if(ARBITER_LTO)
        target_compile_options(${target} PRIVATE -flto=thin -ffat-lto-objects)
    endif()
endfunction()
function(arbiter_optimised_program target)
    if(ARBITER_LTO)
        # The cache keeps the machine code of unchanged modules: linking again takes seconds, not
        # minutes.
        target_link_options(${target} PRIVATE -flto=thin -ffat-lto-objects
            -Wl,--thinlto-cache-dir=${ARBITER_LTO_CACHE},--thinlto-cache-policy=cache_size_bytes=2g)
    endif()
endfunction()

# Where the product spends its time, as recorded by `./dev profile`: code that runs often is inlined
# more and laid out together. A function that has changed since is compiled without its part of the
# profile. Names of static functions begin with the name of their file, without its folder, so the
# profile fits every clone.
set(ARBITER_PROFILE_FILE "")
if(ARBITER_PROFILE AND NOT ARBITER_PROFILE STREQUAL "record")
    # Every source that is compiled with it depends on it: the linker refuses objects of different
    # profiles.
    set(ARBITER_PROFILE_FILE ${CMAKE_SOURCE_DIR}/${ARBITER_PROFILE})
endif()
set(ARBITER_PROFILE_NAMES "SHELL:-mllvm -static-func-full-module-prefix=false")
function(arbiter_profiled target)
    if(ARBITER_PROFILE STREQUAL "record")
        target_compile_options(${target} PRIVATE -fprofile-generate ${ARBITER_PROFILE_NAMES})
        target_link_options(${target} PUBLIC -fprofile-generate)
    elseif(ARBITER_PROFILE_FILE)
        file(RELATIVE_PATH profile ${CMAKE_BINARY_DIR} ${ARBITER_PROFILE_FILE})
        target_compile_options(${target} PRIVATE -fprofile-use=${profile} ${ARBITER_PROFILE_NAMES}
            -Wno-profile-instr-out-of-date -Wno-profile-instr-unprofiled -Wno-backend-plugin)
    endif()
endfunction()

if(ARBITER_SANITIZE)
    target_compile_options(arbiter_flags INTERFACE
        -fsanitize=${ARBITER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(arbiter_flags INTERFACE -fsanitize=${ARBITER_SANITIZE})
endif()

# Fuzzers need to see which branches the libraries take; tests can use the same libraries.
if(ARBITER_FUZZ)
    target_compile_options(arbiter_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# mimalloc makes loading a document about 1.7 times as fast; sanitizers need their own allocator.
function(arbiter_allocator target)
    if(ARBITER_MIMALLOC AND NOT ARBITER_SANITIZE)
        find_package(mimalloc REQUIRED)
        # First in line and kept although no symbol of it is named: it replaces malloc.
        target_link_options(${target} BEFORE PRIVATE -Wl,--no-as-needed)
        target_link_libraries(${target} PRIVATE mimalloc)
    endif()
endfunction()

# g++ 12 takes the value of an optional that was just asked for as uninitialized.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(arbiter_flags INTERFACE -Wno-maybe-uninitialized)
endif()
