package weka.classifiers.rules.widc;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One Python process that trains committees, and the frames on its standard streams.
 *
 * <p>All reading and writing is done on a thread of the worker's own while the caller waits, so that
 * a process that neither reads nor answers cannot hold the caller: it can be interrupted and has a
 * limit of time. Whatever goes wrong, the process is killed.
 */
final class Worker {

    static final int PROTOCOL = 1;

    private static final long GREETING_MILLIS = 30_000;

    private static final Pattern FRAME = Pattern.compile("WIDC([0-9]{1,9}) ([0-9]{1,9})");
    private static final int LONGEST_LINE = 1 << 12;
    private static final int MOST_CHATTER = 1 << 20;

    private final String name;
    private final Process process;
    private final StderrTail errors;
    private final ExecutorService io;
    private String versions = "";

    private Worker(String name, Process process) {
        this.name = name;
        this.process = process;
        this.errors = new StderrTail(process.getErrorStream());
        this.io = Executors.newSingleThreadExecutor(task -> daemon("WIDC worker I/O", task));
    }

    /**
     * Starts a process and waits for its greeting.
     *
     * @param name the interpreter, for messages
     * @param folder where it runs, or null for the JVM's own working directory
     * @param limit that of the training
     * @throws WorkerException if it cannot be started or does not greet; the message is the reason
     */
    static Worker start(String name, List<String> command, File folder, TimeLimit limit)
        throws WorkerException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder);
        Map<String, String> environment = builder.environment();
        environment.put("PYTHONIOENCODING", "utf-8");
        environment.put("PYTHONUTF8", "1");
        environment.put("OMP_NUM_THREADS", "1");
        Worker worker;
        try {
            worker = new Worker(name, builder.start());
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage()).replaceFirst("^.*error=[0-9]+, ", "");
            throw new WorkerException(reason, e);
        }
        try {
            worker.versions = worker.perform(worker::greeting, limit.millisLeft(GREETING_MILLIS));
            return worker;
        } catch (TimeoutException e) {
            if (limit.isOver()) {
                throw limit.exceeded(", while " + name + " was starting", e);
            }
            throw new WorkerException("no greeting within " + GREETING_MILLIS / 1000 + " seconds", e);
        } catch (IOException e) {
            String words = worker.errors.lastLine();
            throw new WorkerException((words.isEmpty() ? "it ended without a greeting" : words)
                + worker.exitCode(), e);
        }
    }

    /**
     * Sends a request and waits for the reply.
     *
     * @param limit that of the training
     * @throws WorkerDiedException if the process has ended
     * @throws WorkerException if there is no proper reply in time
     */
    String ask(TrainingRequest request, TimeLimit limit) throws WorkerException, InterruptedException {
        try {
            return perform(() -> {
                request.writeTo(process.getOutputStream());
                return reply(readLine());
            }, limit.millisLeft(Long.MAX_VALUE));
        } catch (TimeoutException e) {
            throw limit.exceeded("", e);
        } catch (IOException e) {
            throw new WorkerDiedException("the Python worker (" + name + ") ended during the "
                + "training" + exitCode() + errors.quoted(), e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the interpreter with the versions in the greeting. */
    @Override
    public String toString() {
        return name + versions;
    }

    /** Ends the process at once. */
    void kill() {
        process.destroyForcibly();
        io.shutdownNow();
        daemon("WIDC worker end", () -> {
            // Where the process is a launcher, the end of its input ends the interpreter behind it.
            for (AutoCloseable stream : new AutoCloseable[] {process.getOutputStream(),
                process.getInputStream()}) {
                try {
                    stream.close();
                } catch (Exception e) {
                    continue; // the process is gone, and so is the pipe
                }
            }
        }).start();
    }

    static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private <T> T perform(Callable<T> task, long millis)
        throws WorkerException, IOException, TimeoutException, InterruptedException {
        boolean done = false;
        Future<T> future = io.submit(task);
        try {
            T result = future.get(millis, TimeUnit.MILLISECONDS);
            done = true;
            return result;
        } catch (InterruptedException e) {
            throw new InterruptedException("the training was interrupted; its worker was stopped");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException) {
                letEnd();
                throw (IOException) cause;
            }
            if (cause instanceof WorkerException) {
                throw (WorkerException) cause;
            }
            throw new WorkerException("the request could not be made: " + cause, cause);
        } finally {
            if (!done) { // also when the thread is interrupted or stopped
                kill();
            }
        }
    }

    private String greeting() throws IOException, WorkerException {
        String line = readLine();
        int chatter = 0;
        while (!FRAME.matcher(line).matches()) {
            chatter += line.length() + 1;
            if (chatter > MOST_CHATTER) {
                throw new WorkerException("it printed something other than a greeting: "
                    + shown(line));
            }
            line = readLine();
        }
        try {
            Map<?, ?> greeting = (Map<?, ?>) Json.parse(reply(line));
            return " (Python " + greeting.get("python") + ", numpy " + greeting.get("numpy") + ")";
        } catch (Json.SyntaxException | ClassCastException e) {
            throw new WorkerException("its greeting is not as expected: " + e.getMessage(), e);
        }
    }

    private String reply(String line) throws IOException, WorkerException {
        Matcher frame = FRAME.matcher(line);
        if (!frame.matches()) {
            throw new WorkerException("expected a reply from the Python worker (" + name + "), got "
                + shown(line) + errors.quoted());
        }
        if (!frame.group(1).equals(String.valueOf(PROTOCOL))) {
            throw new WorkerException("expected a worker of protocol " + PROTOCOL + ", got protocol "
                + frame.group(1) + ": it is of another version");
        }
        byte[] content = new byte[Integer.parseInt(frame.group(2))];
        InputStream stream = process.getInputStream();
        for (int filled = 0; filled < content.length; ) {
            int n = stream.read(content, filled, content.length - filled);
            if (n < 0) {
                throw new EOFException();
            }
            filled += n;
        }
        return new String(content, StandardCharsets.UTF_8);
    }

    private String readLine() throws IOException {
        InputStream stream = process.getInputStream();
        StringBuilder line = new StringBuilder();
        for (int c = stream.read(); c != '\n' && line.length() < LONGEST_LINE; c = stream.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            line.append((char) c);
        }
        return line.toString();
    }

    /** Gives a process that closed its streams the time to end, for its exit code and last words. */
    private void letEnd() throws InterruptedException {
        if (process.waitFor(1, TimeUnit.SECONDS)) {
            errors.awaitEnd(1000);
        }
    }

    private String exitCode() {
        try {
            return " (exit code " + process.exitValue() + ")";
        } catch (IllegalThreadStateException e) {
            return "";
        }
    }

    private static String shown(String line) {
        String printable = line.replaceAll("[^ -~]", "?");
        return "'" + (printable.length() > 60 ? printable.substring(0, 60) + "..." : printable) + "'";
    }
}
