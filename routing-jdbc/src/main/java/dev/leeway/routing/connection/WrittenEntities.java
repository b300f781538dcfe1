package dev.leeway.routing.connection;

import dev.leeway.gate.EntityKey;
import dev.leeway.routing.decide.Writes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the writes of one transaction concern, as far as all of them said so. */
final class WrittenEntities {
  private final List<EntityKey> keys = new ArrayList<>(1);
  private boolean mayBeAnything;

  /** A write concerns this; null if that was not said. */
  void add(@Nullable EntityKey key) {
    if (key == null || (!keys.contains(key) && keys.size() == Writes.MAX_ENTITIES)) {
      mayBeAnything = true;
    } else if (!keys.contains(key)) {
      keys.add(key);
    }
  }

  /** All of them; empty if it may be anything. */
  List<EntityKey> keys() {
    return mayBeAnything ? List.of() : keys;
  }
}
