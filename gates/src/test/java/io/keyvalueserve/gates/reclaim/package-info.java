@NullMarked
package io.keyvalueserve.gates.reclaim;

import org.jspecify.annotations.NullMarked;
