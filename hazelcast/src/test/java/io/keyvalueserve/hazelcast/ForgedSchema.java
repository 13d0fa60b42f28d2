package io.keyvalueserve.hazelcast;

import com.hazelcast.internal.serialization.impl.compact.FieldDescriptor;
import com.hazelcast.internal.serialization.impl.compact.Schema;
import com.hazelcast.internal.serialization.impl.compact.SchemaWriter;
import com.hazelcast.nio.serialization.FieldKind;

/**
 * A schema with an id of one's choice. The id is linear in the bits of the type's name, so that a
 * name of zeros and ones is found by solving as many equations as the id has bits.
 */
final class ForgedSchema {
  private static final int DIGITS = 128;

  private ForgedSchema() {}

  /** Another schema than any that a test has, with this id. */
  static Schema withId(long id) {
    char[] name = "0".repeat(DIGITS).toCharArray();
    long missing = id(name) ^ id;
    long[] effects = new long[Long.SIZE]; // by their highest bits
    boolean[][] digits = new boolean[Long.SIZE][];
    for (int i = 0; i < DIGITS; i++) {
      long effect = id(flipped(name, i)) ^ id(name);
      boolean[] used = new boolean[DIGITS];
      used[i] = true;
      while (effect != 0) {
        int bit = Long.SIZE - 1 - Long.numberOfLeadingZeros(effect);
        if (effects[bit] == 0) {
          effects[bit] = effect;
          digits[bit] = used;
          break;
        }
        effect ^= effects[bit];
        flip(used, digits[bit]);
      }
    }
    boolean[] chosen = new boolean[DIGITS];
    while (missing != 0) {
      int bit = Long.SIZE - 1 - Long.numberOfLeadingZeros(missing);
      missing ^= effects[bit];
      flip(chosen, digits[bit]);
    }
    for (int i = 0; i < DIGITS; i++) {
      name[i] = chosen[i] ? '1' : '0';
    }
    Schema forged = schema(name);
    if (forged.getSchemaId() != id) {
      throw new IllegalStateException("not forged: " + forged.getSchemaId());
    }
    return forged;
  }

  private static void flip(boolean[] digits, boolean[] by) {
    for (int i = 0; i < digits.length; i++) {
      digits[i] ^= by[i];
    }
  }

  private static char[] flipped(char[] name, int i) {
    char[] other = name.clone();
    other[i] = other[i] == '0' ? '1' : '0';
    return other;
  }

  private static long id(char[] name) {
    return schema(name).getSchemaId();
  }

  private static Schema schema(char[] name) {
    return schema(new String(name), "forged");
  }

  /** A schema of numbers. */
  static Schema schema(String type, String... fields) {
    SchemaWriter writer = new SchemaWriter(type);
    for (String field : fields) {
      writer.addField(new FieldDescriptor(field, FieldKind.INT32));
    }
    return writer.build();
  }
}
