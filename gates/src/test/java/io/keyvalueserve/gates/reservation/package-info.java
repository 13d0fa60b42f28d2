@NullMarked
package io.keyvalueserve.gates.reservation;

import org.jspecify.annotations.NullMarked;
