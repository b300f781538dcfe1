package dev.leeway.queue.kafka;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;

/** One Kafka broker, its own controller, in this JVM; ends with it. */
final class KafkaBroker {
  private static @Nullable KafkaBroker started;

  private final String address;

  private KafkaBroker(String address) {
    this.address = address;
  }

  static synchronized KafkaBroker shared() throws Exception {
    if (started == null) {
      started = start();
    }
    return started;
  }

  private static KafkaBroker start() throws Exception {
    Path folder = Files.createTempDirectory("leeway-kafka");
    int port = freePort();
    int controller = freePort();
    Properties settings = new Properties();
    settings.putAll(
        Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry("controller.quorum.voters", "1@127.0.0.1:" + controller),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry(
                "listeners",
                "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controller),
            Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
            Map.entry("log.dirs", folder.toString()),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("offsets.topic.num.partitions", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("share.coordinator.state.topic.replication.factor", "1"),
            Map.entry("share.coordinator.state.topic.min.isr", "1"),
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            Map.entry("group.min.session.timeout.ms", "1000"),
            Map.entry("log.cleaner.enable", "false")));
    PrintStream said = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    new Formatter()
        .setPrintStream(said)
        .setNodeId(1)
        .setClusterId(Uuid.randomUuid().toString())
        .setDirectories(List.of(folder.toString()))
        .setMetadataLogDirectory(folder.toString())
        .setControllerListenerName("CONTROLLER")
        .run();
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
    server.startup();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.shutdown();
                  delete(folder);
                },
                "kafka-end"));
    return new KafkaBroker("127.0.0.1:" + port);
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (java.io.IOException | RuntimeException e) {
      System.err.println("Kafka's folder " + folder + " is left: " + e);
    }
  }

  private static int freePort() throws java.io.IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  void createTopics(int partitions, String... names) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
      admin
          .createTopics(
              Stream.of(names).map(name -> new NewTopic(name, partitions, (short) 1)).toList())
          .all()
          .get();
    }
  }

  Producer<String, byte[]> producer(Map<String, Object> more) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", address);
    settings.put("linger.ms", "0");
    settings.putAll(more);
    return new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }

  Consumer<String, byte[]> consumer(String group, Map<String, Object> more) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", address);
    settings.put("group.id", group);
    settings.put("enable.auto.commit", "false");
    settings.put("auto.offset.reset", "earliest");
    settings.put("fetch.max.wait.ms", "20");
    settings.putAll(more);
    return new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
  }
}
