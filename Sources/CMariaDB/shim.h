#include <mysql.h>
#include <errmsg.h>
