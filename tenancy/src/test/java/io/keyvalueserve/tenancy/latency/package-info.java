@NullMarked
package io.keyvalueserve.tenancy.latency;

import org.jspecify.annotations.NullMarked;
