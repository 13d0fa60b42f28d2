/** What the members of a cluster say to each other, as far as it is the same whatever they say. */
@NullMarked
package io.keyvalueserve.maps.message;

import org.jspecify.annotations.NullMarked;
