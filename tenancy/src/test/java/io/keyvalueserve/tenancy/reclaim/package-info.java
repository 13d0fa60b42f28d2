@NullMarked
package io.keyvalueserve.tenancy.reclaim;

import org.jspecify.annotations.NullMarked;
