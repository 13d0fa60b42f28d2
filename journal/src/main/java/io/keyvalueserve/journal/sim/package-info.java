/**
 * A disk that exists in memory only and fails as real ones do, and a clock that is told the time.
 */
@NullMarked
package io.keyvalueserve.journal.sim;

import org.jspecify.annotations.NullMarked;
