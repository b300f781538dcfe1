package shop;

import dev.leeway.annotation.RoutedRepository;
import lib.Base;

@RoutedRepository
class Texts extends Base<String> {
  @Override
  public void save(String text) {
    log.add("save " + text);
  }

  @Override
  public String toString() {
    return log.toString();
  }

  @RoutedRepository
  @SuppressWarnings({"rawtypes", "unchecked"})
  static class Raw extends Base {
    @Override
    public void save(Object entity) {}
  }
}
