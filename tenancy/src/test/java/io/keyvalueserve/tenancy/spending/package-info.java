@NullMarked
package io.keyvalueserve.tenancy.spending;

import org.jspecify.annotations.NullMarked;
