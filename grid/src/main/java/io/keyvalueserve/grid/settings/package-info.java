/**
 * Keeps the settings of maps, which outlive the maps: in a system map of the grid, known to every
 * member before it serves.
 */
@NullMarked
package io.keyvalueserve.grid.settings;

import org.jspecify.annotations.NullMarked;
