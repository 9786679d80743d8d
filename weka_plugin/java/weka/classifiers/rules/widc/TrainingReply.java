package weka.classifiers.rules.widc;

import java.util.List;
import java.util.Map;

/** What a worker answers to a {@link TrainingRequest}. */
public final class TrainingReply {

    private final String error;
    private final String committee;
    private final String text;
    private final String graph;
    private final double cpuSeconds;

    /**
     * @throws WorkerException if the reply is not as it should be
     */
    TrainingReply(String reply) throws WorkerException {
        try {
            Map<String, String> members = Json.members(reply);
            if (members.containsKey("error")) {
                Map<?, ?> fault = (Map<?, ?>) Json.parse(members.get("error"));
                Object option = fault.get("option");
                error = (option == null ? "" : TrainingOptions.flag(option.toString()) + ": ")
                    + fault.get("message");
                committee = null;
                text = null;
                graph = null;
                cpuSeconds = 0;
                return;
            }
            error = null;
            committee = members.get("committee");
            StringBuilder shown = new StringBuilder((String) Json.parse(members.get("text")));
            for (Object warning : (List<?>) Json.parse(members.get("warnings"))) {
                shown.append(Lines.wrapped("Warning: " + (String) warning)).append('\n');
            }
            text = shown.toString();
            graph = (String) Json.parse(members.get("graph"));
            cpuSeconds = (Double) Json.parse(members.get("cpu_seconds"));
        } catch (Json.SyntaxException | ClassCastException | NullPointerException e) {
            throw new WorkerException("the worker's reply is not as expected: " + e.getMessage(), e);
        }
    }

    /**
     * Throws the error that the reply may be: of the data or the options, told by a sound worker.
     */
    void throwError() throws WorkerException {
        if (error != null) {
            throw new WorkerException(error);
        }
    }

    /** Returns the text of the model file. */
    public String committee() {
        return committee;
    }

    /** Returns the committee as a table, and what the user should know although it was trained. */
    public String text() {
        return text;
    }

    /** Returns the committee as a tree, in the form that Weka's window for trees reads. */
    public String graph() {
        return graph;
    }

    /** Returns the processor time that the worker took. */
    public double cpuSeconds() {
        return cpuSeconds;
    }
}
