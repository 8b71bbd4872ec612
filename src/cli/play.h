// Interactive play at a terminal: commands begin with /, any other input is the player's turn.
#pragma once

#include <string>
#include <string_view>

#include "cli/ledger.h"
#include "cli/play_report.h"
#include "cli/player_console.h"

namespace arbiter::cli {

class Play {
  public:
    Play(const Call& call, campaign::Session& session, model::Model& model)
        : call_(call), out_(call.console), session_(session), model_(model) {}

    // Returns when the input ends or the player types /quit: kNo if nothing that was said became a
    // turn.
    Exit run();

  private:
    // Executes a command. Returns false if the player quits.
    bool execute(std::string_view line);
    void speak(const std::string& words);
    // Plays a turn; after another writer again, on the campaign as it is then.
    base::Result<turn::TurnResult> play_turn(const turn::TurnRequest& request,
                                             const model::TurnCallbacks& callbacks);
    // Goes to the turn that another process has moved the campaign to, and shows what is new.
    // Returns false if the store fails.
    bool follow_others();
    [[nodiscard]] Exit exit() const noexcept;
    void choose_about_report(std::string_view command, std::string_view rest);
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
    std::size_t spoken_ = 0;                // turns that the player began
    std::size_t told_ = 0;                  // those of them that were committed
    std::optional<ReportedTurn> reported_;  // until the player decides or goes on
};

}  // namespace arbiter::cli
