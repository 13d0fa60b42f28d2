/**
 * Describes the external store behind a map, as the map's entries need it. Holds no entries and
 * talks to no database.
 */
@NullMarked
package io.keyvalueserve.maps.external;

import org.jspecify.annotations.NullMarked;
