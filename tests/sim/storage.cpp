#include "tests/sim/storage.h"

#include "base/check.h"
#include "base/explain.h"
#include "ledger/store/memory.h"
#include "ledger/store/sqlite.h"

namespace arbiter::sim {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char* kFile = "sim.db";
// Small, so that the log is written back often.
constexpr ledger::SqliteOptions kOptions = {.log_pages = 60};

}  // namespace

std::vector<Result<>> FaultStore::commit_all(std::span<const ledger::Commit> commits) {
    const Fault fault = std::exchange(fault_, Fault::kNone);
    if (fault == Fault::kRefused) {
        return {commits.size(),
                std::unexpected(base::Error(ErrorCode::kStoreFailed, {"commit", "simulated"}))};
    }
    if (fault == Fault::kBusy) {
        return {commits.size(), std::unexpected(base::Error(ErrorCode::kStoreBusy))};
    }
    auto results = inner_.commit_all(commits);
    if (fault == Fault::kAnswerLost) {
        for (Result<>& each : results) {
            each = std::unexpected(base::Error(ErrorCode::kStoreFailed, {"commit", "no answer"}));
        }
    }
    return results;
}

Result<ledger::CampaignRow> FaultStore::campaign(std::string_view id) {
    if (fault_ == Fault::kReads) {
        return std::unexpected(base::Error(ErrorCode::kStoreFailed, {"read", "simulated"}));
    }
    return inner_.campaign(id);
}

Result<std::optional<ledger::TurnRow>> FaultStore::turn(std::string_view campaign,
                                                        const ledger::TurnId& id) {
    if (fault_ == Fault::kReads) {
        return std::unexpected(base::Error(ErrorCode::kStoreFailed, {"read", "simulated"}));
    }
    return inner_.turn(campaign, id);
}

Storage::Storage(tests::Random& random, Coverage& coverage) : coverage_(coverage) {
    if (random.chance(12)) {
        disk_ = std::make_unique<ledger::Disk>();
        disk_->remember_operations(false);
        coverage_.count("store", "sqlite");
        CHECK(!open());
    } else {
        coverage_.count("store", "memory");
        inner_ = ledger::make_memory_store();
        faults_ = std::make_unique<FaultStore>(*inner_);
        front_ = faults_.get();
    }
}

Storage::~Storage() {
    faults_.reset();
    inner_.reset();
    disk_.reset();
}

std::optional<std::string> Storage::open() {
    auto opened = ledger::open_sqlite_store(kFile, ledger::Access::kCreate, kOptions);
    if (!opened) {
        coverage_.count("error", base::name(opened.error().code));
        return base::explain(opened.error(), base::Language::kEnglish);
    }
    inner_ = *std::move(opened);
    front_ = inner_.get();
    return std::nullopt;
}

void Storage::arm(tests::Random& random) {
    if (disk_ == nullptr) {
        constexpr std::pair<FaultStore::Fault, const char*> kFaults[] = {
            {FaultStore::Fault::kRefused, "store commit refused"},
            {FaultStore::Fault::kAnswerLost, "store answer lost"},
            {FaultStore::Fault::kBusy, "store busy"},
            {FaultStore::Fault::kReads, "store reads fail"}};
        const auto& [fault, name] = kFaults[random.below(std::size(kFaults))];
        faults_->arm(fault);
        coverage_.count("fault", name);
        return;
    }
    const std::size_t nth = 1 + random.below(12);
    const std::size_t kind = random.below(3);
    is_full_ = kind == 0;
    switch (kind) {
        case 0:
            disk_->fail_write(nth);
            coverage_.count("fault", "disk full (ENOSPC)");
            break;
        case 1:
            disk_->fail_sync(1);
            coverage_.count("fault", "sync fails (EIO)");
            break;
        default:
            disk_->stop_at(nth);
            coverage_.count("fault", "killed inside a commit");
            break;
    }
}

bool Storage::disarm() {
    if (disk_ == nullptr) {
        faults_->arm(FaultStore::Fault::kNone);
        return false;
    }
    needs_opening_ = disk_->is_stopped() || disk_->has_failed();
    disk_->forget_failure();
    if (!disk_->is_stopped()) {
        disk_->stop_at(0);
    }
    return needs_opening_;
}

std::optional<std::string> Storage::crash(tests::Random& random) {
    if (disk_ == nullptr) {
        coverage_.count("fault", "process killed (memory store stays)");
        return std::nullopt;
    }
    // A killed process closes nothing properly: the disk is copied before.
    ledger::Disk::Image image;
    switch (random.below(3)) {
        case 0:
            image = disk_->image();
            coverage_.count("fault", "process killed");
            break;
        case 1:
            image = disk_->image_after_power_cut();
            coverage_.count("fault", "power cut, unsynced writes dropped");
            break;
        default:
            image = disk_->torn_image(random);
            coverage_.count("fault", "power cut, sectors torn");
            break;
    }
    disk_->stop_at(1);
    inner_.reset();
    disk_->put(image);
    needs_opening_ = false;
    return open();
}

ledger::Store* Storage::open_flipped(tests::Random& random) {
    if (disk_ == nullptr) {
        return nullptr;
    }
    inner_.reset();
    image_ = disk_->image();
    ledger::Disk::Image damaged = image_;
    const std::size_t flips = 1 + random.below(3);
    for (std::size_t i = 0; i < flips; ++i) {
        auto at = damaged.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(random.below(damaged.size())));
        if (!at->second.empty()) {
            at->second[random.below(at->second.size())] ^= static_cast<char>(1U << random.below(8));
        }
    }
    coverage_.count("fault", "flipped bits");
    disk_->put(damaged);
    return open() ? nullptr : front_;
}

std::optional<std::string> Storage::restore() {
    if (disk_ == nullptr) {
        return std::nullopt;
    }
    disk_->stop_at(1);
    inner_.reset();
    disk_->put(image_);
    return open();
}

}  // namespace arbiter::sim
