/** Lets the members of a cluster recognize each other. */
@NullMarked
package io.keyvalueserve.grid.member;

import org.jspecify.annotations.NullMarked;
