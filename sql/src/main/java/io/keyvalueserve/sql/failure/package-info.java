/** Failures of statements inside this module, before a client sees them. */
@NullMarked
package io.keyvalueserve.sql.failure;

import org.jspecify.annotations.NullMarked;
