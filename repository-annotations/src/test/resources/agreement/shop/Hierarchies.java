package shop;

import dev.leeway.annotation.Fallback;
import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Every way a method can come by its intent. */
class Hierarchies {
  interface Crud<E, K extends Comparable<K>> {
    @ReadReplica(maxStaleness = "1s")
    Optional<E> find(K key);

    @Write
    void save(E entity);

    @Write
    <T extends E> void saveAll(List<T> entities, T[] more, Map<K, E>... maps);

    @ReadPrimary(because = "arrays")
    E[] findAll(K[] keys, int[][] numbers);

    default void nothing() {}
  }

  @ReadReplica(fallback = Fallback.STALE)
  interface Renamed<A extends Comparable<A>, B> extends Crud<B, A> {
    void covered();

    @Override
    String toString();
  }

  @RoutedRepository
  interface Concrete extends Renamed<Long, String> {
    @Override
    Optional<String> find(Long key);

    Optional<String> find(Integer key);
  }

  @Write
  abstract static class Base<E> implements Crud<E, Long> {
    @Override
    public abstract void save(E entity);

    public void inBase() {}

    protected void helper() {}

    void packagePrivate() {}
  }

  @RoutedRepository
  static class Orders extends Base<String> implements Renamed<Long, String> {
    @Override
    public Optional<String> find(Long key) {
      return Optional.empty();
    }

    @ReadReplica(maxStaleness = "2s", catchUp = "0s")
    public Optional<String> find(Integer key) {
      return Optional.empty();
    }

    public Optional<String> find(Object key) {
      return Optional.empty();
    }

    @Override
    public void save(String entity) {}

    @Override
    @SuppressWarnings("unchecked")
    public <T extends String> void saveAll(
        List<T> entities, T[] more, Map<Long, String>... maps) {}

    @Override
    public String[] findAll(Long[] keys, int[][] numbers) {
      return new String[0];
    }

    @Override
    public void covered() {}

    public void added() {}

    @Override
    public void helper() {}

    @ReadReplica
    protected void annotatedHelper() {}

    private void hidden() {}

    static void shared() {}

    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public boolean equals(Object other) {
      return other == this;
    }
  }

  @ReadPrimary(because = "ledger")
  static class Ledger extends Orders {
    @Override
    public void inBase() {}

    @Override
    public void added() {}
  }

  @SuppressWarnings({"rawtypes", "unchecked"})
  @RoutedRepository
  static class Raw implements Crud {
    @Override
    public Optional find(Comparable key) {
      return Optional.empty();
    }

    @Override
    public void save(Object entity) {}

    @Override
    public void saveAll(List entities, Object[] more, Map... maps) {}

    @Override
    public Object[] findAll(Comparable[] keys, int[][] numbers) {
      return keys;
    }
  }

  interface Wide {
    @ReadReplica
    void get();
  }

  interface Narrow extends Wide {
    @Override
    @ReadPrimary(because = "narrower")
    void get();
  }

  interface Same {
    @ReadReplica
    void get();
  }

  @RoutedRepository
  record Diamond(int number) implements Wide, Narrow {
    @Override
    public void get() {}
  }

  @RoutedRepository
  enum Agreed implements Wide, Same {
    ONE;

    @Override
    public void get() {}
  }
}
