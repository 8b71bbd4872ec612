#include "reader/reader.h"

#include "reader/internal/machine.h"

namespace arbiter::reader {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;

}  // namespace

Reader::Reader(Options options) : machine_(std::make_unique<Machine>(std::move(options))) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

void Reader::feed(std::string_view bytes, Sink& sink) {
    // In pieces, so that what is already read can be forgotten on the way.
    while (bytes.size() > kPiece) {
        machine_->feed(bytes.substr(0, kPiece), sink);
        bytes.remove_prefix(kPiece);
    }
    machine_->feed(bytes, sink);
}
void Reader::finish(Sink& sink) {
    machine_->finish(sink);
}

// As many commands as a reply usually has: they are moved about less.
constexpr std::size_t kUsual = 8;

void Collector::candidate(proposal::Proposal&& proposal) {
    if (reading_.proposals.empty()) {
        reading_.proposals.reserve(kUsual);
    }
    reading_.proposals.push_back(std::move(proposal));
}
void Collector::component(proposal::Component component) {
    reading_.components.push_back(std::move(component));
}
void Collector::notice(proposal::Notice notice) {
    reading_.notices.push_back(std::move(notice));
}
void Collector::lost(std::size_t index, std::string_view why) {
    lost_.emplace_back(index, std::string(why));
}

Reading Collector::done() {
    if (lost_.empty()) {
        return std::move(reading_);
    }
    std::vector<proposal::Proposal> standing;
    auto next = lost_.begin();
    for (std::size_t i = 0; i < reading_.proposals.size(); ++i) {
        proposal::Proposal& each = reading_.proposals[i];
        if (next != lost_.end() && next->first == i) {
            reading_.lost.push_back({std::move(each), next->second});
            ++next;
        } else {
            standing.push_back(std::move(each));
        }
    }
    reading_.proposals = std::move(standing);
    return std::move(reading_);
}

Reading read(std::string_view reply, const Options& options) {
    Reader reader(options);
    Collector collector;
    reader.feed(reply, collector);
    reader.finish(collector);
    return collector.done();
}

}  // namespace arbiter::reader
