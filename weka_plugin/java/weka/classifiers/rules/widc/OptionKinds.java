package weka.classifiers.rules.widc;

import java.io.File;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** What options can be, by the kind of their value. */
final class OptionKinds {

    private static final Pattern METHOD =
        Pattern.compile("mdl\\+?|all|(quantile|width):[0-9]{1,5}");
    private static final int MOST_BINS = 65535;
    private static final Pattern SHARE = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)\\s*%");
    private static final String PLAIN = "plain";
    private static final int UNSET = -1;

    private OptionKinds() {
    }

    static boolean isIn(String value, String... values) {
        return Arrays.asList(values).contains(value);
    }

    /** Returns a number of bits; where {@code unset} says what it means, -1 is one too. */
    static double bits(String name, double value, String unset) {
        boolean isUnset = unset != null && value == UNSET;
        if (!(value >= 0 && value <= Weights.LARGEST || isUnset)) {
            throw new OptionException("-" + name + ": expected a number of bits from 0 to 1e+90"
                + or(unset) + ", got " + value);
        }
        return value;
    }

    /** Returns a whole number; where {@code unset} says what it means, -1 is one too. */
    static int whole(String name, int value, int least, String unset) {
        if (value < least && !(unset != null && value == UNSET)) {
            throw new OptionException("-" + name + ": expected a whole number from " + least
                + or(unset) + ", got " + value);
        }
        return value;
    }

    private static String or(String unset) {
        return unset == null ? "" : ", or " + UNSET + " for " + unset;
    }

    /** Returns a weight or a share as a text, or an empty one. */
    static String coverage(String name, String value) {
        String text = value.trim();
        if (!text.isEmpty() && !isCoverage(text)) {
            throw new OptionException("-" + name + ": expected a weight from 1 or a share "
                + "such as 5%, up to 100%, got '" + value + "'");
        }
        return text;
    }

    private static boolean isCoverage(String text) {
        boolean isShare = SHARE.matcher(text).matches();
        try {
            double number = Double.parseDouble(isShare ? text.replace("%", "") : text);
            return isShare ? number > 0 && number <= 100
                : number >= 1 && number < Double.POSITIVE_INFINITY;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Returns a weight, a share as a text, or null. */
    static Object coverageOf(String text) {
        if (text.isEmpty() || SHARE.matcher(text).matches()) {
            return text.isEmpty() ? null : text;
        }
        return Double.valueOf(text);
    }

    /** Returns a list of some names as a text, or an empty one. */
    static String names(String name, String value, String... known) {
        String text = value.trim();
        for (String given : text.isEmpty() ? Collections.<String>emptyList() : namesIn(text)) {
            if (!isIn(given, known)) {
                throw new OptionException("-" + name + ": expected " + String.join(", ", known)
                    + " or " + PLAIN + ", got '" + given + "'");
            }
        }
        return text;
    }

    /** Returns the names in a list, none for {@code plain}, or null for an empty text. */
    static List<String> namesIn(String text) {
        if (text.isEmpty()) {
            return null;
        }
        return text.equals(PLAIN) ? Collections.emptyList()
            : Arrays.asList(text.split("\\s*,\\s*"));
    }

    /** Returns a method that finds cut points. */
    static String method(String name, String value) {
        String method = value.trim();
        if (!isMethod(method)) {
            throw new OptionException("-" + name + ": expected one of mdl+, mdl, all, "
                + "quantile:K, width:K (K from 2 to " + MOST_BINS + ") or a file, got '" + value
                + "'");
        }
        return method;
    }

    /** Returns the file of cut points that a word names, null for none. */
    static File fileOfCutPoints(String word) {
        File file = new File(word);
        return !isMethod(word) && file.isFile() ? file : null;
    }

    private static boolean isMethod(String text) {
        if (!METHOD.matcher(text).matches()) {
            return false;
        }
        int colon = text.indexOf(':');
        int bins = colon < 0 ? 2 : Integer.parseInt(text.substring(colon + 1));
        return bins >= 2 && bins <= MOST_BINS;
    }
}
