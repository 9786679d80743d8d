package weka.classifiers.rules.widc;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Which label of training a value of other data is.
 *
 * <p>It is the label of the same text, else the one label of the same number, else the one of the same
 * truth value: where two labels are words for true and false, or 1 and 0, every such word and number
 * is one of them.
 */
final class Meanings {

    private static final List<String> TRUE = Arrays.asList("true", "yes", "t", "y", "on");
    private static final List<String> FALSE = Arrays.asList("false", "no", "f", "n", "off");
    private static final Pattern NUMBER =
        Pattern.compile("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?");
    private static final double LARGEST = 9007199254740992.0; // up to here doubles tell integers apart

    private Meanings() {
    }

    /** Returns the index of the label that a text means, or -1. */
    static int indexOf(String text, List<String> labels) {
        if (labels.contains(text)) {
            return labels.indexOf(text);
        }
        for (Function<String, Object> meaning : Arrays.<Function<String, Object>>asList(String::trim,
            Meanings::smallNumber, Meanings::word)) {
            Object meant = meaning.apply(text);
            int found = -1;
            int times = 0;
            for (int i = 0; meant != null && i < labels.size(); i++) {
                if (meant.equals(meaning.apply(labels.get(i)))) {
                    found = i;
                    times++;
                }
            }
            if (times == 1) {
                return found;
            }
        }
        int ofTrue = truePlace(labels);
        Boolean truth = truth(text);
        return ofTrue < 0 || truth == null ? -1 : truth ? ofTrue : 1 - ofTrue;
    }

    /** Returns the number that a text is to a numeric attribute, true and false as 1 and 0, or NaN. */
    static double number(String text) {
        String word = text.trim().toLowerCase(Locale.ROOT);
        if (word.equals("true") || word.equals("false")) {
            return word.equals("true") ? 1 : 0;
        }
        return NUMBER.matcher(word).matches() ? Double.parseDouble(word) : Double.NaN;
    }

    /** Returns whether numbers may be labels. */
    static boolean canBeNumbers(List<String> labels) {
        return truePlace(labels) >= 0
            || labels.stream().anyMatch(label -> NUMBER.matcher(label.trim()).matches());
    }

    /** Returns a number as a label has it: whole ones without a point. */
    static String text(double number) {
        boolean isWhole = number == Math.rint(number) && Math.abs(number) < LARGEST;
        return isWhole ? Long.toString((long) number) : Double.toString(number);
    }

    /** Returns where the label for true is among two that are a pair of truth values, or -1. */
    private static int truePlace(List<String> labels) {
        for (int i = 0; labels.size() == 2 && i < 2; i++) {
            String first = labels.get(i).trim().toLowerCase(Locale.ROOT);
            String second = labels.get(1 - i).trim().toLowerCase(Locale.ROOT);
            if (TRUE.contains(first) && TRUE.indexOf(first) == FALSE.indexOf(second)
                || Objects.equals(smallNumber(first), 1.0)
                && Objects.equals(smallNumber(second), 0.0)) {
                return i;
            }
        }
        return -1;
    }

    private static Boolean truth(String text) {
        String word = text.trim().toLowerCase(Locale.ROOT);
        Object number = smallNumber(word);
        if (TRUE.contains(word) || Objects.equals(number, 1.0)) {
            return Boolean.TRUE;
        }
        return FALSE.contains(word) || Objects.equals(number, 0.0) ? Boolean.FALSE : null;
    }

    private static Object smallNumber(String text) {
        String bare = text.trim();
        double number = NUMBER.matcher(bare).matches() ? Double.parseDouble(bare) : Double.NaN;
        return Math.abs(number) < LARGEST ? (Object) (number + 0.0) : null; // no negative zero
    }

    private static Object word(String text) {
        String word = text.trim().toLowerCase(Locale.ROOT);
        boolean isWord = TRUE.subList(0, 2).contains(word) || FALSE.subList(0, 2).contains(word);
        return isWord ? word : null;
    }
}
