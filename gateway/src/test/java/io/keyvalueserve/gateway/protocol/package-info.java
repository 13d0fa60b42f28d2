@NullMarked
package io.keyvalueserve.gateway.protocol;

import org.jspecify.annotations.NullMarked;
