/** The messages between the members of a cluster, as far as they are the same for all purposes. */
@NullMarked
package io.keyvalueserve.maps.message;

import org.jspecify.annotations.NullMarked;
