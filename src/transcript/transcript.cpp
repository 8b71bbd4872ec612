#include "transcript/transcript.h"

#include <algorithm>
#include <array>
#include <span>

#include "text/join.h"
#include "text/nearest.h"
#include "text/truncate.h"
#include "value/json.h"

namespace arbiter::transcript {

using base::ErrorCode;
using base::Place;

namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 10> kGiven = {
    "state", "table", "script", "now", "said", "calls", "reply", "restore", "greeting", "choice"};
constexpr std::array<std::string_view, 20> kExpected = {
    "status",   "shown",  "thinking", "proposals", "lost",     "components", "notices",
    "verdicts", "events", "expired",  "failed",    "feedback", "notice",     "actions",
    "rules",    "prompt", "messages", "changed",   "after",    "conflicts"};
// Words that may be in the brackets of a heading.
constexpr std::array<std::string_view, 5> kWords = {"json", "user", "system", "model", "world"};

bool is_one_of(Names names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

bool is_heading(std::string_view line) {
    return line == "==" || line.starts_with("== ") || line.starts_with("-- ");
}

// The words in the brackets of a heading: "reply (user json)" → "user json".
std::string_view bracketed(std::string_view heading) {
    const std::size_t open = heading.find(" (");
    return open == std::string_view::npos || !heading.ends_with(')')
               ? std::string_view()
               : heading.substr(open + 2, heading.size() - open - 3);
}

// Calls each(word) for the words of a text; false when one of the calls was.
template <typename Each>
bool all_words(std::string_view text, Each each) {
    while (!text.empty()) {
        const std::size_t space = std::min(text.find(' '), text.size());
        if (!each(text.substr(0, space))) {
            return false;
        }
        text.remove_prefix(std::min(space + 1, text.size()));
    }
    return true;
}

bool is_known(const Section& section) {
    const std::string_view name = section.name();
    const bool reply = name == "reply" || name == "restore";
    return (is_one_of(kGiven, name) || is_one_of(kExpected, name)) &&
           all_words(bracketed(section.heading), [&](std::string_view word) {
               return is_one_of(kWords, word) && (reply || word == "json");
           });
}

std::string known_headings() {
    return text::join(kGiven) + ", " + text::join(kExpected) +
           ", reply (user), reply (system), … (json)";
}

class Parser {
  public:
    base::Result<Transcript> parse(std::string_view text) {
        if (text.starts_with("\xEF\xBB\xBF")) {
            place_.offset = 3;
        }
        while (place_.offset < text.size()) {
            const std::size_t end = std::min(text.find('\n', place_.offset), text.size());
            if (auto done = take(text.substr(place_.offset, end - place_.offset)); !done) {
                return std::unexpected(std::move(done).error());
            }
            place_.offset = end + 1;
            ++place_.line;
        }
        if (auto done = end_turn(); !done) {
            return std::unexpected(std::move(done).error());
        }
        if (out_.turns.empty()) {
            return base::fail(ErrorCode::kTurnNone);
        }
        out_.trailer = std::move(comments_);
        return std::move(out_);
    }

  private:
    base::Result<> take(std::string_view line) {
        if (line.starts_with("== ")) {
            if (auto done = end_turn(); !done) {
                return done;
            }
            out_.turns.push_back(
                {std::string(line.substr(3)), {}, {}, place_, std::move(comments_)});
            comments_.clear();
            open_ = true;
            return {};
        }
        if (line == "==" && open_) {
            return end_turn();
        }
        if (line.starts_with("-- ") && open_) {
            return begin_section(line.substr(3));
        }
        if (section_) {
            std::string& text = out_.turns.back().sections.back().text;
            text += first_ ? "" : "\n";
            text += line;
            first_ = false;
            return {};
        }
        if (line.starts_with('#')) {
            (open_ ? out_.turns.back().comments : comments_).emplace_back(line);
            return {};
        }
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
            // Between comments it belongs to them.
            if (!open_ && !comments_.empty()) {
                comments_.emplace_back();
            }
            return {};
        }
        const std::size_t colon = line.find(": ");
        if (!open_ || colon == std::string_view::npos) {
            return base::fail(ErrorCode::kTurnStray, {std::string(text::truncate(line, 40))},
                              place_);
        }
        out_.turns.back().settings.push_back(
            {std::string(line.substr(0, colon)), std::string(line.substr(colon + 2)), place_});
        return {};
    }

    base::Result<> begin_section(std::string_view heading) {
        Turn& turn = out_.turns.back();
        Section section{std::string(heading), {}, place_};
        if (!is_known(section)) {
            return std::unexpected(unknown_section(section));
        }
        if (!section.is_given() && !turn.has_step()) {
            return base::fail(ErrorCode::kTurnOrder, {section.heading}, place_);
        }
        turn.sections.push_back(std::move(section));
        section_ = first_ = true;
        return {};
    }

    [[nodiscard]] base::Error unknown_section(const Section& section) const {
        base::Error error(ErrorCode::kTurnSection, {section.heading, known_headings()}, place_);
        std::vector<std::string_view> names(std::begin(kGiven), std::end(kGiven));
        names.insert(names.end(), std::begin(kExpected), std::end(kExpected));
        if (const auto meant = text::nearest(section.name(), names)) {
            error.arguments.emplace_back(*meant);
        }
        return error;
    }

    base::Result<> end_turn() {
        section_ = false;
        if (!open_) {
            return {};
        }
        open_ = false;
        const Turn& turn = out_.turns.back();
        if (!turn.has_step()) {
            return base::fail(ErrorCode::kTurnNoReply, {turn.title}, turn.place);
        }
        return {};
    }

    Transcript out_;
    std::vector<std::string> comments_;
    Place place_;
    bool open_ = false;     // a turn is
    bool section_ = false;  // a section is
    bool first_ = false;    // no line of it was seen yet
};

}  // namespace

std::string_view Section::name() const {
    return std::string_view(heading).substr(0, heading.find(" ("));
}

bool Section::is(std::string_view word) const {
    return !all_words(bracketed(heading), [&](std::string_view each) { return each != word; });
}

bool Turn::has_step() const {
    return has("reply") || has("greeting") || has("restore") || has("said") || has("choice");
}

bool Section::is_given() const {
    return is_one_of(kGiven, name());
}

base::Result<std::string> Section::content() const {
    if (!is("json")) {
        return text;
    }
    auto value = value::parse_json(text);
    if (!value) {
        base::Error error = std::move(value).error();
        if (error.place) {
            error.place = in_file(*this, *error.place);
        }
        return std::unexpected(std::move(error));
    }
    if (!value->is_string()) {
        return base::fail(ErrorCode::kTurnNotString, {heading}, place);
    }
    return std::string(value->as_string());
}

void Section::say(std::string_view content) {
    bool plain = !content.contains('\r');
    for (std::string_view rest = content; plain && !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        plain = !is_heading(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (!plain && !is("json")) {
        heading = heading.ends_with(')') ? heading.substr(0, heading.size() - 1) + " json)"
                                         : heading + " (json)";
    }
    text.clear();
    if (is("json")) {
        value::append_json_string(text, content);
    } else {
        text = content;
    }
}

bool Turn::has(std::string_view name) const {
    return std::ranges::find(sections, name, &Section::name) != sections.end();
}

base::Result<Transcript> parse(std::string_view text) {
    return Parser().parse(text);
}

std::string print(const Transcript& transcript) {
    std::string out;
    const auto line = [&out](std::string_view begin, std::string_view rest) {
        out += begin;
        out += rest;
        out += '\n';
    };
    for (const Turn& turn : transcript.turns) {
        for (const std::string& comment : turn.comments) {
            line("", comment);
        }
        line("== ", turn.title);
        for (const Setting& setting : turn.settings) {
            line(setting.name + ": ", setting.value);
        }
        for (const Section& section : turn.sections) {
            if (section.is_given() || !section.text.empty()) {
                line("-- ", section.heading);
                line("", section.text);
            }
        }
        out += "==\n\n";
    }
    for (const std::string& comment : transcript.trailer) {
        line("", comment);
    }
    return out;
}

Place in_file(const Section& section, const Place& place) {
    // The text begins on the line below the heading, which is "-- " and then the words.
    return {section.place.offset + 3 + section.heading.size() + 1 + place.offset,
            section.place.line + place.line, place.column};
}

}  // namespace arbiter::transcript
