// Trace: all events of a reading as text, neighbouring texts joined, so that two readings of the
// same bytes can be compared.
#pragma once

#include <string>

#include "proposal/describe.h"
#include "reader/reader.h"
#include "value/json.h"

namespace arbiter::tests {

class Trace final : public reader::Sink {
  public:
    void text(std::string_view text) override { add('T', text); }
    void withdraw() override { line("W"); }
    void thinking(std::string_view text) override { add('H', text); }
    void candidate(proposal::Proposal&& proposal) override {
        line("C " + value::print_json(proposal::to_value(proposal)) + " raw " + proposal.raw);
    }
    void component(proposal::Component component) override {
        line("M " + value::print_json(proposal::to_value(component)));
    }
    void notice(proposal::Notice notice) override {
        line("N " + value::print_json(proposal::to_value(notice)));
    }
    void lost(std::size_t index, std::string_view why) override {
        line("L " + std::to_string(index) + " " + std::string(why));
    }
    [[nodiscard]] const std::string& events() const { return events_; }

  private:
    void line(const std::string& text) {
        events_ += "\n" + text;
        last_ = 0;
    }
    void add(char kind, std::string_view text) {
        if (last_ != kind) {
            events_ += '\n';
            events_ += kind;
            events_ += ' ';
            last_ = kind;
        }
        events_ += text;
    }
    std::string events_;
    char last_ = 0;
};

// The events of a reply that comes in pieces that end at `cuts` (ascending offsets).
template <typename Cuts>
std::string trace(std::string_view reply, const reader::Options& options, const Cuts& cuts) {
    Trace sink;
    reader::Reader reader(options);
    std::size_t at = 0;
    for (const std::size_t cut : cuts) {
        reader.feed(reply.substr(at, cut - at), sink);
        at = cut;
    }
    reader.feed(reply.substr(at), sink);
    reader.finish(sink);
    return sink.events();
}

}  // namespace arbiter::tests
