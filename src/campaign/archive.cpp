#include "campaign/archive.h"

#include <algorithm>

#include "base/limits.h"
#include "campaign/rule_texts.h"
#include "ledger/story.h"

namespace arbiter::campaign {

using base::Result;
using ledger::Campaign;

namespace {

// Whether a campaign that is intact can be played on: the rules of its present turn load.
Result<> check_playable(const Campaign& campaign) {
    const auto rules = present_rules(campaign);
    const auto world = rules ? world_of(campaign, *rules) : std::unexpected(rules.error());
    const auto kept = world ? kept_protocols(campaign, *rules) : std::unexpected(world.error());
    const auto card = kept ? card_of(campaign) : std::unexpected(kept.error());
    return card ? Result<>() : std::unexpected(card.error());
}

class LineReader {
  public:
    explicit LineReader(const ReadBlock& read) : read_(read) {}

    Result<std::optional<ledger::ArchiveLine>> next() {
        ledger::ArchiveLine line;
        while (true) {
            if (at_ == block_.size() && !fill()) {
                line.is_whole = false;
                return line.text.empty() ? std::nullopt : std::optional(std::move(line));
            }
            const std::size_t end = block_.find('\n', at_);
            const std::size_t taken = std::min(end, block_.size()) - at_;
            line.text.append(block_, at_, taken);
            at_ += taken;
            bytes_ += taken;
            if (line.text.size() > base::kArchiveLineBytesMax) {
                return too_long(line.text.size(), base::kArchiveLineBytesMax);
            }
            if (bytes_ > base::kArchiveBytesMax) {
                return too_long(bytes_, base::kArchiveBytesMax);
            }
            if (end != std::string::npos) {
                ++at_;
                return std::optional(std::move(line));
            }
        }
    }

  private:
    static std::unexpected<base::Error> too_long(std::size_t bytes, std::size_t bytes_max) {
        return base::fail(base::ErrorCode::kTextTooLong,
                          {std::to_string(bytes), std::to_string(bytes_max)});
    }
    bool fill() {
        block_.resize(std::size_t{64} << 10);
        block_.resize(read_(block_));
        at_ = 0;
        return !block_.empty();
    }

    const ReadBlock& read_;
    std::string block_;
    std::size_t at_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace

Result<std::string> export_archive(const Campaign& campaign, const ledger::Progress& progress) {
    return ledger::export_campaign(campaign, {check_playable, progress});
}

Result<std::string> import_archive(ledger::Store& store, const ReadBlock& read,
                                   const ledger::Progress& progress) {
    LineReader reader(read);
    return ledger::import_campaign(store, [&] { return reader.next(); },
                                   {check_playable, progress});
}

Result<std::string> import_archive(ledger::Store& store, std::string_view archive) {
    return import_archive(store, [&](std::span<char> block) {
        const std::size_t taken = std::min(block.size(), archive.size());
        std::ranges::copy(archive.substr(0, taken), block.begin());
        archive.remove_prefix(taken);
        return taken;
    });
}

Result<std::string> export_story(const Campaign& campaign, const Display& display,
                                 const table::Redactor& redactor) {
    const ledger::StoryWords words = {
        [&](const ledger::Record& turn) { return display.said(turn); },
        [&](const ledger::Record& turn) { return display.shown(turn); }};
    return ledger::export_story(campaign, words, redactor);
}

}  // namespace arbiter::campaign
