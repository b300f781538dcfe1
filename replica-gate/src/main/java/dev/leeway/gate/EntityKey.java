package dev.leeway.gate;

import java.util.Objects;

/**
 * What a write concerned, or what a read looks at: one entity, such as order 42, or all of a kind.
 *
 * <p>Only hashes are kept, so that a key costs 16 bytes in a token and tells its holder nothing.
 * Two entities with the same hash are taken for one, which can only make a read more current than
 * it need be.
 *
 * @param kind the hash of the kind's name
 * @param id the hash of the entity's id; {@link #ALL} for all of the kind
 */
public record EntityKey(long kind, long id) {
  /** The {@link #id} that stands for every entity of a kind. */
  public static final long ALL = 0;

  private static final long OFFSET = 0xcbf2_9ce4_8422_2325L;
  private static final long PRIME = 0x100_0000_01b3L;

  /**
   * All entities of a kind.
   *
   * @param kind any name that those who write and those who read agree on; not blank
   * @throws IllegalArgumentException if the name is blank
   */
  public static EntityKey of(String kind) {
    Objects.requireNonNull(kind, "kind");
    if (kind.isBlank()) {
      throw new IllegalArgumentException(
          "Entity key - kind \"" + kind + "\" (expected: a name such as \"order\")");
    }
    return new EntityKey(hash(kind), ALL);
  }

  /**
   * One entity.
   *
   * @param id told apart from others by its text, so that 42 and "42" are the same
   */
  public static EntityKey of(String kind, Object id) {
    Objects.requireNonNull(id, "id");
    long hash = hash(id.toString());
    return new EntityKey(of(kind).kind, hash == ALL ? 1 : hash);
  }

  /** All entities of this one's kind. */
  public EntityKey ofAll() {
    return id == ALL ? this : new EntityKey(kind, ALL);
  }

  private static long hash(String text) {
    long hash = OFFSET;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * PRIME;
    }
    return hash;
  }
}
