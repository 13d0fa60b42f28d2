/** Makes the members of a cluster known to each other. */
@NullMarked
package io.keyvalueserve.grid.member;

import org.jspecify.annotations.NullMarked;
