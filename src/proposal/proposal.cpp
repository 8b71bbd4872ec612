#include "proposal/proposal.h"

namespace arbiter::proposal {

bool is_same_request(Proposal a, Proposal b) {
    for (Proposal* each : {&a, &b}) {
        each->remarks.clear();
        for (Problem& problem : each->problems) {
            problem.details.clear();
        }
    }
    return a == b;
}

}  // namespace arbiter::proposal
