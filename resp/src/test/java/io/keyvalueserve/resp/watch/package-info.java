@NullMarked
package io.keyvalueserve.resp.watch;

import org.jspecify.annotations.NullMarked;
