@NullMarked
package io.keyvalueserve.tenancy.grant;

import org.jspecify.annotations.NullMarked;
