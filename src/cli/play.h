// Interactive play at a terminal: commands begin with /, any other input is the player's turn.
#pragma once

#include <string>
#include <string_view>

#include "cli/ledger.h"
#include "cli/player_console.h"

namespace arbiter::cli {

class Play {
  public:
    Play(const Call& call, campaign::Session& session, model::Model& model)
        : call_(call), out_(call.console), session_(session), model_(model) {}

    // Returns when the input ends or the player types /quit.
    Exit run();

  private:
    // Executes a command. Returns false if the player quits.
    bool execute(std::string_view line);
    void speak(const std::string& words);
    void show_turn(const turn::TurnResult& result);
    void show_status();
    void show_error(const base::Error& error);
    [[nodiscard]] engine::Instant now() const;

    void show_state(std::string_view path);
    void show_why(std::string_view path);
    void show_differences(std::string_view from);
    void change_settings(std::string_view line);
    // An action of cli/player_actions.h. Returns true: play goes on.
    bool change_table(std::string_view action, std::string_view rest);
    void show_help();

    const Call& call_;
    PlayerConsole out_;
    campaign::Session& session_;
    model::Model& model_;
};

}  // namespace arbiter::cli
