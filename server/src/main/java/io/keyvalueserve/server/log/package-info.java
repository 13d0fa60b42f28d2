/** The classes that the log's configuration, {@code logback.xml}, needs besides Logback. */
@NullMarked
package io.keyvalueserve.server.log;

import org.jspecify.annotations.NullMarked;
