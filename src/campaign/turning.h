// Turning: one turn of a session while it runs. Everything happens on copies; only keep() changes
// the campaign, and it is the last thing that is done.
#pragma once

#include "campaign/session.h"

namespace arbiter::campaign {

class Session::Turning {
  public:
    Turning(Session& session, engine::Instant now);

    base::Result<Turned> run(const Wanted& wanted, model::Model& model);
    base::Result<Turned> run(const Given& given);

  private:
    struct Attempt {
        std::string raw;
        reader::Reading reading;  // with the calls that came beside its text
        table::Judged judged;
    };

    base::Result<> begin(std::string_view said);
    // Why no more may be asked of the model, or nothing.
    std::optional<std::string> over_spent() const;
    base::Result<std::optional<Attempt>> ask(const Wanted& wanted, model::Model& model,
                                             const model::Request& request);
    Attempt judge(std::string raw, reader::Reading reading,
                  std::span<const prompt::NativeToolCall> calls, engine::Actor actor);
    void note(const Attempt& attempt, const value::Value& feedback, std::int64_t tokens);
    base::Result<> keep(Attempt attempt, std::string said, engine::Actor actor);
    std::string notice_of(const table::Judged& judged) const;

    Session& session_;
    engine::Instant now_;
    engine::State begun_;
    std::shared_ptr<const Stage> stage_;
    value::Object settings_;
    Turned turned_;
    std::vector<table::FailedCall> failed_;  // of all attempts
    std::int64_t calls_ = 0;
};

}  // namespace arbiter::campaign
