/** That what clients and tenants cause does not fill the log. */
@NullMarked
package io.keyvalueserve.grid.log;

import org.jspecify.annotations.NullMarked;
