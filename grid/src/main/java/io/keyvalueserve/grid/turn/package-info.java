/**
 * Whose turn it is on a partition thread, and on a thread that reads clients' connections: what
 * waits there is sorted by tenant, and tenants share the thread by weight and by the time that
 * their operations take.
 */
@NullMarked
package io.keyvalueserve.grid.turn;

import org.jspecify.annotations.NullMarked;
