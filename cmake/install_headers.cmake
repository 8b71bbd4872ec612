# Installs headers so that they cannot be confused with those of another program: our sources write
# "engine/engine.h", the installed copy writes <arbiter/engine/engine.h>. Run by cmake --install with
# SOURCE (the folder src), HEADERS (relative to it) and DESTINATION (the folder arbiter).
foreach(header IN LISTS HEADERS)
    file(READ ${SOURCE}/${header} text)
    string(REGEX REPLACE "#include \"([a-z_]+/[^\"\n]*)\"" "#include <arbiter/\\1>" text "${text}")
    file(WRITE ${DESTINATION}/${header} "${text}")
endforeach()
list(LENGTH HEADERS count)
message(STATUS "Installed: ${count} headers in ${DESTINATION}")
