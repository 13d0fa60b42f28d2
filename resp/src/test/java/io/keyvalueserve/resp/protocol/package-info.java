@NullMarked
package io.keyvalueserve.resp.protocol;

import org.jspecify.annotations.NullMarked;
