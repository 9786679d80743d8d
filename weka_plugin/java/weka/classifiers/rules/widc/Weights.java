package weka.classifiers.rules.widc;

import java.util.LinkedHashMap;
import java.util.Map;

/** What the weights of the rows of a class are multiplied by. */
final class Weights {

    static final double LEAST = 1e-90;
    static final double LARGEST = 1e90;

    private static final String BALANCED = "balanced";
    private static final String NAME = "-class-weight: ";

    private Weights() {
    }

    static boolean isWeightOrZero(double value) {
        return value == 0 || value >= LEAST && value <= LARGEST;
    }

    /** Returns words that tell weights. */
    static String[] checked(String[] words) {
        of(words);
        return words;
    }

    /**
     * Returns the weights that some words tell, {@code LABEL=W} or {@code balanced} alone, as the
     * worker takes them; null if there are no words.
     *
     * @throws OptionException if the words are something else, or tell a label twice
     */
    static Object of(String[] words) {
        if (words.length == 1 && words[0].equals(BALANCED)) {
            return BALANCED;
        }
        Map<String, Double> weights = new LinkedHashMap<>();
        for (String word : words) {
            int sign = word.lastIndexOf('=');
            String label = word.substring(0, Math.max(sign, 0));
            double weight = sign < 0 ? Double.NaN : number(word.substring(sign + 1));
            if (label.isEmpty() || weight == 0 || !isWeightOrZero(weight)) {
                throw new OptionException(NAME + "expected LABEL=W, W from " + LEAST + " to "
                    + LARGEST + ", or " + BALANCED + " alone, got '" + word + "'");
            }
            if (weights.put(label, weight) != null) {
                throw new OptionException(NAME + "expected one weight for '" + label
                    + "', got several");
            }
        }
        return weights.isEmpty() ? null : weights;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
