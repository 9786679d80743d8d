package weka.classifiers.rules.widc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weka.core.Attribute;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.WekaException;

/**
 * A decision committee as a model file holds it, and how it decides.
 *
 * <p>The votes of the rules that hold are added; the class with the largest sum wins. Ties go by
 * s = D + 1e-6 p, with the default vector D and the class distribution p of the training examples,
 * then to the class declared first. Probabilities run in the order of operations that the Python
 * package keeps to, so that both get the same bits.
 */
public final class Committee {

    static final String FORMAT = "widc-arff/committee";
    static final int VERSION = 3;

    private static final double PRIOR_WEIGHT = 1e-6;
    private static final double INVERSE_E = 0.36787944117144233;

    /** An attribute; numeric and date attributes, and those that no rule tests, have no labels. */
    static final class Input {

        final String name;
        final List<String> labels;

        Input(Map<?, ?> entry) {
            name = (String) entry.get("name");
            labels = entry.containsKey("values") ? strings(entry.get("values")) : null;
        }

        Input(String name) {
            this.name = name;
            labels = null;
        }

        /** Returns the number that a text means, or the index of the label; NaN if it means none. */
        private double meaning(String text) {
            if (labels == null) {
                return Meanings.number(text);
            }
            int index = Meanings.indexOf(text, labels);
            return index < 0 ? Double.NaN : index;
        }

        private boolean fits(Attribute attribute) {
            return attribute.name().equals(name) && (attribute.isNominal()
                || attribute.isNumeric() && (labels == null || Meanings.canBeNumbers(labels)));
        }
    }

    /** One test of one attribute, by a cut point, by the indices of labels, or by neither. */
    static final class Literal {

        private static final List<String> OF_NUMBERS = Arrays.asList("<=", ">", "known", "missing");
        private static final List<String> OF_LABELS =
            Arrays.asList("=", "!=", "in", "not in", "known", "missing");

        final int attribute;
        final String operator;
        final double value;
        final int[] labels;
        private final BitSet named = new BitSet();

        Literal(int attribute, String operator, double value, int[] labels) {
            this.attribute = attribute;
            this.operator = operator;
            this.value = value;
            this.labels = labels;
            for (int label : labels) {
                named.set(label);
            }
        }

        /** Returns whether the labels that it names satisfy it, not the others. */
        boolean isForNamed() {
            return operator.equals("=") || operator.equals("in");
        }

        /** Returns whether it tests if there is a value, not which. */
        boolean isOfState() {
            return operator.equals("known") || operator.equals("missing");
        }

        /** A missing value, which is NaN, satisfies only "missing". */
        boolean holds(double given) {
            if (Double.isNaN(given) || isOfState()) {
                return Double.isNaN(given) == operator.equals("missing");
            }
            switch (operator) {
                case "<=":
                    return given <= value;
                case ">":
                    return given > value;
                default:
                    return named.get((int) given) == isForNamed();
            }
        }
    }

    /** A conjunction of literals and its vector of votes, one of -1, 0, 1 for each class. */
    static final class Rule {

        final Literal[] literals;
        final int[] votes;

        Rule(Literal[] literals, int[] votes) {
            this.literals = literals;
            this.votes = votes;
        }
    }

    final Input[] inputs;
    final String className;
    final List<String> classLabels;
    final Rule[] rules;
    final double[] scores;

    /** From which score on a label is predicted; NaN where a row has one class. */
    final double threshold;

    /** The score at which a label has a probability of one half. */
    final double middle;

    /** A label's score is its slope times its votes plus its intercept; null for one class. */
    final double[] slopes;
    final double[] intercepts;

    /** Which classes have training rows. */
    private final boolean[] occurs;
    private final int classIndex;
    private final double[] powers;
    private final double[] frequencies;
    private final double[] shares;
    private final boolean[] tested;
    private volatile Columns lastColumns;

    /**
     * @param text the text of a model file
     * @param classIndex where the class stood in the training data
     * @throws WekaException if this is no model file that this version can read
     */
    public Committee(String text, int classIndex) throws WekaException {
        this.classIndex = classIndex;
        double factor;
        try {
            Map<?, ?> model = (Map<?, ?>) Json.parse(text);
            checkVersion(model);
            inputs = inputs(list(model.get("attributes")));
            Map<?, ?> labels = (Map<?, ?>) model.get("labels");
            className = strings(labels.get("attributes")).get(0);
            threshold = "multi".equals(labels.get("kind")) ? (Double) model.get("threshold")
                : Double.NaN;
            classLabels = strings(labels.get("values"));
            rules = rules(list(model.get("rules")));
            Map<?, ?> training = (Map<?, ?>) model.get("training");
            double[] weights = doubles(training.get("weights"));
            scores = scores(doubles(model.get("default")), weights);
            occurs = new boolean[weights.length];
            for (int j = 0; j < weights.length; j++) {
                occurs[j] = weights[j] > 0;
            }
            Map<?, ?> probabilities = (Map<?, ?>) model.get("probabilities");
            if (Double.isNaN(threshold)) {
                middle = 0;
                slopes = null;
                intercepts = null;
            } else if (probabilities == null) {
                middle = threshold;
                slopes = ones(scores.length);
                intercepts = new double[scores.length];
                for (int j = 0; j < scores.length; j++) {
                    intercepts[j] = scores[j] / 2;
                }
            } else {
                middle = 0;
                slopes = doubles(probabilities.get("slopes"));
                intercepts = doubles(probabilities.get("intercepts"));
                probabilities = null;
            }
            factor = probabilities == null ? INVERSE_E : (Double) probabilities.get("factor");
            frequencies = probabilities == null ? ones(scores.length)
                : doubles(probabilities.get("frequencies"));
            shares = probabilities == null ? scores : doubles(probabilities.get("shares"));
        } catch (Json.SyntaxException | ClassCastException | NullPointerException
            | IndexOutOfBoundsException e) {
            throw new WidcException("the committee of this model is damaged: " + e.getMessage(), e);
        }
        powers = new double[2 * rules.length + 1];
        powers[0] = 1;
        for (int k = 1; k < powers.length; k++) {
            powers[k] = powers[k - 1] * factor;
        }
        tested = new boolean[inputs.length];
        for (Rule rule : rules) {
            for (Literal literal : rule.literals) {
                tested[literal.attribute] = true;
            }
        }
    }

    /** Returns the number of rules, the default vector not counted. */
    public int numRules() {
        return rules.length;
    }

    /** Returns the number of literals of all rules. */
    public int numLiterals() {
        return Arrays.stream(rules).mapToInt(rule -> rule.literals.length).sum();
    }

    /**
     * Returns how many votes differ from the most frequent one of their rule, among the classes with
     * training rows. Of two classes every rule has one such vote, which says nothing of its size: 0.
     */
    public int numExceptions() {
        int differ = 0;
        for (Rule rule : rules) {
            int[] times = new int[3];
            for (int j = 0; j < rule.votes.length; j++) {
                times[rule.votes[j] + 1] += occurs[j] ? 1 : 0;
            }
            int classes = Arrays.stream(times).sum();
            differ += classes <= 2 ? 0 : classes - Arrays.stream(times).max().getAsInt();
        }
        return differ;
    }

    /**
     * Returns the summed votes for an instance.
     *
     * @throws WekaException if the instance's header is not that of the training data
     */
    public int[] votes(Instance instance) throws WekaException {
        return votes(columns(instance.dataset()).values(instance));
    }

    private int[] votes(double[] values) {
        int[] votes = new int[classLabels.size()];
        for (Rule rule : rules) {
            if (holds(rule, values)) {
                for (int j = 0; j < votes.length; j++) {
                    votes[j] += rule.votes[j];
                }
            }
        }
        return votes;
    }

    /**
     * Returns the class probabilities of all rows; where the attributes stand is looked up once.
     *
     * @throws WekaException if the header of the rows is not that of the training data
     */
    public double[][] distributions(Instances rows) throws WekaException {
        Columns columns = columns(rows);
        double[][] distributions = new double[rows.numInstances()][];
        for (int i = 0; i < distributions.length; i++) {
            distributions[i] = probabilities(votes(columns.values(rows.instance(i))));
        }
        return distributions;
    }

    /**
     * Returns the weight of an instance for each rule that holds for it, and 0 for the others.
     *
     * @throws WekaException if the instance's header is not that of the training data
     */
    public double[] membership(Instance instance) throws WekaException {
        double[] values = columns(instance.dataset()).values(instance);
        return Arrays.stream(rules).mapToDouble(rule -> holds(rule, values) ? instance.weight() : 0)
            .toArray();
    }

    /** Returns the class that wins with some votes. */
    public int decide(int[] votes) {
        int most = Arrays.stream(votes).max().getAsInt();
        int winner = -1;
        for (int j = 0; j < votes.length; j++) {
            if (votes[j] == most && (winner < 0 || scores[j] > scores[winner])) {
                winner = j;
            }
        }
        return winner;
    }

    /** Returns the class probabilities that follow from some votes. */
    public double[] probabilities(int[] votes) {
        int most = Arrays.stream(votes).max().getAsInt();
        double[] parts = new double[votes.length];
        double tiedTotal = 0;
        int tied = 0;
        for (int j = 0; j < votes.length; j++) {
            parts[j] = votes[j] == most ? 1 : powers[most - votes[j]] * frequencies[j];
            if (votes[j] == most) {
                tiedTotal += shares[j];
                tied++;
            }
        }
        double total = 0;
        for (int j = 0; j < votes.length; j++) {
            if (votes[j] == most && tied > 1 && tiedTotal > 0) {
                parts[j] = shares[j] / tiedTotal * tied;
            }
            total += parts[j];
        }
        for (int j = 0; j < votes.length; j++) {
            parts[j] /= total;
        }
        return parts;
    }

    /** Returns where an attribute stood in the training data. */
    int position(int attribute) {
        return attribute < classIndex ? attribute : attribute + 1;
    }

    private static double[] ones(int length) {
        double[] ones = new double[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static boolean holds(Rule rule, double[] values) {
        for (Literal literal : rule.literals) {
            if (!literal.holds(values[literal.attribute])) {
                return false;
            }
        }
        return true;
    }

    private Columns columns(Instances header) throws WekaException {
        Columns columns = lastColumns;
        if (columns == null || !columns.isOf(header)) {
            columns = new Columns(header);
            lastColumns = columns;
        }
        return columns;
    }

    /**
     * Where the attributes that rules test stand in some data, found by name, and their labels, found
     * by what they mean. The class plays no part: whatever labels it has there, those of training are decided
     * among, as other classifiers do.
     */
    private final class Columns {

        private final Attribute[] attributes = new Attribute[inputs.length];
        private final int[] column = new int[inputs.length];
        private final double[][] codes = new double[inputs.length][];
        private final boolean[] isSame = new boolean[inputs.length];
        private final boolean withHeader;

        Columns(Instances header) throws WekaException {
            withHeader = header != null;
            for (int a = 0; a < inputs.length; a++) {
                column[a] = position(a);
                isSame[a] = true;
                if (withHeader && tested[a]) {
                    find(a, header);
                }
            }
        }

        /** Attributes of Weka do not change: the same ones at the same places mean the same data. */
        boolean isOf(Instances header) {
            if ((header != null) != withHeader) {
                return false;
            }
            for (int a = 0; a < attributes.length; a++) {
                if (attributes[a] != null && (column[a] >= header.numAttributes()
                    || header.attribute(column[a]) != attributes[a])) {
                    return false;
                }
            }
            return true;
        }

        double[] values(Instance instance) throws WekaException {
            double[] values = new double[inputs.length];
            for (int a = 0; a < values.length; a++) {
                if (tested[a]) {
                    double value = instance.value(column[a]);
                    values[a] = isSame[a] || Double.isNaN(value) ? value : meant(a, value);
                }
            }
            return values;
        }

        /** Returns a number or the index of a label in training for one in these data. */
        private double meant(int a, double value) throws WekaException {
            double meant = codes[a] == null ? inputs[a].meaning(Meanings.text(value))
                : codes[a][(int) value];
            if (Double.isNaN(meant)) {
                throw new WidcException("attribute '" + inputs[a].name + "': expected "
                    + (inputs[a].labels == null ? "a number"
                    : "a label that was declared in training") + ", got '"
                    + (codes[a] == null ? Meanings.text(value) : attributes[a].value((int) value))
                    + "'");
            }
            return meant;
        }

        private void find(int a, Instances header) throws WekaException {
            Input input = inputs[a];
            if (column[a] >= header.numAttributes()
                || !input.fits(header.attribute(column[a]))) {
                Attribute named = header.attribute(input.name);
                if (named == null || !input.fits(named)) {
                    throw new WidcException("expected the " + (input.labels == null ? "numeric"
                        : "nominal") + " attribute '" + input.name + "', which the rules test; got "
                        + (named == null ? "none of that name" : "one of another type"));
                }
                column[a] = named.index();
            }
            attributes[a] = header.attribute(column[a]);
            if (attributes[a].isNominal()) {
                List<String> labels = labelsOf(attributes[a]);
                isSame[a] = labels.equals(input.labels);
                codes[a] = labels.stream().mapToDouble(input::meaning).toArray();
            } else {
                isSame[a] = input.labels == null;
            }
        }
    }

    private static void checkVersion(Map<?, ?> model) throws WekaException {
        Object version = model.get("version");
        if (!FORMAT.equals(model.get("format")) || !(version instanceof Double)) {
            throw new WidcException("expected a committee of format '" + FORMAT + "', got format '"
                + model.get("format") + "', version " + version);
        }
        if ((Double) version != 1 && (Double) version != 2 && (Double) version != VERSION) {
            boolean newer = (Double) version > VERSION;
            throw new WidcException("expected version 1 to " + VERSION
                + " of the model format, got "
                + Math.round((Double) version)
                + (newer ? "; a newer version of WIDC wrote it: please upgrade" : ""));
        }
    }

    /** A text is the name of an attribute that no rule tests, a number as many of x0, x1, ... */
    private static Input[] inputs(List<?> entries) {
        List<Input> inputs = new ArrayList<>();
        for (Object entry : entries) {
            if (entry instanceof Double) {
                for (int k = ((Double) entry).intValue(); k > 0; k--) {
                    inputs.add(new Input("x" + inputs.size()));
                }
            } else {
                inputs.add(entry instanceof String ? new Input((String) entry)
                    : new Input((Map<?, ?>) entry));
            }
        }
        return inputs.toArray(new Input[0]);
    }

    private Rule[] rules(List<?> entries) throws WekaException {
        Map<String, Integer> attributeNamed = new HashMap<>();
        for (int a = 0; a < inputs.length; a++) {
            attributeNamed.put(inputs[a].name, a);
        }
        Rule[] parsed = new Rule[entries.size()];
        for (int k = 0; k < parsed.length; k++) {
            Map<?, ?> entry = (Map<?, ?>) entries.get(k);
            List<?> condition = list(entry.get("if"));
            Literal[] literals = new Literal[condition.size()];
            for (int i = 0; i < literals.length; i++) {
                literals[i] = literal((Map<?, ?>) condition.get(i), attributeNamed);
            }
            int[] votes = Arrays.stream(doubles(entry.get("votes"))).mapToInt(v -> (int) v).toArray();
            parsed[k] = new Rule(literals, votes);
        }
        return parsed;
    }

    private Literal literal(Map<?, ?> entry, Map<String, Integer> attributeNamed)
        throws WekaException {
        int attribute = attributeNamed.get(entry.get("attribute"));
        String operator = (String) entry.get("is");
        List<String> labels = inputs[attribute].labels;
        if (!(labels == null ? Literal.OF_NUMBERS : Literal.OF_LABELS).contains(operator)) {
            throw new WidcException("the committee of this model is damaged: operator " + operator);
        }
        Object value = entry.get("value");
        if (value instanceof Double) {
            return new Literal(attribute, operator, (Double) value, new int[0]);
        }
        List<?> named = value == null ? Arrays.asList()
            : value instanceof String ? Arrays.asList(value) : list(value);
        return new Literal(attribute, operator, 0,
            named.stream().mapToInt(label -> labels.indexOf((String) label)).toArray());
    }

    private static double[] scores(double[] defaultVector, double[] weights) {
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double[] scores = new double[weights.length];
        for (int j = 0; j < scores.length; j++) {
            scores[j] = defaultVector[j] + PRIOR_WEIGHT * (weights[j] / total);
        }
        return scores;
    }

    private static List<String> labelsOf(Attribute attribute) {
        String[] labels = new String[attribute.numValues()];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = attribute.value(i);
        }
        return Arrays.asList(labels);
    }

    private static List<?> list(Object value) {
        return (List<?>) value;
    }

    private static List<String> strings(Object value) {
        return Arrays.asList(list(value).toArray(new String[0]));
    }

    private static double[] doubles(Object value) {
        return list(value).stream().mapToDouble(item -> (Double) item).toArray();
    }
}
