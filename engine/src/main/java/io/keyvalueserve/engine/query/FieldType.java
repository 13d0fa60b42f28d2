package io.keyvalueserve.engine.query;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;

/** The type of a field's values. A value of a type is null or an object of its class. */
public enum FieldType {
  BOOLEAN(Boolean.class),
  TINYINT(Byte.class),
  SMALLINT(Short.class),
  INTEGER(Integer.class),
  BIGINT(Long.class),
  DECIMAL(BigDecimal.class),
  REAL(Float.class),
  DOUBLE(Double.class),
  VARCHAR(String.class),
  VARBINARY(byte[].class),
  DATE(LocalDate.class),
  TIME(LocalTime.class),
  TIMESTAMP(LocalDateTime.class),
  TIMESTAMP_WITH_TIME_ZONE(OffsetDateTime.class),
  /** The text of a JSON document. */
  JSON(JsonText.class),
  /** A value as it is stored: of any class, not converted. */
  OBJECT(Object.class);

  private final Class<?> javaClass;

  FieldType(Class<?> javaClass) {
    this.javaClass = javaClass;
  }

  /** Returns the class of the values that are not null. */
  public Class<?> javaClass() {
    return javaClass;
  }

  /** Returns whether values are numbers. */
  public boolean isNumber() {
    return switch (this) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE -> true;
      default -> false;
    };
  }
}
