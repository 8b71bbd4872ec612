#include "tests/sim/run.h"

#include <memory>

#include "tests/sim/seat.h"
#include "value/json.h"

namespace arbiter::sim {

using Check = std::optional<Failure>;

namespace {

class Run {
  public:
    Run(const Plan& plan, Coverage& coverage)
        : plan_(plan),
          coverage_(coverage),
          random_(random_of(plan.seed, 0)),
          storage_(random_, coverage),
          around_{storage_, coverage, plan.log} {}

    RunResult play() {
        RunResult result;
        result.failure = begin();
        while (!result.failure && around_.turns < plan_.turns &&
               (!plan_.last_step || result.steps < *plan_.last_step)) {
            ++result.steps;
            if (plan_.progress != nullptr) {
                *plan_.progress = result.steps;
            }
            if (plan_.skipped.contains(result.steps)) {
                around_.turns += 1;  // keeps a shrunk run from going on beyond its end
                continue;
            }
            around_.note("\n  " + std::to_string(result.steps) + ":");
            tests::Random random = random_of(plan_.seed, result.steps);
            result.failure = step(random);
        }
        if (!result.failure) {
            result.failure = check_all();
        }
        if (result.failure && last_ != nullptr) {
            result.transcript = transcript(*last_);
        }
        result.turns = around_.turns;
        for (const auto& seat : seats_) {
            result.fingerprint += seat->fingerprint();
        }
        for (const auto& seat : seats_) {
            seat->close();
        }
        return result;
    }

  private:
    Check begin() {
        // Mostly short ones: opening a campaign and moving in it reads many of its turns.
        const std::size_t campaigns = random_.chance(15) ? 1 : 4 + random_.below(5);
        for (std::size_t i = 0; i < campaigns; ++i) {
            seats_.push_back(std::make_unique<Seat>(
                some_campaign("c" + std::to_string(i), random_, coverage_), around_));
            if (auto wrong = seats_.back()->begin(random_)) {
                return wrong;
            }
        }
        return std::nullopt;
    }

    Check step(tests::Random& random) {
        around_.wants_opening = false;
        advance_clock(random);
        if (random.below(1500) == 0) {
            around_.note("crash");
            return crash(random);
        }
        if (storage_.is_sqlite() && random.below(1200) == 0) {
            around_.note("flip");
            return flip(random);
        }
        last_ = random.pick(seats_).get();
        around_.note(last_->id());
        if (auto wrong = last_->step(random)) {
            return wrong;
        }
        if (around_.wants_opening) {
            if (auto wrong = last_->check_closed()) {
                return wrong;
            }
            around_.note("the store is opened again");
            return crash(random);
        }
        return std::nullopt;
    }

    void advance_clock(tests::Random& random) {
        if (random.chance(2)) {
            // Jumps, also backwards.
            around_.now += static_cast<engine::Instant>(random.below(200'000'000)) - 50'000'000;
            coverage_.count("fault", "clock jump");
        } else {
            around_.now += static_cast<engine::Instant>(1 + random.below(5'000));
        }
    }

    Check crash(tests::Random& random) {
        for (const auto& seat : seats_) {
            seat->close();
        }
        if (auto wrong = storage_.crash(random)) {
            return Failure{"a store can be opened after a crash", *wrong};
        }
        return reopen(random);
    }

    Check flip(tests::Random& random) {
        for (const auto& seat : seats_) {
            seat->close();
        }
        Check wrong;
        if (ledger::Store* damaged = storage_.open_flipped(random)) {
            for (const auto& seat : seats_) {
                wrong = wrong ? wrong : seat->check_flipped(*damaged);
            }
        }
        if (auto failed = storage_.restore(); failed && !wrong) {
            wrong = Failure{"a store can be opened again", *failed};
        }
        return wrong ? wrong : reopen(random);
    }

    Check reopen(tests::Random& random) {
        for (const auto& seat : seats_) {
            if (auto wrong = seat->reopen(random)) {
                return wrong;
            }
        }
        return std::nullopt;
    }

    Check check_all() {
        for (const auto& seat : seats_) {
            if (auto wrong = seat->check_all(random_)) {
                return wrong;
            }
        }
        return std::nullopt;
    }

    static std::string transcript(const Seat& seat) {
        const Seat::LastTurn& last = seat.last();
        if (last.reply.empty()) {
            return "";
        }
        return "== seed\nprofile: " + last.profile + "\n-- state\n" +
               value::print_json(last.document) + "\n" +
               (last.said.empty() ? "" : "-- said\n" + last.said + "\n") + "-- reply\n" +
               last.reply + "\n==\n";
    }

    const Plan& plan_;
    Coverage& coverage_;
    tests::Random random_;
    Storage storage_;
    Surroundings around_;
    std::vector<std::unique_ptr<Seat>> seats_;
    Seat* last_ = nullptr;
};

}  // namespace

RunResult run_plan(const Plan& plan, Coverage& coverage) {
    return Run(plan, coverage).play();
}

}  // namespace arbiter::sim
