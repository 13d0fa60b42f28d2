/**
 * Shares threads among tenants: partition threads, threads that read clients' connections, and a
 * pool for operations on no partition. Tasks that wait are sorted by tenant. Tenants share the
 * threads by weight and by the time that their operations take.
 */
@NullMarked
package io.keyvalueserve.grid.turn;

import org.jspecify.annotations.NullMarked;
