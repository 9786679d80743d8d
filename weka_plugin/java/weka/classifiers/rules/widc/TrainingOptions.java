package weka.classifiers.rules.widc;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import java.util.regex.Pattern;
import weka.classifiers.AbstractClassifier;
import weka.classifiers.CostMatrix;
import weka.core.Option;
import weka.core.SelectedTag;
import weka.core.Tag;
import weka.core.Utils;
import weka.core.WekaException;

/**
 * The options of the classifier: those of the command line {@code widc-arff train} under the same
 * names, and where the Python is that trains.
 *
 * <p>Each is checked when it is set, as far as it can be without the data. Options that may be
 * repeated are one text in the dialog, in which words with blanks stand in quotes.
 */
public abstract class TrainingOptions extends AbstractClassifier {

    private static final long serialVersionUID = -2290816571342850417L;

    private static final String REFINED = "refined";

    /** The ways of pruning. */
    public static final Tag[] TAGS_PRUNING =
        OptionWords.tags("pessimistic", "optimistic", "none", REFINED);

    private static final String FREE = "free";

    /** What votes cost. */
    public static final Tag[] TAGS_VOTES = OptionWords.tags("sparse", "one", FREE);

    private static final String DECIMAL_PLACES = "num-decimal-places";

    private static final String AUTO = "auto";

    /** How the rules are printed. */
    public static final Tag[] TAGS_LAYOUT = OptionWords.tags(AUTO, "class", "rule");

    private static final String DEFAULT_PRUNING = REFINED;
    private static final double DEFAULT_PENALTY = 3;
    private static final String DEFAULT_VOTES = "sparse";
    private static final double USUAL_VOTE_PENALTY = -1;
    private static final double DEFAULT_IMPURITY_PENALTY = 0;
    private static final String DEFAULT_CUT_POINTS = "mdl+";
    private static final Pattern CUT_POINTS =
        Pattern.compile("mdl\\+?|all|(quantile|width):[0-9]{1,5}");
    private static final int MOST_BINS = 65535;
    private static final Pattern SHARE = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)\\s*%");
    private static final int NO_LIMIT = -1;

    private String pruning = DEFAULT_PRUNING;
    private double penalty = DEFAULT_PENALTY;
    private String votes = DEFAULT_VOTES;
    private double votePenalty = USUAL_VOTE_PENALTY;
    private double impurityPenalty = DEFAULT_IMPURITY_PENALTY;
    private String cutPoints = DEFAULT_CUT_POINTS;
    private File cutPointsFile; // null for none
    private int maxRules = NO_LIMIT;
    private int maxLiterals = NO_LIMIT;
    private int maxSize = NO_LIMIT;
    private String minCoverage = "";
    private boolean noNegation = false;
    private String[] classWeight = {};
    private CostMatrix costs = Costs.none();
    private String literals = "";
    private String[] ordered = {};
    private String[] monotone = {};
    private File rules; // null for none
    private String layout = AUTO;
    private String python = "";
    private int timeout = 0;

    /** Returns the options of the induction as the worker takes them, without those of files. */
    protected Map<String, Object> induction() {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("pruning", pruning);
        if (pruning.equals(REFINED)) {
            options.put("penalty", penalty);
            options.put("votes", votes);
            if (chargesVotes() && votePenalty != USUAL_VOTE_PENALTY) {
                options.put("vote_penalty", votePenalty);
            }
            options.put("impurity_penalty", impurityPenalty);
        }
        options.put("cut_points", cutPointsFile == null ? cutPoints : null);
        options.put("max_rules", limit(maxRules));
        options.put("max_literals", limit(maxLiterals));
        options.put("max_size", limit(maxSize));
        options.put("min_coverage", coverage());
        options.put("negation", !noNegation);
        options.put("class_weight", Weights.of(classWeight));
        options.put("costs", Costs.isNone(costs) ? null : Costs.rows(costs));
        options.put("literals", literals.isEmpty() ? null : namesOfLiterals());
        options.put("ordered", Arrays.asList(ordered));
        options.put("monotone", Arrays.asList(monotone));
        options.values().removeAll(Collections.singleton(null));
        return options;
    }

    /**
     * Returns name and text of the files that options of the induction name.
     *
     * @throws WekaException if one cannot be read
     */
    protected Map<String, Object> files() throws WekaException {
        Map<String, Object> files = new LinkedHashMap<>();
        if (cutPointsFile != null) {
            files.put("cut_points", OptionFile.content("cut-points", cutPointsFile));
        }
        if (rules != null) {
            files.put("rules", OptionFile.content("rules", rules));
        }
        return files;
    }

    /** Returns how the worker prints the rules, null where it chooses. */
    protected String chosenLayout() {
        return layout.equals(AUTO) ? null : layout;
    }

    /** Returns the option of Weka that sets an option of the worker. */
    static String flag(String option) {
        return "-" + option.replace('_', '-');
    }

    private boolean chargesVotes() {
        return pruning.equals(REFINED) && !votes.equals(FREE);
    }

    private static Integer limit(int value) {
        return value == NO_LIMIT ? null : Integer.valueOf(value);
    }

    /** Returns a weight, a share as a text, or null. */
    private Object coverage() {
        if (minCoverage.isEmpty() || SHARE.matcher(minCoverage).matches()) {
            return minCoverage.isEmpty() ? null : minCoverage;
        }
        return Double.valueOf(minCoverage);
    }

    @Override
    public Enumeration<Option> listOptions() {
        Vector<Option> options = new Vector<>();
        options.add(option("pruning", "NAME", pruningTipText(), "default " + DEFAULT_PRUNING));
        options.add(option("penalty", "BITS", penaltyTipText(), "default " + DEFAULT_PENALTY));
        options.add(option("votes", "NAME", votesTipText(), "default " + DEFAULT_VOTES));
        options.add(option("vote-penalty", "BITS", votePenaltyTipText(), "default log2(c - 1)"));
        options.add(option("impurity-penalty", "BITS", impurityPenaltyTipText(),
            "default " + DEFAULT_IMPURITY_PENALTY));
        options.add(option("cut-points", "METHOD|FILE", cutPointsTipText() + " Or a file of JSON: "
            + "{attribute: [cut, ...]}.", "default " + DEFAULT_CUT_POINTS));
        options.add(option("max-rules", "N", maxRulesTipText(), "default no limit"));
        options.add(option("max-literals", "N", maxLiteralsTipText(), "default no limit"));
        options.add(option("max-size", "N", maxSizeTipText(), "default no limit"));
        options.add(option("min-coverage", "N|P%", minCoverageTipText(), "default no limit"));
        options.add(new Option(described(noNegationTipText()), "no-negation", 0, "-no-negation"));
        options.add(option("literals", "plain|LIST", literalsTipText(),
            "default all with -pruning refined, else plain"));
        options.add(option("ordered", "NAME|NAME=a<b<c", orderedTipText(),
            "default: labels that are all numbers or ranges; may be repeated"));
        options.add(option("class-weight", "LABEL=W|balanced", classWeightTipText(),
            "default 1; may be repeated"));
        options.add(option("costs", "FILE|MATRIX", costsTipText() + " A file of costs in Weka's "
            + "format, or a matrix such as [0 1; 5 0].", "default: all errors cost the same"));
        options.add(option("monotone", "NAME=+LABEL|NAME=-LABEL", monotoneTipText(),
            "default none; may be repeated"));
        options.add(option("rules", "FILE", rulesTipText(), "default none"));
        options.add(option("layout", "NAME", layoutTipText(), "default " + AUTO));
        options.add(option("python", "PATH", pythonTipText(), "default: look for one"));
        options.add(option("timeout", "SECONDS", timeoutTipText(), "default 0"));
        for (Option inherited : Collections.list(super.listOptions())) {
            options.add(inherited.name().equals(DECIMAL_PLACES)
                ? new Option(described(numDecimalPlacesTipText()), DECIMAL_PLACES, 1,
                    inherited.synopsis()) : inherited);
        }
        return options.elements();
    }

    private static Option option(String name, String value, String description, String byDefault) {
        return new Option(described(description) + "\n\t(" + byDefault + ")", name, 1,
            "-" + name + " <" + value + ">");
    }

    private static String described(String description) {
        return "\t" + Lines.wrapped(description).replace("\n", "\n\t");
    }

    /** Returns a description for the help. */
    @Override
    public String numDecimalPlacesTipText() {
        return "Has no effect: numbers in rules are printed with all the digits that they need.";
    }

    /**
     * Sets the options; those that are absent get their defaults.
     *
     * <!-- options-start -->
     * Valid options are: -pruning, -penalty, -votes, -vote-penalty, -impurity-penalty, -cut-points,
     * -max-rules, -max-literals, -max-size, -min-coverage, -no-negation, -literals, -ordered,
     * -class-weight, -costs, -monotone, -rules, -layout, -python, -timeout and those of every classifier.
     * <!-- options-end -->
     */
    @Override
    public void setOptions(String[] options) throws Exception {
        OptionWords words = new OptionWords(options);
        setPruning(words.tag("pruning", TAGS_PRUNING, DEFAULT_PRUNING));
        checkPrices(words);
        setPenalty(words.bits("penalty", DEFAULT_PENALTY));
        setVotePenalty(words.bits("vote-penalty", USUAL_VOTE_PENALTY));
        setImpurityPenalty(words.bits("impurity-penalty", DEFAULT_IMPURITY_PENALTY));
        setMethodOrFile(words.text("cut-points", DEFAULT_CUT_POINTS));
        setMaxRules(words.whole("max-rules", NO_LIMIT));
        setMaxLiterals(words.whole("max-literals", NO_LIMIT));
        setMaxSize(words.whole("max-size", NO_LIMIT));
        setMinCoverage(words.text("min-coverage", ""));
        setNoNegation(words.flag("no-negation"));
        setLiterals(words.text("literals", ""));
        ordered = words.texts("ordered");
        setWordsOfWeights(words.texts("class-weight"));
        String costsText = words.text("costs", "");
        setCosts(costsText.isEmpty() ? Costs.none() : Costs.of(costsText));
        setDirections(words.texts("monotone"));
        setRulesOrNone(words.text("rules", ""));
        setLayout(words.tag("layout", TAGS_LAYOUT, AUTO));
        setPython(words.text("python", ""));
        setTimeout(words.whole("timeout", 0));
        super.setOptions(options);
        Utils.checkForRemainingOptions(options);
    }

    /** Sets the votes, and refuses prices that play no part. */
    private void checkPrices(OptionWords words) throws Exception {
        for (String name : new String[] {"penalty", "votes", "vote-penalty", "impurity-penalty"}) {
            if (words.has(name) && !pruning.equals(REFINED)) {
                throw new WidcException("-" + name + ": expected -pruning " + REFINED
                    + " with it, got " + pruning);
            }
        }
        setVotes(words.tag("votes", TAGS_VOTES, DEFAULT_VOTES));
        if (words.has("vote-penalty") && votes.equals(FREE)) {
            throw new WidcException("-vote-penalty: expected -votes sparse or one with it, got "
                + FREE);
        }
    }

    private void setMethodOrFile(String text) {
        boolean isFile = !isMethod(text) && new File(text).isFile();
        setCutPointsFile(isFile ? new File(text) : null);
        setCutPoints(isFile ? DEFAULT_CUT_POINTS : text);
    }

    private void setRulesOrNone(String path) throws WekaException {
        if (!path.isEmpty() && new File(path).isDirectory()) {
            throw new WidcException("-rules: expected a file, got the folder '" + path + "'");
        }
        setRules(path.isEmpty() ? null : new File(path));
    }

    @Override
    public String[] getOptions() {
        List<String> options = new ArrayList<>(Arrays.asList("-pruning", pruning, "-cut-points",
            cutPointsFile == null ? cutPoints : cutPointsFile.getPath()));
        if (pruning.equals(REFINED)) {
            add(options, "-penalty", penalty, DEFAULT_PENALTY);
            add(options, "-votes", votes, DEFAULT_VOTES);
            add(options, "-vote-penalty", chargesVotes() ? votePenalty : USUAL_VOTE_PENALTY,
                USUAL_VOTE_PENALTY);
            add(options, "-impurity-penalty", impurityPenalty, DEFAULT_IMPURITY_PENALTY);
        }
        add(options, "-max-rules", maxRules, NO_LIMIT);
        add(options, "-max-literals", maxLiterals, NO_LIMIT);
        add(options, "-max-size", maxSize, NO_LIMIT);
        add(options, "-min-coverage", minCoverage, "");
        options.addAll(noNegation ? Arrays.asList("-no-negation") : Collections.emptyList());
        add(options, "-literals", literals, "");
        addAll(options, "-ordered", ordered);
        addAll(options, "-class-weight", classWeight);
        add(options, "-costs", Costs.isNone(costs) ? "" : costs.toMatlab(), "");
        addAll(options, "-monotone", monotone);
        add(options, "-rules", rules == null ? "" : rules.getPath(), "");
        add(options, "-layout", layout, AUTO);
        add(options, "-python", python, "");
        add(options, "-timeout", timeout, 0);
        options.addAll(Arrays.asList(super.getOptions()));
        return options.toArray(new String[0]);
    }

    private static void add(List<String> options, String name, Object value, Object byDefault) {
        if (!value.equals(byDefault)) {
            options.add(name);
            options.add(value.toString());
        }
    }

    private static void addAll(List<String> options, String name, String[] values) {
        for (String value : values) {
            add(options, name, value, "");
        }
    }

    /** Returns a description for the GUI. */
    public String pruningTipText() {
        return "How the committee is pruned: " + OptionWords.names(TAGS_PRUNING) + ".";
    }

    public SelectedTag getPruning() {
        return new SelectedTag(pruning, TAGS_PRUNING);
    }

    public void setPruning(SelectedTag value) {
        SelectedTag known = new SelectedTag(value.getSelectedTag().getReadable(), TAGS_PRUNING);
        pruning = known.getSelectedTag().getReadable();
    }

    /** Returns a description for the GUI. */
    public String penaltyTipText() {
        return "Price of a condition, in bits (" + REFINED + " pruning only).";
    }

    public double getPenalty() {
        return penalty;
    }

    public void setPenalty(double value) {
        if (!areBits(value)) {
            throw new OptionException("-penalty: expected a number of bits from 0 to "
                + "1e+90, got " + value);
        }
        penalty = value;
    }

    /** Returns a description for the GUI. */
    public String votesTipText() {
        return "How votes are priced with three or more classes (" + REFINED + " pruning only). "
            + "sparse: each class that a rule singles out has a price; one: each rule may single out "
            + "only one class; " + FREE + ": votes cost nothing.";
    }

    public SelectedTag getVotes() {
        return new SelectedTag(votes, TAGS_VOTES);
    }

    public void setVotes(SelectedTag value) {
        SelectedTag known = new SelectedTag(value.getSelectedTag().getReadable(), TAGS_VOTES);
        votes = known.getSelectedTag().getReadable();
    }

    /** Returns a description for the GUI. */
    public String votePenaltyTipText() {
        return "Price of each class that a rule singles out, in bits (" + REFINED + " pruning only). "
            + "-1 for log2(c - 1) with c classes; it has no effect on votes that are " + FREE + ".";
    }

    public double getVotePenalty() {
        return votePenalty;
    }

    public void setVotePenalty(double value) {
        if (!areBits(value) && value != USUAL_VOTE_PENALTY) {
            throw new OptionException("-vote-penalty: expected a number of bits from 0 to "
                + "1e+90, or -1 for log2(c - 1), got " + value);
        }
        votePenalty = value;
    }

    /** Returns a description for the GUI. */
    public String impurityPenaltyTipText() {
        return "Price of each training row that a rule covers and gets wrong, in bits (" + REFINED
            + " pruning only). 0.1 makes rules that are right on their own, but more errors where "
            + "classes and rows are many.";
    }

    public double getImpurityPenalty() {
        return impurityPenalty;
    }

    public void setImpurityPenalty(double value) {
        if (!areBits(value)) {
            throw new OptionException("-impurity-penalty: expected a number of bits from "
                + "0 to 1e+90, got " + value);
        }
        impurityPenalty = value;
    }

    private static boolean areBits(double value) {
        return value >= 0 && value <= Weights.LARGEST;
    }

    /** Returns a description for the GUI. */
    public String cutPointsTipText() {
        return "Where numeric attributes may be cut: mdl+, mdl, all, quantile:K or width:K.";
    }

    public String getCutPoints() {
        return cutPoints;
    }

    public void setCutPoints(String value) {
        String method = value.trim();
        if (!isMethod(method)) {
            throw new OptionException("-cut-points: expected one of mdl+, mdl, all, "
                + "quantile:K, width:K (K from 2 to " + MOST_BINS + ") or a file, got '" + value
                + "'");
        }
        cutPoints = method;
    }

    private static boolean isMethod(String text) {
        if (!CUT_POINTS.matcher(text).matches()) {
            return false;
        }
        int colon = text.indexOf(':');
        int bins = colon < 0 ? 2 : Integer.parseInt(text.substring(colon + 1));
        return bins >= 2 && bins <= MOST_BINS;
    }

    /** Returns a description for the GUI. */
    public String cutPointsFileTipText() {
        return "A JSON file with the cut points of attributes, in place of cutPoints. It holds "
            + "{attribute: [cut, ...]}; choose a folder for no file.";
    }

    public File getCutPointsFile() {
        return OptionFile.shown(cutPointsFile);
    }

    public void setCutPointsFile(File value) {
        cutPointsFile = OptionFile.checked("cut-points", value);
    }

    /** Returns a description for the GUI. */
    public String maxRulesTipText() {
        return "Largest number of rules; -1 for no limit.";
    }

    public int getMaxRules() {
        return maxRules;
    }

    public void setMaxRules(int value) {
        maxRules = checked("max-rules", value, 0, NO_LIMIT);
    }

    /** Returns a description for the GUI. */
    public String maxLiteralsTipText() {
        return "Largest number of conditions in each rule; -1 for no limit.";
    }

    public int getMaxLiterals() {
        return maxLiterals;
    }

    public void setMaxLiterals(int value) {
        maxLiterals = checked("max-literals", value, 1, NO_LIMIT);
    }

    /** Returns a description for the GUI. */
    public String maxSizeTipText() {
        return "Largest number of conditions in the whole committee; -1 for no limit.";
    }

    public int getMaxSize() {
        return maxSize;
    }

    public void setMaxSize(int value) {
        maxSize = checked("max-size", value, 0, NO_LIMIT);
    }

    /** Returns a description for the GUI. */
    public String minCoverageTipText() {
        return "Smallest weight of training rows that a rule may cover, or share of it such as 5%. "
            + "Empty for no limit.";
    }

    public String getMinCoverage() {
        return minCoverage;
    }

    public void setMinCoverage(String value) {
        String text = value.trim();
        if (!text.isEmpty() && !isCoverage(text)) {
            throw new OptionException("-min-coverage: expected a weight from 1 or a share "
                + "such as 5%, up to 100%, got '" + value + "'");
        }
        minCoverage = text;
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

    /** Returns a description for the GUI. */
    public String noNegationTipText() {
        return "Whether to forbid conditions with != and not in.";
    }

    public boolean getNoNegation() {
        return noNegation;
    }

    public void setNoNegation(boolean value) {
        noNegation = value;
    }

    /** Returns a description for the GUI. */
    public String classWeightTipText() {
        return "Factors for the weights of rows by class: LABEL=W, several with blanks between. "
            + "Or balanced alone, so that all classes get the same total.";
    }

    public String getClassWeight() {
        return Utils.joinOptions(classWeight);
    }

    public void setClassWeight(String value) throws Exception {
        setWordsOfWeights(Utils.splitOptions(value));
    }

    private void setWordsOfWeights(String[] words) {
        Weights.of(words);
        classWeight = words;
    }

    /** Returns a description for the GUI. */
    public String costsTipText() {
        return "Cost of predicting a class (column) where another (row) is true. Labels are in "
            + "their order; costs act in growing, votes and pruning. Of one class: no costs.";
    }

    public CostMatrix getCosts() {
        return costs;
    }

    public void setCosts(CostMatrix value) {
        if (!Costs.isNone(value)) {
            Costs.rows(value);
        }
        costs = value;
    }

    /** Returns a description for the GUI. */
    public String literalsTipText() {
        return "What rules may test beyond =, !=, <= and >. Plain for nothing, or a list of sets (one "
            + "of several labels), order (labels up to one, or above it) and known (whether there is "
            + "a value). Empty: all with -pruning refined, else plain.";
    }

    public String getLiterals() {
        return literals;
    }

    public void setLiterals(String value) {
        String before = literals;
        literals = value.trim();
        for (String name : namesOfLiterals()) {
            if (!Arrays.asList("sets", "order", "known").contains(name)) {
                literals = before;
                throw new OptionException("-literals: expected sets, order, known or plain, got '"
                    + name + "'");
            }
        }
    }

    private List<String> namesOfLiterals() {
        return literals.isEmpty() || literals.equals("plain") ? Collections.emptyList()
            : Arrays.asList(literals.split("\\s*,\\s*"));
    }

    /** Returns a description for the GUI. */
    public String orderedTipText() {
        return "Attributes whose labels have an order. NAME for that of their declaration, "
            + "NAME=a<b<c for another, NAME= for none, several with blanks between. Labels that "
            + "are all numbers or ranges have one by themselves.";
    }

    public String getOrdered() {
        return Utils.joinOptions(ordered);
    }

    public void setOrdered(String value) throws Exception {
        ordered = Utils.splitOptions(value);
    }

    /** Returns a description for the GUI. */
    public String monotoneTipText() {
        return "Directions of attributes: NAME=+LABEL or NAME=-LABEL, several with blanks between. "
            + "With +, raising the attribute never lowers the score of the label; with -, it never "
            + "raises it.";
    }

    public String getMonotone() {
        return Utils.joinOptions(monotone);
    }

    public void setMonotone(String value) throws Exception {
        setDirections(Utils.splitOptions(value));
    }

    private void setDirections(String[] words) {
        Directions.check(words);
        monotone = words;
    }

    /** Returns a description for the GUI. */
    public String rulesTipText() {
        return "A file of rules that stay in the committee as they are, one a line. A rule is: if "
            + "NAME <= 1 and NAME = VALUE then LABEL. Or a model file; choose a folder for no file.";
    }

    public File getRules() {
        return OptionFile.shown(rules);
    }

    public void setRules(File value) {
        rules = OptionFile.checked("rules", value);
    }

    /** Returns a description for the GUI. */
    public String layoutTipText() {
        return "How the rules are printed: class by class, as with " + AUTO + ", or rule by rule; the"
            + " model is the same.";
    }

    public SelectedTag getLayout() {
        return new SelectedTag(layout, TAGS_LAYOUT);
    }

    public void setLayout(SelectedTag value) {
        SelectedTag known = new SelectedTag(value.getSelectedTag().getReadable(), TAGS_LAYOUT);
        layout = known.getSelectedTag().getReadable();
    }

    /** Returns a description for the GUI. */
    public String pythonTipText() {
        return "The Python interpreter that trains; empty to look for one. If empty, it is the one "
            + "that the system property widc.python or the environment variable WIDC_PYTHON names, "
            + "or else python3 or python on the path.";
    }

    public String getPython() {
        return python;
    }

    public void setPython(String value) {
        python = value.trim();
    }

    /** Returns a description for the GUI. */
    public String timeoutTipText() {
        return "Time limit of a training in seconds; 0 for no limit.";
    }

    public int getTimeout() {
        return timeout;
    }

    public void setTimeout(int value) {
        timeout = checked("timeout", value, 0, 0);
    }

    private static int checked(String name, int value, int least, int noLimit) {
        if (value < least && value != noLimit) {
            throw new OptionException("-" + name + ": expected a whole number from " + least
                + (noLimit < least ? ", or " + noLimit + " for no limit" : "") + ", got " + value);
        }
        return value;
    }
}
