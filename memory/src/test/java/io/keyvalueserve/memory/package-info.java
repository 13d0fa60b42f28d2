/** Evidence for the memory: models, checks, threads, fuzz. */
@NullMarked
package io.keyvalueserve.memory;

import org.jspecify.annotations.NullMarked;
