@NullMarked
package io.keyvalueserve.gateway;

import org.jspecify.annotations.NullMarked;
