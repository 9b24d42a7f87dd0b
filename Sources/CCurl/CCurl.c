// The package manager wants a source file; all is in the header.
#include "CCurl.h"
