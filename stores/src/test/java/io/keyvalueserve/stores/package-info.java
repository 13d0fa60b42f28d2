/** Tests of the tables of external databases, against real ones. */
@NullMarked
package io.keyvalueserve.stores;

import org.jspecify.annotations.NullMarked;
