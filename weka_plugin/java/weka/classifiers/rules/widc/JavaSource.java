package weka.classifiers.rules.widc;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.lang.model.SourceVersion;
import weka.classifiers.rules.widc.Committee.Literal;
import weka.classifiers.rules.widc.Committee.Rule;
import weka.core.WekaException;

/**
 * Writes a committee as a Java class that needs nothing else.
 *
 * <p>Each rule is a method of its own, since Java limits the size of methods.
 */
public final class JavaSource {

    /** The class around the generated one, which Weka writes. */
    private static final String WRAPPER = "WekaWrapper";

    /** Names that no class can have, although they are no keywords. */
    private static final List<String> RESTRICTED = Arrays.asList("_", "permits", "record", "sealed",
        "var", "yield");

    /** Characters that take 65,535 bytes at most, three each. */
    private static final int LONGEST_CONSTANT = 21_000;

    // The code of a method is less than 64 KB long, and a class has less than 64 K constants.
    private static final int MOST_LABELS = 2_000;
    private static final int MOST_LITERALS = 1_000;
    private static final int MOST_RULES = 10_000;
    private static final int MOST_CONSTANTS = 60_000;

    private final Committee committee;
    private final StringBuilder out = new StringBuilder();

    private JavaSource(Committee committee) {
        this.committee = committee;
    }

    /**
     * Returns the source of a class whose method {@code classify(Object[])} returns the index of the
     * class of a row as Weka defines it: nominal values are strings, numbers doubles, missing null.
     *
     * @throws WekaException if there can be no such class, for its name or for its size
     */
    public static String of(Committee committee, String className) throws WekaException {
        if (!SourceVersion.isIdentifier(className) || SourceVersion.isKeyword(className)
            || RESTRICTED.contains(className)) {
            throw new WidcException("expected the name of a Java class, got '" + className + "'");
        }
        if (className.equals(WRAPPER) || isTaken(className)) {
            throw new WidcException("expected a class name that is not taken, got '" + className
                + "', which is a class of Java or Weka");
        }
        int constants = 4 * committee.classLabels.size() + 3 * committee.rules.length
            + 2 * committee.numLiterals();
        int longest = 0;
        for (Rule rule : committee.rules) {
            int size = 0;
            for (Literal literal : rule.literals) {
                size += Math.max(1, literal.labels.length);
            }
            longest = Math.max(longest, size);
            constants += 2 * (size - rule.literals.length);
        }
        if (committee.classLabels.size() > MOST_LABELS || longest > MOST_LITERALS
            || committee.rules.length > MOST_RULES || constants > MOST_CONSTANTS) {
            throw new WidcException("expected a committee that a Java class can hold, of at most "
                + MOST_LABELS + " class labels, " + MOST_RULES + " rules, " + MOST_LITERALS
                + " conditions in a rule and about " + MOST_CONSTANTS / 2 + " in all; got "
                + committee.classLabels.size() + ", " + committee.rules.length + ", " + longest
                + " and " + committee.numLiterals());
        }
        return new JavaSource(committee).source(className);
    }

    /** Whether the generated source would mean another class by that name. */
    private static boolean isTaken(String className) {
        for (String folder : new String[] {"java.lang.", "weka.core.", "weka.classifiers."}) {
            try {
                Class.forName(folder + className, false, JavaSource.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException | LinkageError e) {
                continue; // of another case of letters, where files have none, or none at all
            }
        }
        return false;
    }

    private String source(String className) {
        line("/** Decides the class %s by the votes of %d rules. */",
            committee.className.replaceAll("[^ -~]|[*\\\\]", "?"), committee.rules.length);
        line("class %s {", className);
        line("");
        line("  /** The labels of the class. */");
        line("  public static final String[] LABELS = {");
        for (String label : committee.classLabels) {
            line("    %s,", quoted(label));
        }
        line("  };");
        line("");
        line("  /** What decides among classes with equally many votes. */");
        line("  private static final double[] SCORES = {");
        for (double score : committee.scores) {
            line("    %s,", score);
        }
        line("  };");
        line("");
        line("  /** Returns the index of the class of a row. */");
        line("  public static double classify(Object[] i) {");
        line("    int[] votes = new int[SCORES.length];");
        for (int k = 0; k < committee.rules.length; k++) {
            line("    rule%d(i, votes);", k + 1);
        }
        line("    int winner = 0;");
        line("    for (int j = 1; j < votes.length; j++) {");
        line("      if (votes[j] > votes[winner]");
        line("          || votes[j] == votes[winner] && SCORES[j] > SCORES[winner]) {");
        line("        winner = j;");
        line("      }");
        line("    }");
        line("    return winner;");
        line("  }");
        for (int k = 0; k < committee.rules.length; k++) {
            rule(k + 1, committee.rules[k]);
        }
        line("}");
        return out.toString();
    }

    private void rule(int number, Rule rule) {
        line("");
        line("  private static void rule%d(Object[] i, int[] votes) {", number);
        for (Literal literal : rule.literals) { // not one expression: compilers take them only so deep
            line("    if (!(%s)) {", test(literal));
            line("      return;");
            line("    }");
        }
        for (int j = 0; j < rule.votes.length; j++) {
            if (rule.votes[j] != 0) {
                line("    votes[%d]%s;", j, rule.votes[j] > 0 ? "++" : "--");
            }
        }
        line("  }");
    }

    private String test(Literal literal) {
        String value = "i[" + committee.position(literal.attribute) + "]";
        if (literal.isOfState()) {
            return value + (literal.operator.equals("known") ? " != null" : " == null");
        }
        List<String> labels = committee.inputs[literal.attribute].labels;
        if (labels == null) {
            return value + " != null && ((Double) " + value + ").doubleValue() " + literal.operator
                + " " + literal.value;
        }
        String named = Arrays.stream(literal.labels).mapToObj(label -> quoted(labels.get(label)))
            .collect(Collectors.joining(",\n      "));
        String test = literal.labels.length == 1 ? named + ".equals(" + value + ")"
            : "java.util.Arrays.asList(\n      " + named + ").contains(" + value + ")";
        return literal.isForNamed() ? test : value + " != null && !" + test;
    }

    /** Returns an expression for a string; a constant of Java holds 65,535 bytes at most. */
    private static String quoted(String string) {
        StringBuilder expression = new StringBuilder();
        for (int start = 0; start == 0 || start < string.length(); start += LONGEST_CONSTANT) {
            String part = string.substring(start, Math.min(start + LONGEST_CONSTANT, string.length()));
            expression.append(start == 0 ? constant(part) : ".concat(" + constant(part) + ")");
        }
        return expression.toString();
    }

    /** Returns a string literal in ASCII; octal escapes, since Java replaces its \\u ones too soon. */
    private static String constant(String string) {
        StringBuilder literal = new StringBuilder("\"");
        for (char c : string.toCharArray()) {
            if (c == '"' || c == '\\') {
                literal.append('\\').append(c);
            } else if (c < ' ' || c == 127) {
                literal.append(String.format("\\%03o", (int) c));
            } else if (c > 127) {
                literal.append(String.format("\\u%04x", (int) c));
            } else {
                literal.append(c);
            }
        }
        return literal.append('"').toString();
    }

    private void line(String format, Object... arguments) {
        out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
