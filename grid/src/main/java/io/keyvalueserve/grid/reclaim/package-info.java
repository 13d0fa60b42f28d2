/**
 * Memory of the member's maps when it runs short: who gives up how much is planned by tenant
 * ({@code tenancy.reclaim}), and carried out while requests go on.
 */
@NullMarked
package io.keyvalueserve.grid.reclaim;

import org.jspecify.annotations.NullMarked;
