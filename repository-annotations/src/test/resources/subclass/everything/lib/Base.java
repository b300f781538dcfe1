package lib;

import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

public abstract class Base<E> {
  protected final List<String> log = new ArrayList<>();

  @ReadReplica(maxStaleness = "1s")
  protected List<E> inherited(E key) throws IOException {
    log.add("inherited " + key);
    return List.of(key);
  }

  @ReadReplica
  @SuppressWarnings({"unchecked", "varargs"})
  public <T extends E> Map<? extends T, @Nullable E[]> rebound(
      List<@Nullable E> values, @Nullable T one, @Nullable E... more) {
    log.add("rebound " + values);
    return Map.of();
  }

  @Write
  public abstract void save(E entity);

  protected void undeclared() {
    log.add("undeclared");
  }
}
