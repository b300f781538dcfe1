package shop;

import dev.leeway.annotation.ReadReplica;

interface Finder<K, V> {
  @ReadReplica(maxStaleness = "2s")
  V find(K key);

  @ReadReplica(maxStaleness = "3s")
  default V findOr(K key, V other) {
    V found = find(key);
    return found == null ? other : found;
  }
}
