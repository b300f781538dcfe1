package dev.leeway.proxy.backend;

import java.util.Arrays;
import java.util.Objects;

/**
 * What a login to a server settles for the life of the connection.
 *
 * @param account who logs in
 * @param capabilities those of {@link dev.leeway.proxy.wire.Capabilities#OF_SESSION} that are
 *     wanted
 * @param collation the client's, as in its own login
 * @param maxPacketBytes the client's, as in its own login
 * @param schema to begin in; empty for none
 * @param attributes the connection attributes as they travel
 */
public record ServerSession(
    Account account,
    int capabilities,
    int collation,
    int maxPacketBytes,
    String schema,
    byte[] attributes) {

  /** The same login without connection attributes. */
  public ServerSession withoutAttributes() {
    return new ServerSession(account, capabilities, collation, maxPacketBytes, schema, new byte[0]);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ServerSession that
        && capabilities == that.capabilities
        && collation == that.collation
        && maxPacketBytes == that.maxPacketBytes
        && account.user().equals(that.account.user())
        && Arrays.equals(account.password(), that.account.password())
        && schema.equals(that.schema)
        && Arrays.equals(attributes, that.attributes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(account.user(), capabilities, collation, schema);
  }

  @Override
  public String toString() {
    return account + " in schema '" + schema + "'";
  }
}
