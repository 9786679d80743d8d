package weka.classifiers.rules.widc;

/** The worker process ended by itself: another one may well be able to answer. */
public final class WorkerDiedException extends WorkerException {

    private static final long serialVersionUID = 1302716530411950827L;

    WorkerDiedException(String message, Throwable cause) {
        super(message, cause);
    }
}
