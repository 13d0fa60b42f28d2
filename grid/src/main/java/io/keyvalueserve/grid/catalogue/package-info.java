/** Keeps the catalogue of tenants, in system maps of the grid itself. */
@NullMarked
package io.keyvalueserve.grid.catalogue;

import org.jspecify.annotations.NullMarked;
