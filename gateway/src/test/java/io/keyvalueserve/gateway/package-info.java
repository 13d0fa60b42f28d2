/** Tests of the door for Redis clients: from the decoder up to real clients over real sockets. */
@NullMarked
package io.keyvalueserve.gateway;

import org.jspecify.annotations.NullMarked;
