@NullMarked
package io.keyvalueserve.billing.metering;

import org.jspecify.annotations.NullMarked;
