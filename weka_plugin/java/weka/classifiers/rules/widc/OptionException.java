package weka.classifiers.rules.widc;

/** A value that an option cannot have, told in lines that fit in Weka's dialogs. */
public final class OptionException extends IllegalArgumentException {

    private static final long serialVersionUID = -4410968275519903316L;

    OptionException(String message) {
        super(Lines.wrapped(message));
    }
}
