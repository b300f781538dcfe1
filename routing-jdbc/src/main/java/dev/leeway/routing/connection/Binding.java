package dev.leeway.routing.connection;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * What can be bound to a parameter, as a number, some bits and a reference: a form that needs no
 * object of its own for the common types.
 */
final class Binding {
  /** A way to bind that has no number of its own. */
  interface Binder {
    void bind(PreparedStatement statement, int index) throws SQLException;
  }

  static final int NOTHING = 0;
  static final int BOOLEAN = 1;
  static final int BYTE = 2;
  static final int SHORT = 3;
  static final int INT = 4;
  static final int LONG = 5;
  static final int FLOAT = 6;
  static final int DOUBLE = 7;
  static final int STRING = 8;
  static final int BIG_DECIMAL = 9;
  static final int BYTES = 10;
  static final int DATE = 11;
  static final int TIME = 12;
  static final int TIMESTAMP = 13;
  static final int OBJECT = 14;
  static final int NULL = 15;

  /** The reference is a {@link Binder} that can bind again and again. */
  static final int BINDER = 16;

  /** The reference is a {@link Binder} that uses up what it binds, such as a stream. */
  static final int BINDER_ONCE = 17;

  private Binding() {}

  static void apply(
      PreparedStatement statement, int index, int kind, long bits, @Nullable Object value)
      throws SQLException {
    switch (kind) {
      case NOTHING -> {
        // The driver says which parameter is missing.
      }
      case BOOLEAN -> statement.setBoolean(index, bits != 0);
      case BYTE -> statement.setByte(index, (byte) bits);
      case SHORT -> statement.setShort(index, (short) bits);
      case INT -> statement.setInt(index, (int) bits);
      case LONG -> statement.setLong(index, bits);
      case FLOAT -> statement.setFloat(index, Float.intBitsToFloat((int) bits));
      case DOUBLE -> statement.setDouble(index, Double.longBitsToDouble(bits));
      case STRING -> statement.setString(index, (String) value);
      case BIG_DECIMAL -> statement.setBigDecimal(index, (BigDecimal) value);
      case BYTES -> statement.setBytes(index, (byte[]) value);
      case DATE -> statement.setDate(index, (Date) value);
      case TIME -> statement.setTime(index, (Time) value);
      case TIMESTAMP -> statement.setTimestamp(index, (Timestamp) value);
      case OBJECT -> statement.setObject(index, value);
      case NULL -> statement.setNull(index, (int) bits);
      case BINDER, BINDER_ONCE -> {
        if (value instanceof Binder binder) {
          binder.bind(statement, index);
        }
      }
      default -> throw new IllegalStateException("no such kind of binding: " + kind);
    }
  }
}
