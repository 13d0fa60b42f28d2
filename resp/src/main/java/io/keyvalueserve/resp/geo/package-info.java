/**
 * Positions on the earth as scores of sorted sets, and the areas that a search covers. Knows no
 * command and no session.
 */
@NullMarked
package io.keyvalueserve.resp.geo;

import org.jspecify.annotations.NullMarked;
