/** That indexes off the heap find what Hazelcast's own find, and what they cost. */
@NullMarked
package io.keyvalueserve.grid.hd.index;

import org.jspecify.annotations.NullMarked;
