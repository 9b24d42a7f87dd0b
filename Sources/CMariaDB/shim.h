// SPDX-License-Identifier: Apache-2.0

#include <mysql.h>
#include <errmsg.h>
