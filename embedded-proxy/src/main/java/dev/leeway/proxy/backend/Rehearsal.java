package dev.leeway.proxy.backend;

import dev.leeway.proxy.wire.Capabilities;
import dev.leeway.proxy.wire.Command;
import dev.leeway.proxy.wire.PacketWriter;
import dev.leeway.proxy.wire.ResponseTracker.Expect;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;

/**
 * Runs settings on a connection before a session gets it; their answers go nowhere.
 *
 * <p>One for each run, on the connection's event loop. Ends with one of the two calls of its {@link
 * End}, also if the connection breaks.
 */
final class Rehearsal implements ServerConnection.Owner {

  /** Is told how it went. */
  interface End {
    /**
     * All were accepted.
     *
     * @param answer the bytes of the last answer, if they were asked for
     */
    void done(String answer);

    void failed(String problem);
  }

  private static final int LONGEST_ANSWER = 64 * 1024;

  private final ServerConnection connection;
  private final Iterator<Setting> settings;
  private final End end;
  private final boolean listens;
  private final StringBuilder answer = new StringBuilder();

  private Rehearsal(ServerConnection connection, List<Setting> settings, boolean listens, End end) {
    this.listens = listens;
    this.connection = connection;
    this.settings = settings.iterator();
    this.end = end;
  }

  static void run(ServerConnection connection, List<Setting> settings, End end) {
    start(new Rehearsal(connection, settings, false, end));
  }

  /** Asks one question with a short answer. */
  static void ask(ServerConnection connection, String sql, End end) {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    payload.write(Command.QUERY);
    if (Capabilities.has(connection.capabilities(), Capabilities.QUERY_ATTRIBUTES)) {
      payload.write(0);
      payload.write(1);
    }
    payload.writeBytes(sql.getBytes(StandardCharsets.US_ASCII));
    start(new Rehearsal(connection, List.of(Setting.of(payload.toByteArray(), false)), true, end));
  }

  private static void start(Rehearsal rehearsal) {
    rehearsal.connection.setOwner(rehearsal);
    rehearsal.next();
  }

  private void next() {
    if (!settings.hasNext()) {
      connection.setOwner(null);
      end.done(answer.toString());
      return;
    }
    byte[] payload = settings.next().bytes();
    ByteBuf out = connection.channel().alloc().buffer(payload.length + PacketWriter.HEADER_BYTES);
    PacketWriter.begin(out, 0).writeBytes(payload).end();
    connection.command(
        out, payload[0] == Command.QUERY ? Expect.RESULTS : Expect.ONE_PACKET, false);
    connection.flush();
  }

  private void fail(String problem) {
    connection.abort();
    end.failed(problem);
  }

  @Override
  public void serverBytes(ByteBuf bytes, boolean complete) {
    if (listens && answer.length() < LONGEST_ANSWER) {
      answer.append(bytes.toString(StandardCharsets.ISO_8859_1));
    }
    bytes.release();
    if (!complete) {
      return;
    }
    if (connection.tracker().errorCode() != 0) {
      fail("it refused a setting of the session (error " + connection.tracker().errorCode() + ")");
    } else {
      next();
    }
  }

  @Override
  public void unaskedBytes(ByteBuf bytes) {
    bytes.release();
    fail("it sent what was not asked for");
  }

  @Override
  public void fileRequested() {
    fail("it asked for a file");
  }

  @Override
  public void serverGone(String problem) {
    end.failed(problem);
  }

  @Override
  public void serverFlush() {
    // Nothing of it goes on to anybody.
  }

  @Override
  public void serverWritabilityChanged() {
    // Settings are small.
  }
}
