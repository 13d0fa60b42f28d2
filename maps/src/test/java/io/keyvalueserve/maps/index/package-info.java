/** That indexes off the heap find what Hazelcast's own find, and what they cost. */
@NullMarked
package io.keyvalueserve.maps.index;

import org.jspecify.annotations.NullMarked;
