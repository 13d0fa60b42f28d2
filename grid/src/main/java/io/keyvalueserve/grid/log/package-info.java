/** Bounds for the lines that Hazelcast logs. */
@NullMarked
package io.keyvalueserve.grid.log;

import org.jspecify.annotations.NullMarked;
