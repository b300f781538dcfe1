import dev.leeway.annotation.ReadReplica;

@ReadReplica(catchUp = "soon")
public interface Orders {
  String NONE = "none";

  @ReadReplica(maxStaleness = "400")
  String find(long id);

  @ReadReplica(
      maxStaleness = "5s",
      catchUp = "-50ms")
  String find();

  @ReadReplica(maxStaleness = NONE)
  String findAll();
}
