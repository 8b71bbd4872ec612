#include "model/turn_driver.h"

namespace arbiter::model {

void TurnDriver::start(turn::Commands first) {
    take(std::move(first));
}

void TurnDriver::cancel() {
    if (!is_ending_) {
        take(machine_.cancel());
    }
}

void TurnDriver::take(turn::Commands commands) {
    for (turn::Command& each : commands) {
        is_ending_ = is_ending_ || std::holds_alternative<turn::Finish>(each);
        queue_.push_back(std::move(each));
    }
    // A model or a store that answers at once calls back from inside run().
    if (!is_running_) {
        run();
    }
}

void TurnDriver::run() {
    is_running_ = true;
    while (!queue_.empty()) {
        turn::Command command = std::move(queue_.front());
        queue_.pop_front();
        if (auto* finish = std::get_if<turn::Finish>(&command)) {
            answer_.reset();
            ports_.finish(std::move(*finish->result));
            return;
        }
        std::visit([this](auto& each) { execute(each); }, command);
    }
    is_running_ = false;
}

void TurnDriver::execute(turn::Ask& ask) {
    Request request;
    request.messages = std::move(ask.messages);
    request.tools = std::move(ask.tools);
    request.turn = ask.turn;
    request.attempt = ask.attempt;
    request.round = ask.round;
    request.document = std::move(ask.document);
    answer_ = ports_.ask(
        std::move(request),
        {.on_piece = [this](const Piece& piece) { take_piece(piece); },
         .on_done =
             [this](base::Result<Reply> reply) {
                 if (is_ending_) {
                     return;
                 }
                 take(reply ? machine_.model_done(reply->usage.prompt + reply->usage.completion,
                                                  std::move(reply->tool_calls))
                            : machine_.model_failed(std::move(reply).error()));
             }});
}

void TurnDriver::take_piece(const Piece& piece) {
    if (piece.kind != Piece::Kind::kText || is_ending_) {
        return;
    }
    // Shown before the next piece arrives.
    turn::Commands rest;
    for (turn::Command& each : machine_.model_piece(piece.text)) {
        if (std::holds_alternative<turn::Finish>(each)) {
            rest.push_back(std::move(each));
            continue;
        }
        std::visit([this](auto& command) { execute(command); }, each);
    }
    if (!rest.empty()) {
        take(std::move(rest));
    }
}

void TurnDriver::execute(turn::Commit& commit) {
    ports_.commit(commit, [this](base::Result<std::string> id) {
        take(id ? machine_.committed(*std::move(id))
                : machine_.commit_failed(std::move(id).error()));
    });
}

}  // namespace arbiter::model
