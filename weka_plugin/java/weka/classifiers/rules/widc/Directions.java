package weka.classifiers.rules.widc;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Directions of attributes: larger values never speak against a label, or never for it. */
final class Directions {

    private static final Pattern DIRECTION = Pattern.compile("(.+?)=([+-])(.+)", Pattern.DOTALL);

    private Directions() {
    }

    /**
     * Returns words such as {@code age=+sick}.
     *
     * @throws OptionException if one is something else, or they contradict one another
     */
    static String[] checked(String[] words) {
        Set<String> given = new HashSet<>();
        for (String word : words) {
            Matcher direction = DIRECTION.matcher(word);
            if (!direction.matches()) {
                throw new OptionException("-monotone: expected NAME=+LABEL or NAME=-LABEL, "
                    + "got '" + word + "'");
            }
            String name = direction.group(1);
            String label = direction.group(3);
            String other = direction.group(2).equals("+") ? "-" : "+";
            if (given.contains(name + "=" + other + label)) {
                throw new OptionException("-monotone: expected one direction of '" + name
                    + "' for '" + label + "', got both");
            }
            given.add(word);
        }
        return words;
    }
}
