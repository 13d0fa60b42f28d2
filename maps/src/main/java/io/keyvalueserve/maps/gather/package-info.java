/**
 * Bounds the Java heap that the results of requests take on a member while they are gathered, and
 * until they are answered.
 */
@NullMarked
package io.keyvalueserve.maps.gather;

import org.jspecify.annotations.NullMarked;
