/**
 * Tables of tenants over maps of the grid: their definitions, scans over all members, and writes.
 *
 * <p>A scan asks members for pages. A request carries all that a member needs, so a member keeps
 * nothing between two pages, and a page that was lost with a member is asked for again.
 */
@NullMarked
package io.keyvalueserve.grid.query;

import org.jspecify.annotations.NullMarked;
