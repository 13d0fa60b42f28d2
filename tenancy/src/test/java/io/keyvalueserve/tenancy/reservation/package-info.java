@NullMarked
package io.keyvalueserve.tenancy.reservation;

import org.jspecify.annotations.NullMarked;
