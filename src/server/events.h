// Events: the stream of changes of campaigns for viewers.
//
// The id of an event is the head of the campaign after it, so a viewer can continue from any event
// on any server and after any restart: missed_events() finds what it missed in the ledger. Drafts
// have no id, since they are not kept.
//
// Thread-safe. A viewer is called in the order of the events and must not wait.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/session.h"

namespace arbiter::server {

struct Event {
    std::string type;  // "turn", "head", "settings", "edit", "draft", "withdrawn", "deleted"
    std::string id;    // of the head; empty: the event is not kept
    table::PlayerValue data;
};

class Events {
  public:
    using Viewer = std::function<void(const Event& event)>;
    // The type of the last event of every viewer.
    static constexpr std::string_view kClosing = "closing";

    // Destroying it ends the subscription; a call that is running is finished.
    class Subscription;

    // After close(), the viewer gets the end at once.
    [[nodiscard]] std::shared_ptr<Subscription> subscribe(std::string_view campaign, Viewer viewer);
    void publish(std::string_view campaign, const Event& event);
    // Ends the streams of all viewers.
    void close();
    [[nodiscard]] std::size_t viewers() const;
    [[nodiscard]] bool has_viewers(std::string_view campaign) const;

  private:
    mutable std::mutex lock_;
    bool is_closed_ = false;
    std::map<std::string, std::vector<std::weak_ptr<Subscription>>, std::less<>> viewers_;
};

class Events::Subscription {
  public:
    explicit Subscription(Viewer viewer) : viewer_(std::move(viewer)) {}

  private:
    friend class Events;
    Viewer viewer_;
    std::mutex calling_;
};

struct MissedEvents {
    // Turns and edits in order, unless the head is not a descendant of the turn that the viewer
    // knows or is too far from it; then "head". Nothing if that turn is the head.
    std::vector<Event> events;
    // If the viewer knows more than the session, because another server was first: the turns
    // between, newest first.
    std::vector<ledger::TurnId> ahead;
};
// For a viewer that received everything up to the turn `from`.
base::Result<MissedEvents> missed_events(const campaign::Session& session,
                                         const ledger::TurnId& from);
// The event with the current turn of the campaign.
Event head_event(const campaign::Session& session);

}  // namespace arbiter::server
