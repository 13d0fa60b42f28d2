/** Tells who holds locks on keys, and releases a lock without its holder. */
@NullMarked
package io.keyvalueserve.grid.lock;

import org.jspecify.annotations.NullMarked;
