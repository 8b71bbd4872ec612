#include "protocol/internal/constraints.h"

#include <algorithm>
#include <cmath>

#include "engine/numbers.h"
#include "expr/formula.h"
#include "rules/limit.h"
#include "text/join.h"
#include "text/nearest.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::protocol::internal {

using base::Error;
using base::ErrorCode;
using engine::CheckResult;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

// Where the date is in a world that does not say (Library's users can: ResolveOptions).
constexpr std::string_view kDateUsual = "日期";
constexpr std::string_view kDateOfSaves[] = {"时间", "当前"};

// The containers that the paths of a dialect are relative to. A protocol names places as the model
// writes them, so its limits hold there too.
std::vector<Path> mounts() {
    std::vector<Path> all;
    for (const auto mount :
         {proposal::Mount::kStatus, proposal::Mount::kCharacter, proposal::Mount::kAssets}) {
        all.push_back({value::Segment(proposal::name(mount))});
    }
    all.push_back(engine::Policy().tavern_root);
    return all;
}

Path joined(const Path& mount, const Path& path) {
    Path all = mount;
    all.insert(all.end(), path.begin(), path.end());
    return all;
}

value::Pattern joined(const Path& mount, const value::Pattern& place) {
    value::Pattern all = value::pattern_of(mount);
    all.insert(all.end(), place.begin(), place.end());
    return all;
}

bool is_inside(const value::Pattern& place, const Path& mount) {
    const value::Pattern start = value::pattern_of(mount);
    return place.size() >= start.size() && std::equal(start.begin(), start.end(), place.begin());
}

// A check at the same place inside of a container. Its formulas read that container.
class MountedCheck final : public engine::Check {
  public:
    MountedCheck(Path mount, std::shared_ptr<const engine::Check> check)
        : mount_(std::move(mount)),
          check_(std::move(check)),
          place_(joined(mount_, check_->place())) {}
    [[nodiscard]] const value::Pattern& place() const noexcept override { return place_; }
    [[nodiscard]] bool counts_changes() const noexcept override { return check_->counts_changes(); }
    [[nodiscard]] CheckResult judge(const Case& about) const override {
        const Value* inner = value::find(about.after, mount_);
        return check_->judge({about.start, about.before, inner != nullptr ? *inner : about.after,
                              about.meta, about.path, about.bindings, about.old, about.now,
                              about.actor, about.is_text, about.budget});
    }

  private:
    Path mount_;
    std::shared_ptr<const engine::Check> check_;
    value::Pattern place_;
};

// Adds the rules of a book for the containers that paths may be relative to.
void mount(rules::Rulebook& book) {
    const auto checks = book.checks;
    const auto limits = book.daily_limits;
    const auto read_only = book.read_only;
    for (const Path& mount : mounts()) {
        for (const auto& check : checks) {
            if (!is_inside(check->place(), mount)) {
                book.checks.push_back(std::make_shared<MountedCheck>(mount, check));
            }
        }
        for (const rules::DailyLimit& limit : limits) {
            if (!is_inside(limit.place, mount)) {
                book.daily_limits.push_back({joined(mount, limit.place), limit.start});
            }
        }
        for (const value::Pattern& place : read_only) {
            if (!is_inside(place, mount)) {
                book.read_only.push_back(joined(mount, place));
            }
        }
    }
}

// Adds the other places of the date: inside of the same containers, and where saves keep it.
void mount_clock(rules::Clock& clock, bool is_usual) {
    for (const Path& mount : mounts()) {
        clock.elsewhere.push_back(joined(mount, clock.date));
    }
    if (is_usual) {
        const Path of_saves(std::begin(kDateOfSaves), std::end(kDateOfSaves));
        clock.elsewhere.push_back(of_saves);
        clock.elsewhere.push_back(joined(engine::Policy().tavern_root, of_saves));
    }
}

std::string number_text(double number) {
    const expr::Known known = expr::number_value(number);
    return known ? value::print_json(*known) : "…";
}

// The limits of a file, made into those of a rulebook.
class Translation {
  public:
    Translation(value::Fields& fields, Path where) : fields_(fields), where_(std::move(where)) {}

    void limits(const Value& written, const Path& path) {
        if (!written.is_array()) {
            limit(written, path);
            return;
        }
        std::int64_t index = 0;
        for (const Value& each : written.as_array()) {
            Path at = path;
            at.emplace_back(index++);
            limit(each, at);
        }
    }

    // A diagnostic of the rulebook, with its path in the protocol.
    [[nodiscard]] value::Diagnostic in_protocol(value::Diagnostic diagnostic) const {
        Path path = where_;
        std::size_t from = 0;
        if (diagnostic.path.size() >= 2 && diagnostic.path[0] == value::Segment("limits")) {
            const auto index = diagnostic.path[1].as_position();
            if (index && *index < places_.size()) {
                path = places_[*index];
                from = 2;
            }
        }
        path.insert(path.end(), diagnostic.path.begin() + static_cast<std::ptrdiff_t>(from),
                    diagnostic.path.end());
        diagnostic.path = std::move(path);
        add_own_keys(diagnostic.error);
        return diagnostic;
    }

    Array made;
    std::vector<std::shared_ptr<const engine::Check>> changes;
    bool per_day = false;
    bool failed = false;

  private:
    // The keys of a limit that rulebooks do not have.
    static void add_own_keys(Error& error) {
        if (error.code != ErrorCode::kUnknownKey) {
            return;
        }
        constexpr std::string_view kOwn[] = {"change", "rise", "fall"};
        if (const auto meant = text::nearest(error.arguments[0], kOwn)) {
            error = Error(ErrorCode::kMisspelledKey, {error.arguments[0], std::string(*meant)});
        } else {
            error.arguments[1] += ", " + text::join(kOwn);
        }
    }

    void report(Path path, Error error) {
        failed = true;
        fields_.error_at(std::move(path), std::move(error));
    }

    std::optional<ChangeTerms::Span> span(const Object& limit, std::string_view key,
                                          const Path& at) {
        const Value* written = limit.find(key);
        if (written == nullptr) {
            return std::nullopt;
        }
        Path path = at;
        path.emplace_back(key);
        const auto wrong = [&] {
            report(path, Error(ErrorCode::kProtocolChange, {value::print_json(*written)}));
            return std::nullopt;
        };
        if (written->is_number()) {
            const double most = written->as_double();
            return most >= 0 ? std::optional(ChangeTerms::Span{0, most}) : wrong();
        }
        if (!written->is_array() || written->as_array().size() != 2 ||
            !written->as_array()[0].is_number() || !written->as_array()[1].is_number()) {
            return wrong();
        }
        const ChangeTerms::Span both{written->as_array()[0].as_double(),
                                     written->as_array()[1].as_double()};
        return both.low >= 0 && both.low <= both.high ? std::optional(both) : wrong();
    }

    void limit(const Value& written, const Path& at) {
        if (!written.is_object()) {
            report(at, value::wrong_value("limits", "{place: …}", written));
            return;
        }
        Object rest = written.as_object();
        ChangeTerms terms;
        const auto change = span(rest, "change", at);
        terms.rise = span(rest, "rise", at);
        terms.fall = span(rest, "fall", at);
        terms.rise = terms.rise ? terms.rise : change;
        terms.fall = terms.fall ? terms.fall : change;
        if (const Value* start = rest.find("start"); start != nullptr && start->is_number()) {
            terms.start = start->as_double();
        }
        const Value* otherwise = rest.find("otherwise");
        terms.refuses = otherwise != nullptr && *otherwise == Value("refuse");
        const Value* place = rest.find("place");
        const Value places = place != nullptr ? *place : Value();
        const bool changes_only = terms.rise || terms.fall;
        per_day = per_day || rest.contains("per_day");
        rest = rest.erase("change").erase("rise").erase("fall");
        const bool says_nothing = std::ranges::all_of(rest, [](value::Member member) {
            return member.key == "place" || member.key == "id" || member.key == "otherwise";
        });
        if (says_nothing && !changes_only && rest.size() == written.as_object().size() &&
            place != nullptr) {
            report(at, Error(ErrorCode::kProtocolEmpty, {"limits"}));
        }
        if (!places.is_array()) {
            add(rest, places, at, terms);
            return;
        }
        // Several places keep to one limit each.
        for (const Value& each : places.as_array()) {
            add(rest.set("place", each), each, at, terms);
        }
        if (places.as_array().empty()) {
            report(at, Error(ErrorCode::kProtocolEmpty, {"place"}));
        }
    }

    void add(Object limit, const Value& place, const Path& at, const ChangeTerms& terms) {
        // A limit of changes alone has no bound for a rulebook.
        const bool is_bare = std::ranges::all_of(limit, [](value::Member member) {
            constexpr std::string_view kNoBounds[] = {"place", "id", "otherwise", "start"};
            return std::ranges::find(kNoBounds, member.key.view()) != std::end(kNoBounds);
        });
        if (!is_bare || (!terms.rise && !terms.fall)) {
            made = std::move(made).push_back(std::move(limit));
            places_.push_back(at);
        }
        const auto pattern = place.is_string() && !place.as_string().empty()
                                 ? value::parse_pattern(place.as_string())
                                 : base::Result<value::Pattern>(value::Pattern());
        if (pattern && !pattern->empty() && (terms.rise || terms.fall)) {
            ChangeTerms own = terms;
            own.place = *pattern;
            changes.push_back(std::make_shared<Change>(std::move(own)));
        }
    }

    value::Fields& fields_;
    Path where_;
    std::vector<Path> places_;  // of each limit that was made
};

}  // namespace

CheckResult Change::judge(const Case& about) const {
    const auto now = engine::limited_number(about.now);
    if (!now) {
        CheckResult allowed;
        if (auto remark = rules::type_change(about)) {
            allowed.remarks.push_back(*std::move(remark));
        }
        return allowed;
    }
    const double old = engine::number_before(about).value_or(terms_.start);
    if (old == *now) {
        return {};
    }
    const bool up = *now > old;
    const auto& span = up ? terms_.rise : terms_.fall;
    const double amount = std::fabs(*now - old);
    if (!span || (amount >= span->low && amount <= span->high)) {
        return {};
    }
    const std::string_view sign = up ? "+" : "-";
    const std::string term = std::string(sign) + number_text(span->low) + " – " +
                             std::string(sign) + number_text(span->high);
    if (terms_.refuses) {
        return {
            CheckResult::Action::kRefuse,
            {},
            proposal::Problem{proposal::Code::kConstraint,
                              {value::print_path(about.path, value::PathSyntax::kDotted), term}},
            {}};
    }
    const double most = std::clamp(amount, span->low, span->high);
    return rules::clamp(about, *now, up ? old + most : old - most, "change " + term);
}

Constraints compile_constraints(value::Fields& fields, std::string_view key, std::string_view id,
                                std::shared_ptr<const calendar::Calendars> calendars) {
    Constraints constraints;
    const Value* written = fields.take(key);
    if (written == nullptr) {
        return constraints;
    }
    const Path where = fields.path_of(key);
    if (!written->is_container()) {
        fields.reject(key, "limits: […]", *written);
        return constraints;
    }
    Translation translation(fields, where);
    Object book = {{"rulebook", std::string_view("protocol " + std::string(id))}};
    if (written->is_object() && !written->as_object().contains("place")) {
        value::Fields inner = fields.inner(*written, where);
        if (const Value* limits = inner.take("limits")) {
            translation.limits(*limits, inner.path_of("limits"));
        }
        for (const std::string_view section : {"read_only", "time", "names"}) {
            if (const Value* found = inner.take(section)) {
                book = std::move(book).set(section, *found);
            }
        }
        inner.finish();
    } else {
        translation.limits(*written, where);
    }
    constraints.own_clock = book.contains("time");
    if (translation.per_day && !constraints.own_clock) {
        book = std::move(book).set("time", Object{{"date", kDateUsual}});
    }
    book = std::move(book).set("limits", std::move(translation.made));
    auto compiled = rules::Rulebook::compile(book, std::move(calendars));
    if (!compiled) {
        for (value::Diagnostic& diagnostic : compiled.error()) {
            fields.add(translation.in_protocol(std::move(diagnostic)));
        }
    } else if (!translation.failed) {
        // The change of one command is judged before the limits of a day.
        compiled->checks.insert(compiled->checks.begin(), translation.changes.begin(),
                                translation.changes.end());
        mount(*compiled);
        if (compiled->clock) {
            mount_clock(*compiled->clock, !constraints.own_clock);
        }
        if (!compiled->checks.empty()) {
            constraints.book = std::make_shared<const rules::Rulebook>(std::move(*compiled));
        }
    }
    return constraints;
}

}  // namespace arbiter::protocol::internal
