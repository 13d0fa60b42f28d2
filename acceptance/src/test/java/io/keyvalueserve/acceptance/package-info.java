/** The service as its users meet it: real clients, real processes, real kills. */
@NullMarked
package io.keyvalueserve.acceptance;

import org.jspecify.annotations.NullMarked;
