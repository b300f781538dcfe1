import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.RoutedRepository;

class Shop {
  @RoutedRepository
  private static class Hidden {
    @ReadReplica
    public void find() {}
  }

  @RoutedRepository
  class Inner {
    @ReadReplica
    public void find() {}
  }

  @RoutedRepository
  static class Closed {
    private Closed() {}

    @ReadReplica
    public void find() {}
  }

  @RoutedRepository
  static sealed class Sealed permits Only {
    @ReadReplica
    public void find() {}
  }

  static final class Only extends Sealed {}

  @RoutedRepository
  static class Mentions {
    private static class Row {}

    @ReadReplica
    public Row find() {
      return new Row();
    }
  }

  interface Finder {
    @ReadReplica
    void find();
  }

  @RoutedRepository
  private static class ReachedByItsInterface implements Finder {
    @Override
    public void find() {}
  }

  @RoutedRepository
  static class Taken {
    @ReadReplica
    public void find() {}
  }
}

class Shop_Taken_Routed {}
