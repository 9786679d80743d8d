package weka.classifiers.rules.widc;

import weka.core.WekaException;

/** What a classifier cannot do, told in lines that fit in Weka's dialogs. */
public class WidcException extends WekaException {

    private static final long serialVersionUID = 2984153006174920571L;

    /**
     * @param message for the user, in one line or several
     */
    public WidcException(String message) {
        super(Lines.wrapped(message));
    }

    /**
     * @param message for the user, in one line or several
     */
    public WidcException(String message, Throwable cause) {
        super(Lines.wrapped(message), cause);
    }
}
