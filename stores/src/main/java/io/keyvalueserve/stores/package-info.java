/** Tables of external SQL databases that lie behind maps, by JDBC. */
@NullMarked
package io.keyvalueserve.stores;

import org.jspecify.annotations.NullMarked;
