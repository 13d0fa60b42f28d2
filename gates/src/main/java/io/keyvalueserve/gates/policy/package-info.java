/** The one policy that every door asks. */
@NullMarked
package io.keyvalueserve.gates.policy;

import org.jspecify.annotations.NullMarked;
