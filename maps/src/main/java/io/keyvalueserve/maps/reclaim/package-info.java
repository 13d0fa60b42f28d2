/**
 * Memory of the member's maps when it runs short: who gives up how much is planned by tenant
 * ({@code gates.reclaim}), and carried out while requests go on.
 */
@NullMarked
package io.keyvalueserve.maps.reclaim;

import org.jspecify.annotations.NullMarked;
