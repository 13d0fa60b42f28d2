@NullMarked
package io.keyvalueserve.resp.geo;

import org.jspecify.annotations.NullMarked;
