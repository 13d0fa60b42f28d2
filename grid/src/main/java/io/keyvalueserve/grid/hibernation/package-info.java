/**
 * Tenants that nobody uses leave memory, and come back on their first request. {@link
 * io.keyvalueserve.grid.hibernation.Hibernator} puts them to sleep and wakes them; {@link
 * io.keyvalueserve.grid.hibernation.SleepingTenants} is what each member does for that.
 */
@NullMarked
package io.keyvalueserve.grid.hibernation;

import org.jspecify.annotations.NullMarked;
