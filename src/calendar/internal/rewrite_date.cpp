#include "calendar/internal/rewrite_date.h"

#include "base/limits.h"
#include "calendar/internal/numerals.h"

namespace arbiter::calendar::internal {
namespace {

// Exchanges parts of a text, from left to right.
class Rewriting {
  public:
    // The spans are of the text without the blanks around it.
    explicit Rewriting(std::string_view text)
        : text_(text), offset_(static_cast<std::size_t>(trimmed(text).data() - text.data())) {}

    void exchange(Span span, std::string_view with) {
        out_ += text_.substr(done_, offset_ + span.begin - done_);
        out_ += with;
        done_ = offset_ + span.end;
    }
    std::string finish() { return out_ + std::string(text_.substr(done_)); }

  private:
    std::string_view text_;
    std::size_t offset_;
    std::size_t done_ = 0;
    std::string out_;
};

class Printer {
  public:
    Printer(const DateMatch& like, const Date& date) : like_(like), date_(date) {}

    // The year in place of the one of `era`; false when it has no words there.
    [[nodiscard]] bool year(Rewriting& text, const EraReading& era) const {
        if (!era.year || date_.year == like_.date.year) {
            return true;
        }
        const std::string& own = like_.reading.era.name;
        const std::string& name = own.empty() && like_.separate ? like_.separate->name : own;
        const Era* listed = like_.calendar->find_era(name);
        std::int64_t number = *date_.year;
        if (listed != nullptr) {
            number = (listed->backward ? listed->first - number : number - listed->first) + 1;
        }
        if (number < (listed != nullptr ? 1 : 0) || number > base::kCalendarYearMax) {
            return false;
        }
        const Numeral& numeral = *era.year;
        const bool in_words =
            numeral.style == Numeral::Style::kUnits || numeral.style == Numeral::Style::kFirst;
        const std::size_t width = like_.reading.iso || numeral.zero_first ? numeral.width : 0;
        text.exchange({numeral.begin, numeral.end}, in_words && number == 1 && !name.empty()
                                                        ? "元"
                                                        : written(number, numeral.style, width));
        return true;
    }

    void month(Rewriting& text) const {
        const DateReading& reading = like_.reading;
        if (date_.month == reading.month && date_.leap == reading.leap) {
            return;
        }
        std::string words = date_.leap ? "闰" : "";
        if (reading.month_number) {
            words += written(date_.month, reading.month_number->style, is_padded() ? 2 : 0);
        } else {
            const auto& names =
                like_.calendar->months[static_cast<std::size_t>(date_.month) - 1].names;
            words += names.empty() ? written(date_.month, Numeral::Style::kUnits, 0) + "月"
                                   : names.front();
        }
        text.exchange(reading.month_span, words);
    }

    [[nodiscard]] bool day(Rewriting& text) const {
        const DateReading& reading = like_.reading;
        if (date_.day == reading.day.value) {
            return true;
        }
        if (date_.day < 0) {
            return false;
        }
        if (reading.lunar) {
            const bool plain =
                reading.day.value > 20 && reading.day.value < 30 && !reading.day.short_tens;
            text.exchange(reading.day_span, written_lunar(date_.day, !plain));
        } else {
            const bool zero = like_.calendar->is_counter() && reading.day.zero_first;
            const std::size_t width = zero ? reading.day.width : is_padded() ? 2 : 0;
            text.exchange(reading.day_span, written(date_.day, reading.day.style, width));
        }
        return true;
    }

    [[nodiscard]] bool weekday(Rewriting& text, std::optional<std::int64_t> days) const {
        const auto& found = like_.reading.weekday;
        if (!found || days == 0) {
            return true;
        }
        if (!days) {
            return false;
        }
        const auto length = static_cast<std::int64_t>(like_.calendar->day.week.size());
        const std::int64_t moved =
            (static_cast<std::int64_t>(found->day) + *days % length + length) % length;
        text.exchange(found->span,
                      like_.calendar->day.week[static_cast<std::size_t>(moved)][found->form]);
        return true;
    }

  private:
    // mm月dd日: a zero shows it, one digit where two could stand shows the contrary. Two digits in
    // both places are taken for it where no year is written.
    [[nodiscard]] bool is_padded() const {
        const DateReading& reading = like_.reading;
        if (!reading.month_number || reading.lunar) {
            return reading.month_number && reading.month_number->zero_first;
        }
        const Numeral& month = *reading.month_number;
        return month.zero_first || reading.day.zero_first ||
               (month.width == 2 && reading.day.width == 2 && (reading.iso || !reading.era.year));
    }

    const DateMatch& like_;
    const Date& date_;
};

}  // namespace

std::optional<DateTexts> rewrite_date(const DateMatch& like, const DateTexts& texts,
                                      const Date& date, std::optional<std::int64_t> days) {
    const Printer printer(like, date);
    DateTexts out = texts;
    if (like.separate) {
        Rewriting text(texts.era);
        if (!printer.year(text, *like.separate)) {
            return std::nullopt;
        }
        out.era = text.finish();
    }
    Rewriting text(texts.date);
    if (!printer.year(text, like.reading.era)) {
        return std::nullopt;
    }
    if (!like.calendar->is_counter()) {
        printer.month(text);
    }
    if (!printer.day(text) || !printer.weekday(text, days)) {
        return std::nullopt;
    }
    out.date = text.finish();
    return out;
}

}  // namespace arbiter::calendar::internal
