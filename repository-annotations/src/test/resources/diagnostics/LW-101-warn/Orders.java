import dev.leeway.annotation.RoutedRepository;

@RoutedRepository
public interface Orders {
  String find(long id);

  @SuppressWarnings("LW-101")
  String find();
}
