/** The text of statements: tokens, rewriting for the parser, and statements that it has not. */
@NullMarked
package io.keyvalueserve.sql.text;

import org.jspecify.annotations.NullMarked;
