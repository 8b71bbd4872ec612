// Display: the words of recorded turns as a player sees them now, before redaction. The card's
// regex scripts are applied; the records stay as they are.
#pragma once

#include <string>

#include "card/regex_script.h"
#include "ledger/campaign.h"
#include "value/object.h"

namespace arbiter::campaign {

class Display {
  public:
    // `globals`: the settings of all campaigns of the store.
    static base::Result<Display> of(const ledger::Campaign& campaign, const value::Object& globals);

    [[nodiscard]] std::string said(const ledger::Record& record) const;
    [[nodiscard]] std::string shown(const ledger::Record& record) const;

  private:
    [[nodiscard]] std::size_t depth_of(const ledger::Record& record) const noexcept;

    card::Replacements replacements_;
    std::int64_t newest_ = 0;  // the number of the head in the story
};

}  // namespace arbiter::campaign
