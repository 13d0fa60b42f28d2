/**
 * A disk that exists in memory only and fails as real ones do, one that has its cache in memory and
 * loses it with the process, and a clock that is told the time.
 */
@NullMarked
package io.keyvalueserve.journal.sim;

import org.jspecify.annotations.NullMarked;
