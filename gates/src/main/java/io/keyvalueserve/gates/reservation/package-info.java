/**
 * Reservations for one tenant alone: maps that nobody else may be granted anything on, members
 * whose doors are open to one tenant, and the memory that goes with both.
 */
@NullMarked
package io.keyvalueserve.gates.reservation;

import org.jspecify.annotations.NullMarked;
