@NullMarked
package io.keyvalueserve.tenancy.metering;

import org.jspecify.annotations.NullMarked;
