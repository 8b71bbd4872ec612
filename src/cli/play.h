// Interactive play at a terminal: commands begin with /, any other input is the player's turn.
#pragma once

#include <string>
#include <string_view>

#include "campaign/withheld_turn.h"
#include "cli/ledger.h"
#include "cli/line_editor.h"
#include "cli/play_commands.h"
#include "cli/play_moves.h"
#include "cli/play_report.h"
#include "cli/player_console.h"

namespace arbiter::cli {

class Play {
  public:
    Play(const Call& call, campaign::Session& session, model::Model& model)
        : call_(call),
          editor_(call.console, play_command_names()),
          out_(call.console, columns_of(call.console)),
          session_(session),
          model_(model) {}

    // Returns when the input ends or the player types /quit: kNo if nothing that was said became a
    // turn.
    Exit run();

    // Whether the player has pressed Ctrl-C since the turn began.
    static bool is_cancelled();

  private:
    // Executes a command. Returns false if the player quits.
    bool execute(std::string_view line);
    // Returns whether a turn was committed.
    bool speak(const std::string& words);
    // Asks for another reply to the last words, as a sibling of the last turn.
    void retry();
    // The form of a command that was used wrongly.
    void show_usage(std::string_view command);
    void refuse(std::string_view command);
    // Plays a turn; after another writer again, on the campaign as it is then.
    base::Result<turn::TurnResult> play_turn(const turn::TurnRequest& request,
                                             const model::TurnCallbacks& callbacks);
    // Goes to the turn that another process has moved the campaign to, and shows what is new.
    // Returns false if the store fails.
    bool follow_others();
    [[nodiscard]] Exit exit() const noexcept;
    void choose_about_report(turn::ReportChoice choice, std::string_view rest);
    // Text of the narrator as it comes, and its end.
    void show_piece(const table::PlayerText& text);
    void take_back();
    void end_pieces();
    void show_turn(const turn::TurnResult& result);
    [[nodiscard]] engine::Instant now() const;

    void show_state(std::string_view path);
    void show_why(std::string_view path);
    void show_differences(std::string_view from);
    void change_settings(std::string_view line);
    // An action of cli/player_actions.h. Returns true: play continues.
    bool change_table(std::string_view action, std::string_view rest);
    void show_help();

    const Call& call_;
    LineEditor editor_;
    PlayerConsole out_;
    campaign::Session& session_;
    model::Model& model_;
    std::size_t spoken_ = 0;                          // turns that the player began
    std::size_t told_ = 0;                            // those of them that were committed
    bool has_shown_ = false;                          // the text of this turn is on the screen
    std::optional<campaign::WithheldTurn> withheld_;  // until the player decides or continues
};

}  // namespace arbiter::cli
