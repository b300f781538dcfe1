import dev.leeway.annotation.ReadPrimary;
import dev.leeway.annotation.ReadReplica;

interface Orders {
  @ReadPrimary(because = "the last one must not sell twice")
  long stock();

  @ReadReplica
  default boolean available() {
    return stock() > 0;
  }
}
