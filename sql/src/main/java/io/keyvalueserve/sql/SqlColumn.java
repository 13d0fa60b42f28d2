package io.keyvalueserve.sql;

import io.keyvalueserve.engine.query.FieldType;

/** A column of a result. */
public record SqlColumn(String name, FieldType type, boolean isNullable) {}
