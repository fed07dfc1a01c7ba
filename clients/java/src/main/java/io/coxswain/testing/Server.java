package io.coxswain.testing;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The process {@code coxswain test-server}. */
final class Server implements AutoCloseable {
  private final Path folder = Files.createTempDirectory("coxswain-");
  private final Process process;

  Server(List<String> flags) throws IOException {
    var command = new ArrayList<>(command());
    command.addAll(List.of("test-server", "--stop-with-input", "--kubeconfig=" + kubeconfig()));
    command.addAll(flags);
    process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    awaitReady(process.errorReader());
  }

  Path kubeconfig() {
    return folder.resolve("kubeconfig");
  }

  private void awaitReady(BufferedReader lines) throws IOException {
    var said = new StringBuilder();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("Ready.")) {
        discard(lines);
        return;
      }
      said.append(line).append('\n');
    }
    close();
    throw new IOException("coxswain test-server did not start:\n" + said);
  }

  /** Nobody reads its log from here on, and a full pipe would hold it up. */
  private static void discard(BufferedReader lines) {
    var reader =
        new Thread(
            () -> {
              try {
                lines.transferTo(java.io.Writer.nullWriter());
              } catch (IOException ended) {
                // It has stopped.
              }
            },
            "coxswain-log");
    reader.setDaemon(true);
    reader.start();
  }

  @Override
  public void close() throws IOException {
    try (OutputStream input = process.getOutputStream()) {
      input.flush();
    } catch (IOException ended) {
      // It has stopped by itself.
    }
    try {
      process.waitFor();
    } catch (InterruptedException interrupted) {
      process.destroy();
      Thread.currentThread().interrupt();
    }
    Files.deleteIfExists(kubeconfig());
    Files.deleteIfExists(folder);
  }

  /** $COXSWAIN_COMMAND, or coxswain on the PATH, or the one that npx finds. */
  private static List<String> command() {
    var given = System.getenv().getOrDefault("COXSWAIN_COMMAND", "").strip();
    if (!given.isEmpty()) return List.of(given.split("\\s+"));
    var folders = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
    var found = Stream.of(folders).anyMatch(each -> Files.isExecutable(Path.of(each, "coxswain")));
    return found ? List.of("coxswain") : List.of("npx", "--yes", "coxswain");
  }
}
