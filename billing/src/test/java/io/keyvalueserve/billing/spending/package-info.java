@NullMarked
package io.keyvalueserve.billing.spending;

import org.jspecify.annotations.NullMarked;
