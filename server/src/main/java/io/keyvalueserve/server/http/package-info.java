/** The HTTP API for operators, health and metrics. */
@NullMarked
package io.keyvalueserve.server.http;

import org.jspecify.annotations.NullMarked;
