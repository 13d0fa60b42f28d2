/** Statements that are ready to be carried out, whoever carries them out. */
@NullMarked
package io.keyvalueserve.postgres.plan;

import org.jspecify.annotations.NullMarked;
