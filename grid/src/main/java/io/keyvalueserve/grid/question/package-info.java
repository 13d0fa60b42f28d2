/**
 * Questions that one member puts to all: text in, text out, by topic. For what people ask now and
 * then; nothing on the path of a request.
 */
@NullMarked
package io.keyvalueserve.grid.question;

import org.jspecify.annotations.NullMarked;
