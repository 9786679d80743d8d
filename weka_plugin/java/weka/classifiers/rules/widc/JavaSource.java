package weka.classifiers.rules.widc;

import java.util.Locale;
import weka.classifiers.rules.widc.Committee.Literal;
import weka.classifiers.rules.widc.Committee.Rule;

/**
 * Writes a committee as a Java class that needs nothing else.
 *
 * <p>Each rule is a method of its own, since Java limits the size of methods.
 */
public final class JavaSource {

    private final Committee committee;
    private final StringBuilder out = new StringBuilder();

    private JavaSource(Committee committee) {
        this.committee = committee;
    }

    /**
     * Returns the source of a class whose method {@code classify(Object[])} returns the index of the
     * class of a row as Weka defines it: nominal values are strings, numbers doubles, missing null.
     */
    public static String of(Committee committee, String className) {
        return new JavaSource(committee).source(className);
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
        for (int l = 0; l < rule.literals.length; l++) {
            line("    %s%s%s", l == 0 ? "if (" : "    && ", test(rule.literals[l]),
                l == rule.literals.length - 1 ? ") {" : "");
        }
        for (int j = 0; j < rule.votes.length; j++) {
            if (rule.votes[j] != 0) {
                line("      votes[%d]%s;", j, rule.votes[j] > 0 ? "++" : "--");
            }
        }
        line("    }");
        line("  }");
    }

    private String test(Literal literal) {
        String value = "i[" + committee.position(literal.attribute) + "]";
        if (committee.inputs[literal.attribute].labels == null) {
            return value + " != null && ((Double) " + value + ").doubleValue() " + literal.operator
                + " " + literal.value;
        }
        String label = quoted(committee.inputs[literal.attribute].labels.get((int) literal.value));
        String equal = label + ".equals(" + value + ")";
        return literal.operator.equals("=") ? equal : value + " != null && !" + equal;
    }

    /** Returns a string literal in ASCII; octal escapes, since Java replaces its \\u ones too soon. */
    private static String quoted(String string) {
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
