// A campaign at a terminal: the words of the player go to the table, and commands begin with /.
#pragma once

#include <string>
#include <string_view>

#include "cli/ledger.h"

namespace arbiter::cli {

class Play {
  public:
    Play(const Call& call, campaign::Session& session, model::Model& model)
        : call_(call), console_(call.console), session_(session), model_(model) {}

    // Until the input ends or somebody says /quit.
    Exit run();

  private:
    // Whether to go on.
    bool obey(std::string_view line);
    void speak(const std::string& words);
    void show_turn(const campaign::Turned& turned);
    void show_status();
    void complain_of(const base::Error& error);
    [[nodiscard]] engine::Instant now() const;

    void show_state(std::string_view path);
    void show_why(std::string_view path);
    void change_settings(std::string_view words);
    void show_help();

    const Call& call_;
    const Console& console_;
    campaign::Session& session_;
    model::Model& model_;
};

}  // namespace arbiter::cli
