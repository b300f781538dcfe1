package dev.leeway.proxy.backend;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** How this machine does its input and output: epoll on Linux, Java's selector elsewhere. */
public enum Transport {
  EPOLL {
    @Override
    public IoHandlerFactory ioHandlers() {
      return EpollIoHandler.newFactory();
    }

    @Override
    public Class<? extends ServerChannel> acceptor(boolean localSocket) {
      return localSocket ? EpollServerDomainSocketChannel.class : EpollServerSocketChannel.class;
    }

    @Override
    public Class<? extends Channel> connector(boolean localSocket) {
      return localSocket ? EpollDomainSocketChannel.class : EpollSocketChannel.class;
    }

    @Override
    public SocketAddress localSocket(Path path) {
      return new DomainSocketAddress(path.toFile());
    }
  },

  SELECTOR {
    @Override
    public IoHandlerFactory ioHandlers() {
      return NioIoHandler.newFactory();
    }

    @Override
    public Class<? extends ServerChannel> acceptor(boolean localSocket) {
      return localSocket ? NioServerDomainSocketChannel.class : NioServerSocketChannel.class;
    }

    @Override
    public Class<? extends Channel> connector(boolean localSocket) {
      return localSocket ? NioDomainSocketChannel.class : NioSocketChannel.class;
    }

    @Override
    public SocketAddress localSocket(Path path) {
      return UnixDomainSocketAddress.of(path);
    }
  };

  /** The better one of those that this machine has. */
  public static Transport best() {
    return Epoll.isAvailable() ? EPOLL : SELECTOR;
  }

  /** What event loops do their work with. */
  public abstract IoHandlerFactory ioHandlers();

  /** The class of a listening channel. */
  public abstract Class<? extends ServerChannel> acceptor(boolean localSocket);

  /** The class of a channel that connects. */
  public abstract Class<? extends Channel> connector(boolean localSocket);

  /** The address of a Unix socket. */
  public abstract SocketAddress localSocket(Path path);
}
