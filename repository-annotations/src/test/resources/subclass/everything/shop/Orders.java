package shop;

import dev.leeway.annotation.Fallback;
import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import lib.Base;
import org.jspecify.annotations.Nullable;

@RoutedRepository
@Singleton
@Transactional
@Tenant(
    name = "\"a\\\u00fc\n'",
    kinds = {String.class, int[].class, Map.Entry.class},
    mode = Fallback.STALE,
    letter = '\'',
    small = -1,
    large = 1L << 40,
    single = Float.NEGATIVE_INFINITY,
    twofold = Double.NaN,
    flag = true,
    tags = {@Tenant.Tag("one"), @Tenant.Tag("two")})
@SuppressWarnings("this-escape")
public class Orders<K extends Comparable<K> & Serializable> extends Base<K>
    implements Finder<K, List<String>> {
  @Inject
  @SuppressWarnings("LW-105")
  public Orders(@Named("main") String name, @Nullable K key) throws IOException {
    log.add("made " + name + " " + key);
    inherited(key);
  }

  protected Orders(int... leewayBoundary) {
    log.add("made with " + leewayBoundary.length);
  }

  <T extends Number> Orders(T number) {
    log.add("made with " + number);
  }

  private Orders(List<String> hidden) {}

  @ReadReplica(maxStaleness = "5s", fallback = Fallback.STALE, catchUp = "50ms")
  public <X extends Exception, V extends List<? super K>> @Nullable Map<K, ? extends V> generic(
      V values, Class<X> type, @Nullable String @Nullable [] @Nullable [] texts) throws X {
    log.add("generic " + values);
    return null;
  }

  @Write
  public synchronized int many(K leewayScope, String... leewayScope_) {
    log.add("many " + leewayScope_.length + " " + Thread.holdsLock(this));
    return leewayScope_.length;
  }

  @ReadPrimary(because = "says \"now\", \u00fc and \n too")
  protected @Nullable K protectedOne() {
    log.add("protectedOne");
    return null;
  }

  @Write
  void packagePrivate() {
    log.add("packagePrivate");
  }

  @ReadReplica
  @Deprecated
  public long old() {
    log.add("old");
    return 7;
  }

  @Write
  public void fails() throws FileNotFoundException {
    throw new FileNotFoundException("as it is");
  }

  @Transactional(timeout = 5)
  @Write
  public void transactional() {
    log.add("transactional");
    undeclared();
    old();
  }

  @Override
  public List<String> find(K key) {
    log.add("find " + key);
    return List.of();
  }

  @Override
  public void save(K entity) {
    log.add("save " + entity);
  }

  List<String> log() {
    return log;
  }

  @RoutedRepository
  static class Lines {
    @Write
    void add() {}
  }
}
