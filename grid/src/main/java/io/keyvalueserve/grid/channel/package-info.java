/** Published messages between members, and which member has subscribers of which tenant. */
@NullMarked
package io.keyvalueserve.grid.channel;

import org.jspecify.annotations.NullMarked;
