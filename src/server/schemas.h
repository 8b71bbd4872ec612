// The named schemas of requests and answers.
#pragma once

#include "value/object.h"

namespace arbiter::server {

// {"Turn": {…}, …}. Requests refuse unknown fields; answers may grow. Immutable, one shared
// instance.
const value::Object& schemas();

}  // namespace arbiter::server
