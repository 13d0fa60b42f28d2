/** Holds the common parts of the messages between members of a cluster. */
@NullMarked
package io.keyvalueserve.maps.message;

import org.jspecify.annotations.NullMarked;
