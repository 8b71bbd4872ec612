#include "base/messages.h"

#include <algorithm>
#include <array>

#include "base/internal/messages_campaign.h"
#include "base/internal/messages_documents.h"
#include "base/internal/messages_library.h"

namespace arbiter::base {
namespace {

constexpr auto kMessages = [] {
    std::array<Message, static_cast<std::size_t>(ErrorCode::kCount)> all{};
    auto to = std::ranges::copy(internal::kDocumentMessages, all.begin()).out;
    to = std::ranges::copy(internal::kLibraryMessages, to).out;
    std::ranges::copy(internal::kCampaignMessages, to);
    return all;
}();

// Every code has its row, in the order of the enum.
constexpr bool is_complete() {
    for (std::size_t i = 0; i < kMessages.size(); ++i) {
        if (kMessages[i].code != static_cast<ErrorCode>(i) || kMessages[i].name.empty()) {
            return false;
        }
    }
    return true;
}
static_assert(is_complete());

}  // namespace

std::span<const Message> messages() noexcept {
    return kMessages;
}

std::string_view name(ErrorCode code) noexcept {
    return kMessages[static_cast<std::size_t>(code)].name;
}

}  // namespace arbiter::base
