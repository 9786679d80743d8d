package weka.classifiers.rules.widc;

import java.io.File;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Which Python interpreter trains, and how a worker is started with it.
 *
 * <p>The first choice that is made counts: the option, the system property, the environment
 * variable. Such a choice is final. Without one, usual names are tried until one greets.
 */
final class Python {

    /** A folder to take the worker from instead of the jar, for development. */
    static final String SOURCE_PROPERTY = "widc.source";

    private static final String PROPERTY = "widc.python";
    private static final String VARIABLE = "WIDC_PYTHON";

    private final String chosenBy;
    private final List<List<String>> candidates;
    private final String source = System.getProperty(SOURCE_PROPERTY, "");

    /**
     * @param option the value of the option -python, empty if it is not given
     */
    Python(String option) {
        String[][] choices = {
            {"the option -python", option},
            {"the system property " + PROPERTY, System.getProperty(PROPERTY)},
            {"the environment variable " + VARIABLE, System.getenv(VARIABLE)},
        };
        for (String[] choice : choices) {
            if (choice[1] != null && !choice[1].trim().isEmpty()) {
                chosenBy = choice[0];
                candidates = Collections.singletonList(Collections.singletonList(choice[1].trim()));
                return;
            }
        }
        chosenBy = null;
        candidates = new ArrayList<>();
        candidates.add(Collections.singletonList("python3"));
        candidates.add(Collections.singletonList("python"));
        if (File.separatorChar == '\\') {
            candidates.add(Arrays.asList("py", "-3"));
        }
    }

    /**
     * Starts a worker with the first candidate that greets.
     *
     * @param limit that of the training
     * @throws WorkerException if none does; the message lists what was tried
     */
    Worker start(TimeLimit limit) throws WorkerException, InterruptedException {
        List<String> failures = new ArrayList<>();
        for (List<String> candidate : candidates) {
            String name = String.join(" ", candidate);
            List<String> command = new ArrayList<>(candidate);
            command.addAll(source.isEmpty() ? Arrays.asList(jar().getPath(), "--weka-worker")
                : Arrays.asList("-m", "widc_arff.bridge.worker"));
            try {
                return Worker.start(name, command, source.isEmpty() ? null : new File(source), limit);
            } catch (WorkerException e) {
                if (limit.isOver()) {
                    throw e;
                }
                failures.add("  " + name + (chosenBy == null ? ": " : ", which " + chosenBy
                    + " names: ") + e.unwrapped());
            }
        }
        throw new WorkerException("WIDC trains in Python 3.11 or newer with numpy, and could start "
            + "none:\n" + String.join("\n", failures) + "\nTo name one, set the option -python, the "
            + "environment variable " + VARIABLE + " or the system property " + PROPERTY + ".");
    }

    /** Returns the jar that this class comes from: it holds the worker, too. */
    private static File jar() throws WorkerException {
        CodeSource code = Python.class.getProtectionDomain().getCodeSource();
        try {
            File jar = new File(code.getLocation().toURI());
            if (jar.isFile()) {
                return jar;
            }
        } catch (URISyntaxException | IllegalArgumentException | NullPointerException e) {
            throw new WorkerException("expected WIDC in a jar file, got " + code, e);
        }
        throw new WorkerException("expected WIDC in a jar file, got a folder of classes; name the "
            + "folder of the Python package with the system property " + SOURCE_PROPERTY);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Python && candidates.equals(((Python) other).candidates)
            && source.equals(((Python) other).source);
    }

    @Override
    public int hashCode() {
        return Objects.hash(candidates, source);
    }
}
