import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;
import java.util.List;
import java.util.function.Supplier;

interface Orders {
  @ReadReplica(maxStaleness = "5s")
  List<String> list();

  @ReadReplica(maxStaleness = "5s")
  List<String> list(int limit);

  @ReadPrimary(because = "the last one must not sell twice")
  long stock();

  @Write
  void place();
}

class JdbcOrders implements Orders {
  private final long initial = stock();

  @Override
  public List<String> list() {
    return stock() > 0 ? list(10) : List.of();
  }

  @Override
  public List<String> list(int limit) {
    Supplier<Long> later = this::stock;
    return List.of(later.get().toString());
  }

  @Override
  public long stock() {
    return initial;
  }

  @Override
  public void place() {
    Runnable task =
        new Runnable() {
          @Override
          public void run() {
            JdbcOrders.this.list();
          }
        };
    task.run();
    new JdbcOrders().list();
    helper();
  }

  private void helper() {
    place();
  }

  @SuppressWarnings("LW-105")
  void accepted() {
    place();
  }
}
