@NullMarked
package io.keyvalueserve.gates.latency;

import org.jspecify.annotations.NullMarked;
