// The words of a reply with its components. The narrative of a reading has no components, since a
// host may render them itself; the model's history and a plain console need them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reader/reader.h"

namespace arbiter::reader {

// The narrative with the components at their places, each as it was written. Hidden components are
// left out. Empty if it has no component.
std::string told(const Reading& reading);

// The reply as the model's own history has it: told(), else the narrative, else its commands as
// they were written, so that a reply of commands alone is not missing between the player's lines.
std::string remembered(std::string_view told, std::string_view narrative,
                       std::span<const proposal::Proposal> proposals);

// The text of told() for a reader: without the tags, and without the elements that hold JSON, which
// are for a host.
std::string without_tags(std::string_view told);
std::string displayed(const proposal::Component& component);

// The reply for a player: the narrative, or told() without its tags.
std::string displayed(const Reading& reading);

}  // namespace arbiter::reader
