package weka.classifiers.rules.widc;

import weka.core.WekaException;

/** A training that failed; the message is for the user. */
public class WorkerException extends WekaException {

    private static final long serialVersionUID = -5823217420871733812L;

    public WorkerException(String message) {
        super(message);
    }

    public WorkerException(String message, Throwable cause) {
        super(message, cause);
    }
}
