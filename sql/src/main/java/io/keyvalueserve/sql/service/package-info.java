/** Sessions: statements are admitted, planned, carried out and counted. */
@NullMarked
package io.keyvalueserve.sql.service;

import org.jspecify.annotations.NullMarked;
