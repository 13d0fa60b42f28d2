/** The ways to other members: what many clients ask of one travels in few messages. */
@NullMarked
package io.keyvalueserve.grid.link;

import org.jspecify.annotations.NullMarked;
