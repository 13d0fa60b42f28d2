/** Bounds for logs: what can happen without end is not logged each time. */
@NullMarked
package io.keyvalueserve.tenancy.log;

import org.jspecify.annotations.NullMarked;
