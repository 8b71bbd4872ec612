// A prompt as one string, as the prompt cache of a provider compares it.
#pragma once

#include <algorithm>
#include <string>

#include "prompt/assemble.h"

namespace arbiter::tests {

// The text of a block.
inline std::string_view text_of(const prompt::Assembly& assembly, const prompt::Placed& placed) {
    return assembly.messages[placed.message].content.view().substr(placed.offset, placed.size);
}
// The first `bytes` bytes of all contents, with their roles.
inline std::string flat(const prompt::Assembly& assembly, std::size_t bytes) {
    std::string out;
    for (const prompt::Message& message : assembly.messages) {
        if (bytes == 0) {
            break;
        }
        const std::string_view content = message.content.view().substr(0, bytes);
        bytes -= content.size();
        out += std::string(name(message.role)) + "\n" + std::string(content);
        // The end of a message counts only where the prefix goes on.
        if (content.size() == message.content.size() && bytes > 0) {
            out += '\0';
        }
    }
    return out;
}
inline std::string flat(const prompt::Assembly& assembly) {
    return flat(assembly, assembly.bytes + 1);
}
inline std::string flat_prefix(const prompt::Assembly& assembly) {
    return flat(assembly, assembly.cacheable_bytes);
}

}  // namespace arbiter::tests
