@NullMarked
package io.keyvalueserve.server;

import org.jspecify.annotations.NullMarked;
