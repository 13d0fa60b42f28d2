@NullMarked
package io.keyvalueserve.resp.command;

import org.jspecify.annotations.NullMarked;
