import dev.leeway.annotation.ReadReplica;

public interface Orders {
  @ReadReplica(maxStaleness = "0s")
  String find(long id);

  @ReadReplica(maxStaleness = "1s", catchUp = "0s")
  String find();

  @ReadReplica(maxStaleness = "0ms")
  @SuppressWarnings("LW-108")
  String findAll();
}
