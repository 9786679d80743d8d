package weka.classifiers.rules.widc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads what a process writes on its standard error, so that it never waits, and keeps the end. */
final class StderrTail {

    private static final int KEPT_BYTES = 4096;

    private final byte[] ring = new byte[KEPT_BYTES];
    private final Thread reader;
    private long total;

    StderrTail(InputStream stream) {
        reader = Worker.daemon("WIDC worker messages", () -> drain(stream));
        reader.start();
    }

    /** Waits until all is read, but not for ever: a child of the process may keep the stream. */
    void awaitEnd(long millis) throws InterruptedException {
        reader.join(millis);
    }

    /** Returns the last line that is not blank, or an empty text. */
    String lastLine() {
        String[] lines = text().split("\\R");
        return lines[lines.length - 1].trim();
    }

    /** Returns the end of the messages, introduced, or an empty text. */
    String quoted() {
        String text = text();
        return text.isEmpty() ? "" : ". Its last messages:\n" + text;
    }

    private synchronized String text() {
        int length = (int) Math.min(total, KEPT_BYTES);
        byte[] kept = new byte[length];
        for (int i = 0; i < length; i++) {
            kept[i] = ring[(int) ((total - length + i) % KEPT_BYTES)];
        }
        return new String(kept, StandardCharsets.UTF_8).trim();
    }

    private void drain(InputStream stream) {
        byte[] buffer = new byte[KEPT_BYTES];
        try {
            for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
                keep(buffer, n);
            }
        } catch (IOException e) {
            return; // the process was killed
        }
    }

    private synchronized void keep(byte[] buffer, int n) {
        for (int i = 0; i < n; i++) {
            ring[(int) (total++ % KEPT_BYTES)] = buffer[i];
        }
    }
}
