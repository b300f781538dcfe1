import dev.leeway.annotation.ReadPrimary;

public interface Orders {
  @ReadPrimary(because = "  ")
  String find(long id);
}
