@NullMarked
package io.keyvalueserve.maps.reclaim;

import org.jspecify.annotations.NullMarked;
