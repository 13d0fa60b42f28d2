package io.keyvalueserve.postgres.plan;

import io.keyvalueserve.postgres.types.PgType;

/** A column of a result. */
public record ResultColumn(String name, PgType type) {}
