@NullMarked
package io.keyvalueserve.tenancy.pricing;

import org.jspecify.annotations.NullMarked;
