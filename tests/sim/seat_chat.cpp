// Clients that keep the chat themselves, through the gateway's alignment: they swipe, edit, delete
// and branch, and the connection ends at any moment.
#include "base/explain.h"
#include "chat/history.h"
#include "profile/profile.h"
#include "reader/reader.h"
#include "table/layout.h"
#include "tests/sim/seat.h"
#include "text/truncate.h"

namespace arbiter::sim {

using Check = std::optional<Failure>;

namespace {

std::string words(const base::Error& error) {
    return base::explain(error, base::Language::kEnglish);
}

// The part of a text that a client has when the connection ends.
std::string beginning(const std::string& text, tests::Random& random) {
    constexpr std::size_t kLeast = 12;
    const std::size_t most = text.size() > kLeast ? text.size() - kLeast : 0;
    return std::string(text::truncate(text, kLeast + random.below(most + 1)));
}

// A player adds to the narrative. Behind a command that was cut off it would be read as a part of
// the command, which would be another one then.
void edit(std::string& text) {
    const std::size_t line = text.rfind('\n');
    const bool ends_in_part = line != std::string::npos && line + 1 < text.size() &&
                              !text.ends_with(FaultModel::kStoryCommand);
    text.insert(ends_in_part ? line : text.size(), "（改）");
}

}  // namespace

std::string Seat::change_chat(Player& player, tests::Random& random) {
    Replies words(random, player.session->campaign().state().document, made_.secrets);
    std::string said = words.prose();
    const std::size_t act = random.below(20);
    if (act < 4 && !chat_.empty()) {
        // Another reply to the same words, or to others.
        said = act < 3 ? chat_.back().said : said;
        chat_.pop_back();
        around_.coverage.count("client", act < 3 ? "swipe" : "edit of the player's words");
    } else if (act == 4 && !chat_.empty()) {
        chat_.resize(random.below(chat_.size() + 1));
        around_.coverage.count("client", "delete or branch");
    } else if (act == 5 && !chat_.empty()) {
        edit(chat_[random.below(chat_.size())].text);
        around_.coverage.count("client", "edit");
    } else {
        around_.coverage.count("client", "send");
    }
    return said;
}

std::vector<prompt::Message> Seat::chat_messages(const std::string& said) const {
    constexpr std::size_t kSent = 12;  // a client cuts its history at the head
    std::vector<prompt::Message> messages;
    for (std::size_t i = chat_.size() > kSent ? chat_.size() - kSent : 0; i < chat_.size(); ++i) {
        messages.push_back({prompt::Role::kUser, value::Str(chat_[i].said)});
        messages.push_back({prompt::Role::kAssistant, value::Str(chat_[i].text)});
    }
    messages.push_back({prompt::Role::kUser, value::Str(said)});
    return messages;
}

base::Result<ledger::TurnId> Seat::find_chat(const std::vector<prompt::Message>& messages,
                                             Check& wrong) {
    chat::AlignmentOptions options;
    options.reads_commands = true;
    const auto place = gateway_->locate(made_.setup.id, reference_.head().hex(), false,
                                        chat::read_history(messages), options);
    if (!place) {
        wrong = failure("a client's chat is found", words(place.error()));
        return std::unexpected(place.error());
    }
    const ledger::TurnId expected = chat_.empty() ? reference_.order().front() : chat_.back().turn;
    const auto turn = ledger::Digest::from_hex(place->turn);
    const ledger::TurnId found = turn.value_or(reference_.order().front());
    if (!chat_.empty() && chat_.back().twin && reference_.has(found) && place->adopted.empty() &&
        reference_.reply_at(found) == chat_.back().twin) {
        around_.coverage.count("client", "stopped reply is its committed twin");
        chat_.back().turn = *chat_.back().twin;
        return found;
    }
    if (!reference_.has(found) || reference_.reply_at(found) != expected ||
        !place->adopted.empty()) {
        wrong = failure("a client's chat is found",
                        "at " + place->turn.substr(0, 10) + " instead of " +
                            expected.hex().substr(0, 10) +
                            (place->adopted.empty() ? "" : ", with adopted replies") + ", for [" +
                            (chat_.empty() ? "" : chat_.back().text) + "]");
    }
    return found;
}

Check Seat::go_to(Player& player, const ledger::TurnId& turn) {
    if (player.session->campaign().head() == turn) {
        return std::nullopt;
    }
    Before before;
    before.position = reference_.at();
    before.move = reference_.after_going_to(turn);
    const auto gone = player.session->go_to(turn);
    return gone ? after_move(player, before, gone)
                : Check(failure("every turn can be opened", words(gone.error())));
}

Check Seat::play_chat(Player& player, tests::Random& random) {
    if (player.session->head() != reference_.head()) {
        if (const auto refreshed = player.session->refresh(); !refreshed) {
            return failure("a session can follow the head", words(refreshed.error()));
        }
    }
    const std::string said = change_chat(player, random);
    const std::vector<prompt::Message> messages = chat_messages(said);
    Check wrong;
    const auto turn = find_chat(messages, wrong);
    if (wrong) {
        return wrong;
    }
    around_.note("chat");
    // As the gateway, which moves the head first, or as a re-roll of the API, whose commit does.
    if (*turn == reference_.head() || random.chance(75)) {
        wrong = go_to(player, *turn);
        return wrong ? wrong : speak_in_chat(player, messages, said, random);
    }
    auto opened = campaign::Session::open_at(around_.storage.store(), made_.setup.id, *turn,
                                             player.session->options());
    if (!opened) {
        return failure("every turn can be opened", words(opened.error()));
    }
    Player elsewhere{*std::move(opened)};
    return speak_in_chat(elsewhere, messages, said, random);
}

Check Seat::speak_in_chat(Player& player, const std::vector<prompt::Message>& messages,
                          const std::string& said, tests::Random& random) {
    Before before = begin_step(player, random);
    before.is_stale = false;
    Replies replies(random, before.state.document, made_.secrets);
    // A command that the profile does not read stays in the text, and the gateway would adopt an
    // edited reply for it.
    const auto reading = profile::reading(made_.setup.world.profile, engine::Actor::kModel);
    const bool is_read = !reader::read(FaultModel::kStoryCommand, reading).proposals.empty();
    FaultModel::Options options{
        is_read ? FaultModel::Behaviour::kStory : FaultModel::Behaviour::kProse, false, 4, {}};
    options.hidden = hidden_in(before.state.document);
    FaultModel model(replies, random, options, around_.coverage);
    turn::TurnRequest request;
    request.said = said;
    request.now = around_.now;
    if (!table::has_campaign(before.state.document)) {
        request.mode = turn::Mode::kLive;
    }
    request.chat = turn::ClientChat{messages};
    // The client is gone while the reply comes, or when it is committed.
    const bool is_cut = random.chance(12);
    const bool is_lost = random.chance(8);
    const std::size_t cut_at = 1 + random.below(12);
    std::size_t polls = 0;
    std::string sent;
    model::TurnCallbacks callbacks;
    callbacks.on_show = [&](const table::PlayerText& text) { sent += text.str(); };
    callbacks.on_withdraw = [&](std::int64_t, const value::Value&) { sent.clear(); };
    if (is_cut) {
        callbacks.is_cancelled = [&] { return ++polls >= cut_at; };
    }
    const auto result = player.session->turn(request, model, callbacks);
    if (!model.leak().empty()) {
        return failure("no hidden node reaches the model", model.leak());
    }
    Played played{said, model.texts().empty() ? "" : model.texts().back()};
    played.calls = model.calls();
    played.streamed = sent;
    played.is_examined = random.chance(kExamined);
    const std::size_t turns = reference_.turns().size();
    auto wrong = after_turn(player, before, result, played);
    if (wrong || around_.wants_opening) {
        return wrong;
    }
    const bool is_committed = result && reference_.turns().size() > turns;
    if (is_committed && !is_lost) {
        const std::string shown = result->shown.str();
        gateway_->add(made_.setup.id, {result->id, before.parent.hex(), said, shown});
        chat_.push_back({said, shown, reference_.head()});
        return std::nullopt;
    }
    const bool is_stopped = result && result->status == turn::Status::kCancelled;
    std::optional<ledger::TurnId> lost;
    if (is_committed) {
        lost = reference_.head();
        // The client did not get the end: the reply counts for nothing.
        around_.coverage.count("client", "connection lost at the end");
        wrong = go_to(player, before.parent);
    } else if (!is_stopped && result) {
        return std::nullopt;  // blocked, reported or too expensive: the client has a notice
    } else {
        around_.coverage.count("client", is_stopped ? "connection lost" : "stream broken off");
    }
    return wrong || sent.empty() ? wrong : keep_aborted(player, {said, sent, {}}, lost, random);
}

Check Seat::keep_aborted(Player& player, ChatReply reply, const std::optional<ledger::TurnId>& lost,
                         tests::Random& random) {
    if (around_.storage.store().campaign(made_.setup.id)->head != reference_.at().head ||
        player.session->campaign().row().head != reference_.at().head) {
        return std::nullopt;  // the reply was stored although the answer was an error
    }
    const Before before = begin_step(player, random, false);
    chat::StoredReply stored{"", "", reply.said, reply.text};
    stored.is_aborted = true;
    const auto kept = server::keep_reply(*player.session, stored, around_.now);
    auto wrong = after_edit(player, before, kept, Reference::Kind::kAborted);
    if (wrong || !kept) {
        return wrong;
    }
    reply.text = beginning(reply.text, random);
    reply.turn = reference_.head();
    const auto record = lost ? player.session->campaign().record(*lost) : ledger::Record();
    if (!record) {
        return failure("a turn can be read back", words(record.error()));
    }
    if (lost && record->shown == reply.text.substr(0, reply.text.find_last_not_of('\n') + 1)) {
        reply.twin = lost;
    }
    chat_.push_back(std::move(reply));
    return std::nullopt;
}

}  // namespace arbiter::sim
