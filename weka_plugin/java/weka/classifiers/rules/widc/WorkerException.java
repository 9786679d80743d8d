package weka.classifiers.rules.widc;

/** A training that failed; the message is for the user. */
public class WorkerException extends WidcException {

    private static final long serialVersionUID = -5823217420871733812L;

    public WorkerException(String message) {
        super(message);
    }

    public WorkerException(String message, Throwable cause) {
        super(message, cause);
    }
}
