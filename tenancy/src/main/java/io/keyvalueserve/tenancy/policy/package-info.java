/** The one policy that every door asks. */
@NullMarked
package io.keyvalueserve.tenancy.policy;

import org.jspecify.annotations.NullMarked;
