/**
 * Quotas over all members: carries what {@code gates.admission} has to say from member to member,
 * and looks what tenants have here.
 */
@NullMarked
package io.keyvalueserve.grid.quota;

import org.jspecify.annotations.NullMarked;
