@NullMarked
package io.keyvalueserve.billing.pricing;

import org.jspecify.annotations.NullMarked;
