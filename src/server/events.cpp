#include "server/events.h"

#include <algorithm>
#include <ranges>

#include "engine/instant.h"
#include "value/object.h"

namespace arbiter::server {

using base::Result;
using value::Object;
using value::Value;

namespace {

// Turns that are sent one by one; a viewer that missed more reads the campaign again.
constexpr std::size_t kMissedTurnsMax = 100;

Value text(std::string_view of) {
    return of;
}

Event event_of(const campaign::Session& session, const campaign::Display& display,
               const ledger::TurnId& id, const ledger::Record& record) {
    const table::Redactor redactor = session.redactor();
    Object data = {{"turn", text(id.hex())}, {"number", record.shown_number()}};
    if (record.parent) {
        data = std::move(data).set("parent", text(record.parent->hex()));
    }
    data = std::move(data).set("time", text(engine::print_instant(record.time)));
    if (record.edit) {
        const bool is_settings = record.edit->reason == "settings";
        data = std::move(data).set("reason", text(redactor.text(record.edit->reason).str()));
        return {is_settings ? "settings" : "edit", id.hex(), redactor.value(Value(data))};
    }
    data = std::move(data)
               .set("actor", text(name(record.actor)))
               .set("said", text(redactor.text(display.said(record)).str()))
               .set("shown", text(redactor.text(display.shown(record)).str()));
    return {"turn", id.hex(), redactor.value(Value(data))};
}

}  // namespace

std::shared_ptr<Events::Subscription> Events::subscribe(std::string_view campaign, Viewer viewer) {
    auto made = std::make_shared<Subscription>(std::move(viewer));
    const std::scoped_lock lock(lock_);
    if (is_closed_) {
        made->viewer_({std::string(kClosing), {}, {}});
        return made;
    }
    auto& all = viewers_[std::string(campaign)];
    std::erase_if(all, [](const auto& each) { return each.expired(); });
    all.push_back(made);
    return made;
}

void Events::publish(std::string_view campaign, const Event& event) {
    std::vector<std::shared_ptr<Subscription>> all;
    {
        const std::scoped_lock lock(lock_);
        const auto found = viewers_.find(campaign);
        if (found == viewers_.end()) {
            return;
        }
        for (const auto& each : found->second) {
            if (auto viewer = each.lock()) {
                all.push_back(std::move(viewer));
            }
        }
        if (all.empty()) {
            viewers_.erase(found);
        }
    }
    for (const auto& each : all) {
        const std::scoped_lock lock(each->calling_);
        each->viewer_(event);
    }
}

void Events::close() {
    std::vector<std::string> campaigns;
    {
        const std::scoped_lock lock(lock_);
        is_closed_ = true;
        for (const auto& [campaign, all] : viewers_) {
            campaigns.push_back(campaign);
        }
    }
    for (const std::string& each : campaigns) {
        publish(each, {std::string(kClosing), {}, {}});
    }
}

std::size_t Events::viewers() const {
    const std::scoped_lock lock(lock_);
    std::size_t count = 0;
    for (const auto& [campaign, all] : viewers_) {
        count += static_cast<std::size_t>(
            std::ranges::count_if(all, [](const auto& each) { return !each.expired(); }));
    }
    return count;
}

bool Events::has_viewers(std::string_view campaign) const {
    const std::scoped_lock lock(lock_);
    const auto found = viewers_.find(campaign);
    return found != viewers_.end() &&
           std::ranges::any_of(found->second, [](const auto& each) { return !each.expired(); });
}

Event head_event(const campaign::Session& session) {
    const ledger::Campaign campaign = session.campaign();
    Object data = {{"head", text(campaign.head().hex())}, {"number", campaign.story_number()}};
    if (campaign.row().undo) {
        data = std::move(data).set("undo", text(campaign.row().undo->hex()));
    }
    return {"head", campaign.head().hex(), session.redactor().value(Value(data))};
}

namespace {

// The turns behind the session's head up to `from`, newest first, if the session has yet to follow
// another server there; else nothing.
std::vector<ledger::TurnId> turns_ahead(const ledger::Campaign& campaign,
                                        const ledger::TurnId& from) {
    const auto stored = campaign.store().campaign(campaign.row().id);
    if (!stored || stored->head == campaign.head()) {
        return {};
    }
    std::vector<ledger::TurnId> ahead;
    bool is_descendant = false;
    // An error means that the turn is unknown.
    (void)campaign.visit_back(from, ledger::Store::Content::kHeader,
                              [&](const ledger::TurnRow& row) -> Result<bool> {
                                  is_descendant = row.id == campaign.head();
                                  if (!is_descendant) {
                                      ahead.push_back(row.id);
                                  }
                                  return !is_descendant && ahead.size() <= kMissedTurnsMax;
                              });
    return is_descendant ? ahead : std::vector<ledger::TurnId>();
}

}  // namespace

Result<MissedEvents> missed_events(const campaign::Session& session, const ledger::TurnId& from) {
    const ledger::Campaign campaign = session.campaign();
    std::vector<ledger::TurnRow> missed;
    bool is_ancestor = false;
    auto visited = campaign.visit_back(campaign.head(), ledger::Store::Content::kWhole,
                                       [&](const ledger::TurnRow& row) -> Result<bool> {
                                           if (row.id == from) {
                                               is_ancestor = true;
                                               return false;
                                           }
                                           missed.push_back(row);
                                           return missed.size() <= kMissedTurnsMax;
                                       });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    if (!is_ancestor) {
        auto ahead = turns_ahead(campaign, from);
        return ahead.empty() ? MissedEvents{{head_event(session)}, {}}
                             : MissedEvents{{}, std::move(ahead)};
    }
    const auto display = session.display();
    if (!display) {
        return std::unexpected(display.error());
    }
    std::vector<Event> events;
    for (const ledger::TurnRow& row : missed | std::views::reverse) {
        const auto record = campaign.record_of(row);
        if (!record) {
            return std::unexpected(record.error());
        }
        events.push_back(event_of(session, *display, row.id, *record));
    }
    if (!events.empty()) {
        events.push_back(head_event(session));
    }
    return MissedEvents{std::move(events), {}};
}

}  // namespace arbiter::server
