package dev.leeway.http;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * A response whose head says the newest position at the moment it is sent. When the container sends
 * it cannot be known from outside, so the position is brought up to date before everything that may
 * make it do so; that costs a comparison where nothing is new.
 */
final class PositionResponse extends HttpServletResponseWrapper {
  private final RequestPositions positions;
  private @Nullable ServletOutputStream stream;
  private @Nullable PrintWriter writer;

  PositionResponse(HttpServletResponse response, RequestPositions positions) {
    super(response);
    this.positions = positions;
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    ServletOutputStream known = stream;
    if (known == null) {
      known = new SayingStream(super.getOutputStream());
      stream = known;
    }
    return known;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    PrintWriter known = writer;
    if (known == null) {
      known = new CheckedWriter(new SayingWriter(super.getWriter()));
      writer = known;
    }
    return known;
  }

  @Override
  public void flushBuffer() throws IOException {
    positions.say();
    super.flushBuffer();
  }

  @Override
  public void sendError(int status) throws IOException {
    positions.say();
    super.sendError(status);
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    positions.say();
    super.sendError(status, message);
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    positions.say();
    super.sendRedirect(location);
  }

  @Override
  public void reset() {
    super.reset();
    positions.unsay();
    stream = null;
    writer = null;
  }

  private final class SayingStream extends ServletOutputStream {
    private final ServletOutputStream out;

    SayingStream(ServletOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      positions.say();
      out.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      positions.say();
      out.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      positions.say();
      out.flush();
    }

    @Override
    public void close() throws IOException {
      positions.say();
      out.close();
    }

    @Override
    public boolean isReady() {
      return out.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      out.setWriteListener(listener);
    }
  }

  private final class SayingWriter extends Writer {
    private final PrintWriter out;

    SayingWriter(PrintWriter out) {
      this.out = out;
    }

    @Override
    public void write(char[] text, int offset, int length) {
      positions.say();
      out.write(text, offset, length);
    }

    @Override
    public void write(String text, int offset, int length) {
      positions.say();
      out.write(text, offset, length);
    }

    @Override
    public void flush() {
      positions.say();
      out.flush();
    }

    @Override
    public void close() {
      positions.say();
      out.close();
    }
  }

  /** Knows of the errors that the container's own writer keeps to itself. */
  private static final class CheckedWriter extends PrintWriter {
    private final SayingWriter below;

    CheckedWriter(SayingWriter below) {
      super(below);
      this.below = below;
    }

    @Override
    public boolean checkError() {
      return super.checkError() || below.out.checkError();
    }
  }
}
