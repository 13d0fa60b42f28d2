/** Tests of the door for Redis clients: from the decoder up to real clients over real sockets. */
@NullMarked
package io.keyvalueserve.resp;

import org.jspecify.annotations.NullMarked;
