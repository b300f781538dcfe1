import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;
import dev.leeway.annotation.Write;
import java.util.List;

interface Finder<K> {
  String find(K key);
}

@RoutedRepository
public interface Orders extends Finder<Long> {
  List<String> list(long customer, String... states);

  @ReadReplica
  List<String> list();

  default long count() {
    return list().size();
  }

  @Override
  String toString();

  static void helper() {}
}

@RoutedRepository
class Carts {
  public String find(int[] ids) {
    return "";
  }

  @Write
  public void save() {}

  void helper() {}

  @Override
  public String toString() {
    return "carts";
  }
}

@RoutedRepository
class MoreCarts extends Carts {
  @Write
  public void clear() {}
}

@RoutedRepository
@ReadReplica
interface Reports {
  long sales();
}
