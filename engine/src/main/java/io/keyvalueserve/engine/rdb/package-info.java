/**
 * Values in the format of DUMP and RESTORE, which is that of Redis' RDB files: a type, the value,
 * the format's version, and a checksum. {@link io.keyvalueserve.engine.rdb.RdbWriter} and {@link
 * io.keyvalueserve.engine.rdb.RdbReader} know lengths and strings. {@link
 * io.keyvalueserve.engine.rdb.RdbCollectionWriter} and {@link
 * io.keyvalueserve.engine.rdb.RdbCollectionReader} know collections, which are made of these. Redis
 * packs small collections into one string; {@link io.keyvalueserve.engine.rdb.ElementSource} is
 * such a string.
 */
@NullMarked
package io.keyvalueserve.engine.rdb;

import org.jspecify.annotations.NullMarked;
