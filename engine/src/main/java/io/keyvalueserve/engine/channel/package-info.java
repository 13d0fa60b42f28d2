/** The port for messages that clients publish on channels. */
@NullMarked
package io.keyvalueserve.engine.channel;

import org.jspecify.annotations.NullMarked;
