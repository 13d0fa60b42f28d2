/**
 * Whose turn it is on a partition thread, on a thread that reads clients' connections, and in a
 * pool for what is on no partition: what waits there is sorted by tenant, and tenants share the
 * threads by weight and by the time that their operations take.
 */
@NullMarked
package io.keyvalueserve.grid.turn;

import org.jspecify.annotations.NullMarked;
