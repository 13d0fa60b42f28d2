/** How the members of a cluster know each other. */
@NullMarked
package io.keyvalueserve.grid.member;

import org.jspecify.annotations.NullMarked;
