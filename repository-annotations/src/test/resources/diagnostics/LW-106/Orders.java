import dev.leeway.annotation.ReadReplica;
import dev.leeway.annotation.Write;

interface Findable {
  @ReadReplica
  String find();

  @Write
  private void helper() {}
}

@ReadReplica
class Orders {
  @ReadReplica
  private void hidden() {}

  @ReadReplica
  static void shared() {}

  @Write
  public final void fixed() {}

  public final void fixedByDefault() {}

  final void helper() {}
}

@Write
class MoreOrders extends Orders {}

final class Carts implements Findable {
  @Override
  @Write
  public String find() {
    return "";
  }

  @Write
  public void save() {}
}

record Item(String name) {
  @ReadReplica
  public String upper() {
    return name.toUpperCase();
  }
}

@ReadReplica
record Line(long id) implements Findable {
  @Override
  public String find() {
    return "" + id;
  }

  public void open() {}
}

enum State {
  OPEN {
    @Override
    void close() {}
  };

  @Write
  abstract void close();
}

@Write
@interface Marker {}
