#include "reader/reader.h"

#include <utility>

#include "reader/internal/machine.h"

namespace arbiter::reader {
namespace {

constexpr std::size_t kPiece = std::size_t{64} << 10;

}  // namespace

std::shared_ptr<const PreparedOptions> prepare(Options options) {
    return std::make_shared<const PreparedOptions>(std::move(options));
}

Reader::Reader(Options options) : Reader(prepare(std::move(options))) {}
Reader::Reader(std::shared_ptr<const PreparedOptions> options)
    : machine_(std::make_unique<Machine>(std::move(options))) {}
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

// ---- Collector

class Collector::Events final : public Sink {
  public:
    explicit Events(Collector& collector) noexcept : collector_(collector) {}

    void text(std::string_view text) override { reading().text += text; }
    void withdraw() override {
        reading().thinking += std::exchange(reading().text, {});
        reading().components.clear();
        reading().notices.clear();
        collector_.withdrew_ = true;
    }
    void thinking(std::string_view text) override { reading().thinking += text; }
    void candidate(proposal::Proposal&& proposal) override {
        if (reading().proposals.empty()) {
            reading().proposals.reserve(kUsualProposals);
        }
        reading().proposals.push_back(std::move(proposal));
    }
    void component(proposal::Component component) override {
        component.at = reading().text.size();
        reading().components.push_back(std::move(component));
    }
    void notice(proposal::Notice notice) override {
        reading().notices.push_back(std::move(notice));
    }
    void lost(std::size_t index, std::string_view why) override {
        collector_.losses_.push_back({index, std::string(why)});
    }

  private:
    // Typical number of commands in a reply: reserving it avoids moving them.
    static constexpr std::size_t kUsualProposals = 8;

    Reading& reading() noexcept { return collector_.reading_; }

    Collector& collector_;
};

std::string_view Collector::feed(std::string_view bytes) {
    const std::size_t before = reading_.text.size();
    withdrew_ = false;
    Events events(*this);
    reader_.feed(bytes, events);
    return std::string_view(reading_.text).substr(withdrew_ ? 0 : before);
}

Reading Collector::finish() {
    withdrew_ = false;
    Events events(*this);
    reader_.finish(events);
    if (losses_.empty()) {
        return std::move(reading_);
    }
    std::vector<proposal::Proposal> accepted;
    auto next = losses_.begin();
    for (std::size_t i = 0; i < reading_.proposals.size(); ++i) {
        proposal::Proposal& each = reading_.proposals[i];
        if (next != losses_.end() && next->index == i) {
            reading_.lost.push_back({std::move(each), std::move(next->why)});
            ++next;
        } else {
            accepted.push_back(std::move(each));
        }
    }
    reading_.proposals = std::move(accepted);
    return std::move(reading_);
}

Reading read(std::string_view reply, const Options& options) {
    return read(reply, prepare(options));
}

Reading read(std::string_view reply, std::shared_ptr<const PreparedOptions> options) {
    Collector collector(std::move(options));
    collector.feed(reply);
    return collector.finish();
}

}  // namespace arbiter::reader
