# Tells CMake 3.25, which does not know WASI, what a program is called there.
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
