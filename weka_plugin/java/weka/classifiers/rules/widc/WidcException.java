package weka.classifiers.rules.widc;

import weka.core.WekaException;

/** What a classifier cannot do, told in lines that fit in Weka's dialogs. */
public class WidcException extends WekaException {

    private static final long serialVersionUID = 2984153006174920571L;

    private final String unwrapped;

    /**
     * @param message for the user, in one line or several
     */
    public WidcException(String message) {
        this(message, null);
    }

    /**
     * @param message for the user, in one line or several
     */
    public WidcException(String message, Throwable cause) {
        super(Lines.wrapped(message), cause);
        unwrapped = message;
    }

    /** Returns the message as it was given, to become a part of another one. */
    String unwrapped() {
        return unwrapped;
    }
}
