package weka.classifiers.rules;

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
import weka.classifiers.Sourcable;
import weka.classifiers.rules.widc.Committee;
import weka.classifiers.rules.widc.JavaSource;
import weka.classifiers.rules.widc.TrainingReply;
import weka.classifiers.rules.widc.TrainingRequest;
import weka.classifiers.rules.widc.WorkerPool;
import weka.core.AdditionalMeasureProducer;
import weka.core.Capabilities;
import weka.core.Capabilities.Capability;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Option;
import weka.core.RevisionUtils;
import weka.core.SelectedTag;
import weka.core.Summarizable;
import weka.core.Tag;
import weka.core.TechnicalInformation;
import weka.core.TechnicalInformation.Field;
import weka.core.TechnicalInformation.Type;
import weka.core.TechnicalInformationHandler;
import weka.core.Utils;
import weka.core.WeightedInstancesHandler;
import weka.core.WekaException;
import weka.gui.ProgrammaticProperty;

/**
 * Decision committees: unordered rules that vote for and against classes.
 *
 * <p>The committee is learned by a Python process; everything else happens here. What a saved model
 * holds is the text of the model file, so that it can be used without Python and by other versions.
 */
public class WIDC extends AbstractClassifier implements WeightedInstancesHandler,
    AdditionalMeasureProducer, TechnicalInformationHandler, Sourcable, Summarizable {

    private static final long serialVersionUID = 7103529860421183975L;

    private static final String REFINED = "refined";

    /** The ways of pruning. */
    public static final Tag[] TAGS_PRUNING = tags("pessimistic", "optimistic", "none", REFINED);

    private static final String FREE = "free";

    /** What votes cost. */
    public static final Tag[] TAGS_VOTES = tags("sparse", "one", FREE);

    private static final String DEFAULT_PRUNING = REFINED;
    private static final double DEFAULT_PENALTY = 3;
    private static final String DEFAULT_VOTES = "sparse";
    private static final double USUAL_VOTE_PENALTY = -1;
    private static final double DEFAULT_IMPURITY_PENALTY = 0;
    private static final double MOST_BITS = 1e90;
    private static final String DEFAULT_CUT_POINTS = "mdl+";
    private static final Pattern CUT_POINTS =
        Pattern.compile("mdl\\+?|all|(quantile|width):[0-9]{1,5}");
    private static final int MOST_BINS = 65535;
    private static final int NO_LIMIT = -1;

    private static final String NUM_RULES = "measureNumRules";
    private static final String NUM_LITERALS = "measureNumLiterals";
    private static final String CPU_SECONDS = "measurePythonCPUSeconds";

    private String pruning = DEFAULT_PRUNING;
    private double penalty = DEFAULT_PENALTY;
    private String votes = DEFAULT_VOTES;
    private double votePenalty = USUAL_VOTE_PENALTY;
    private double impurityPenalty = DEFAULT_IMPURITY_PENALTY;
    private String cutPoints = DEFAULT_CUT_POINTS;
    private int maxRules = NO_LIMIT;
    private int maxLiterals = NO_LIMIT;
    private int maxSize = NO_LIMIT;
    private String python = "";
    private int timeout = 0;

    /** The text of the model file; null before training. */
    private String model;
    private String text;
    private int classIndex;
    private double cpuSeconds;

    /** The model, read when it is first needed. */
    private transient volatile Committee committee;

    private static Tag[] tags(String... names) {
        Tag[] tags = new Tag[names.length];
        for (int i = 0; i < names.length; i++) {
            tags[i] = new Tag(i, names[i], names[i], false);
        }
        return tags;
    }

    /** Returns a description for the GUI. */
    public String globalInfo() {
        return "Learns a decision committee: a small set of unordered rules, each a conjunction of "
            + "tests with a vote for, against or neutral about each class. The votes of the rules "
            + "that hold are added and the largest sum wins; a default vector decides ties. Rules "
            + "are grown by partition boosting, get their votes by ranking loss boosting, and are "
            + "pruned.\n\nTraining needs Python 3.11 or newer with numpy; using a trained model "
            + "needs neither.\n\nFor more information see:\n\n" + getTechnicalInformation();
    }

    @Override
    public TechnicalInformation getTechnicalInformation() {
        TechnicalInformation paper = new TechnicalInformation(Type.ARTICLE);
        paper.setValue(Field.AUTHOR, "Richard Nock");
        paper.setValue(Field.TITLE, "Inducing Interpretable Voting Classifiers without Trading "
            + "Accuracy for Simplicity: Theoretical Results, Approximation Algorithms, and "
            + "Experiments");
        paper.setValue(Field.JOURNAL, "Journal of Artificial Intelligence Research");
        paper.setValue(Field.YEAR, "2002");
        paper.setValue(Field.VOLUME, "17");
        paper.setValue(Field.PAGES, "137-170");
        return paper;
    }

    @Override
    public Capabilities getCapabilities() {
        Capabilities capabilities = super.getCapabilities();
        capabilities.disableAll();
        capabilities.enable(Capability.NOMINAL_ATTRIBUTES);
        capabilities.enable(Capability.NUMERIC_ATTRIBUTES);
        capabilities.enable(Capability.DATE_ATTRIBUTES);
        capabilities.enable(Capability.MISSING_VALUES);
        capabilities.enable(Capability.NOMINAL_CLASS);
        capabilities.enable(Capability.UNARY_CLASS);
        capabilities.enable(Capability.MISSING_CLASS_VALUES);
        return capabilities;
    }

    @Override
    public void buildClassifier(Instances data) throws Exception {
        model = null;
        text = null;
        committee = null;
        getCapabilities().testWithFail(data);
        TrainingReply reply = WorkerPool.shared()
            .train(new TrainingRequest(data, trainingOptions()), python, timeout, getDebug());
        Committee trained = new Committee(reply.committee(), data.classIndex());
        StringBuilder shown = new StringBuilder(reply.text());
        for (String warning : reply.warnings()) {
            shown.append("Warning: ").append(warning).append('\n');
        }
        classIndex = data.classIndex();
        cpuSeconds = reply.cpuSeconds();
        text = shown.toString();
        committee = trained;
        model = reply.committee();
    }

    private Map<String, Object> trainingOptions() {
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
        options.put("cut_points", cutPoints);
        options.put("max_rules", limit(maxRules));
        options.put("max_literals", limit(maxLiterals));
        options.put("max_size", limit(maxSize));
        options.values().removeAll(Collections.singleton(null));
        return options;
    }

    private boolean chargesVotes() {
        return pruning.equals(REFINED) && !votes.equals(FREE);
    }

    private static Integer limit(int value) {
        return value == NO_LIMIT ? null : Integer.valueOf(value);
    }

    @Override
    public double classifyInstance(Instance instance) throws Exception {
        Committee trained = committee();
        return trained.decide(trained.votes(instance));
    }

    @Override
    public double[] distributionForInstance(Instance instance) throws Exception {
        Committee trained = committee();
        return trained.probabilities(trained.votes(instance));
    }

    private Committee committee() throws WekaException {
        if (committee == null) {
            if (model == null) {
                throw new WekaException("WIDC: no model built yet");
            }
            committee = new Committee(model, classIndex);
        }
        return committee;
    }

    /** Returns the text of the model file, which the Python package reads; null before training. */
    public String toJson() {
        return model;
    }

    @Override
    public String toString() {
        return text == null ? "WIDC: no model built yet" : text;
    }

    @Override
    public String toSummaryString() {
        if (model == null) {
            return toString();
        }
        return "Number of rules: " + (int) getMeasure(NUM_RULES) + " (with the default)\n"
            + "Number of literals: " + (int) getMeasure(NUM_LITERALS) + "\n";
    }

    @Override
    public String toSource(String className) throws Exception {
        return JavaSource.of(committee(), className);
    }

    @Override
    public Enumeration<String> enumerateMeasures() {
        return Collections.enumeration(Arrays.asList(NUM_RULES, NUM_LITERALS, CPU_SECONDS));
    }

    /** Returns a measure of the model; rules are counted with the default, as JRip counts them. */
    @Override
    public double getMeasure(String name) {
        try {
            if (name.equalsIgnoreCase(NUM_RULES)) {
                return committee().numRules() + 1;
            }
            if (name.equalsIgnoreCase(NUM_LITERALS)) {
                return committee().numLiterals();
            }
            if (name.equalsIgnoreCase(CPU_SECONDS)) {
                return cpuSeconds;
            }
        } catch (WekaException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
        throw new IllegalArgumentException("WIDC has no measure " + name);
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
        options.add(option("cut-points", "METHOD", cutPointsTipText(),
            "default " + DEFAULT_CUT_POINTS));
        options.add(option("max-rules", "N", maxRulesTipText(), "default no limit"));
        options.add(option("max-literals", "N", maxLiteralsTipText(), "default no limit"));
        options.add(option("max-size", "N", maxSizeTipText(), "default no limit"));
        options.add(option("python", "PATH", pythonTipText(), "default: look for one"));
        options.add(option("timeout", "SECONDS", timeoutTipText(), "default 0"));
        options.addAll(Collections.list(super.listOptions()));
        return options.elements();
    }

    private static Option option(String name, String value, String description, String byDefault) {
        return new Option("\t" + description + "\n\t(" + byDefault + ")", name, 1,
            "-" + name + " <" + value + ">");
    }

    /**
     * Sets the options; those that are absent get their defaults.
     *
     * <!-- options-start -->
     * Valid options are: -pruning, -penalty, -votes, -vote-penalty, -impurity-penalty, -cut-points,
     * -max-rules, -max-literals, -max-size, -python, -timeout and those of every classifier.
     * <!-- options-end -->
     */
    @Override
    public void setOptions(String[] options) throws Exception {
        setPruning(tag("pruning", value("pruning", options, DEFAULT_PRUNING), TAGS_PRUNING));
        String penaltyText = ofRefined("penalty", options);
        setPenalty(bits("penalty", penaltyText, DEFAULT_PENALTY));
        String votesText = ofRefined("votes", options);
        setVotes(tag("votes", votesText.isEmpty() ? DEFAULT_VOTES : votesText, TAGS_VOTES));
        String votePenaltyText = ofRefined("vote-penalty", options);
        if (!votePenaltyText.isEmpty() && votes.equals(FREE)) {
            throw new WekaException("-vote-penalty: expected -votes sparse or one with it, got "
                + FREE);
        }
        setVotePenalty(bits("vote-penalty", votePenaltyText, USUAL_VOTE_PENALTY));
        String impurityPenaltyText = ofRefined("impurity-penalty", options);
        setImpurityPenalty(bits("impurity-penalty", impurityPenaltyText, DEFAULT_IMPURITY_PENALTY));
        setCutPoints(value("cut-points", options, DEFAULT_CUT_POINTS));
        setMaxRules(number("max-rules", options, NO_LIMIT));
        setMaxLiterals(number("max-literals", options, NO_LIMIT));
        setMaxSize(number("max-size", options, NO_LIMIT));
        setPython(value("python", options, ""));
        setTimeout(number("timeout", options, 0));
        super.setOptions(options);
        Utils.checkForRemainingOptions(options);
    }

    private static SelectedTag tag(String name, String value, Tag[] tags) throws WekaException {
        try {
            return new SelectedTag(value, tags);
        } catch (IllegalArgumentException e) {
            throw new WekaException("-" + name + ": expected one of " + names(tags) + ", got '"
                + value + "'", e);
        }
    }

    /** Returns an option that only refined pruning has; empty if it is absent. */
    private String ofRefined(String name, String[] options) throws Exception {
        String value = Utils.getOption(name, options);
        if (!value.isEmpty() && !pruning.equals(REFINED)) {
            throw new WekaException("-" + name + ": expected -pruning " + REFINED
                + " with it, got " + pruning);
        }
        return value;
    }

    private static String value(String name, String[] options, String byDefault) throws Exception {
        String value = Utils.getOption(name, options);
        return value.isEmpty() ? byDefault : value;
    }

    private static int number(String name, String[] options, int byDefault) throws Exception {
        String value = value(name, options, String.valueOf(byDefault));
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new WekaException("-" + name + ": expected a whole number, got '" + value + "'", e);
        }
    }

    private static double bits(String name, String value, double byDefault) throws Exception {
        try {
            return value.isEmpty() ? byDefault : Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new WekaException("-" + name + ": expected a number of bits, got '" + value + "'",
                e);
        }
    }

    @Override
    public String[] getOptions() {
        List<String> options = new ArrayList<>(Arrays.asList("-pruning", pruning, "-cut-points",
            cutPoints));
        add(options, "-penalty", pruning.equals(REFINED) ? penalty : DEFAULT_PENALTY,
            DEFAULT_PENALTY);
        add(options, "-votes", pruning.equals(REFINED) ? votes : DEFAULT_VOTES, DEFAULT_VOTES);
        add(options, "-vote-penalty", chargesVotes() ? votePenalty : USUAL_VOTE_PENALTY,
            USUAL_VOTE_PENALTY);
        add(options, "-impurity-penalty",
            pruning.equals(REFINED) ? impurityPenalty : DEFAULT_IMPURITY_PENALTY,
            DEFAULT_IMPURITY_PENALTY);
        add(options, "-max-rules", maxRules, NO_LIMIT);
        add(options, "-max-literals", maxLiterals, NO_LIMIT);
        add(options, "-max-size", maxSize, NO_LIMIT);
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

    private static String names(Tag[] tags) {
        List<String> names = new ArrayList<>();
        for (Tag tag : tags) {
            names.add(tag.getReadable());
        }
        return String.join(", ", names);
    }

    /** Returns a description for the GUI. */
    public String pruningTipText() {
        return "How the committee is pruned: " + names(TAGS_PRUNING) + ".";
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
        return "What a literal costs, in bits, where the pruning is " + REFINED + ".";
    }

    public double getPenalty() {
        return penalty;
    }

    public void setPenalty(double value) {
        if (!areBits(value)) {
            throw new IllegalArgumentException("-penalty: expected a number of bits from 0 to "
                + "1e+90, got " + value);
        }
        penalty = value;
    }

    /** Returns a description for the GUI. */
    public String votesTipText() {
        return "What votes of more than two classes cost where the pruning is " + REFINED
            + ": sparse charges each that differs from the most frequent one of its rule; one does "
            + "too, and lets a rule have just one of these; " + FREE + " charges nothing.";
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
        return "What a vote that differs costs, in bits, where the pruning is " + REFINED
            + " and votes are not " + FREE + "; -1 for log2(c - 1) with c classes.";
    }

    public double getVotePenalty() {
        return votePenalty;
    }

    public void setVotePenalty(double value) {
        if (!areBits(value) && value != USUAL_VOTE_PENALTY) {
            throw new IllegalArgumentException("-vote-penalty: expected a number of bits from 0 to "
                + "1e+90, or -1 for log2(c - 1), got " + value);
        }
        votePenalty = value;
    }

    /** Returns a description for the GUI. */
    public String impurityPenaltyTipText() {
        return "What each row costs, in bits, that a rule covers and is wrong about, where the "
            + "pruning is " + REFINED + ": 0.1 makes rules that can be checked alone, but more "
            + "errors where classes and rows are many.";
    }

    public double getImpurityPenalty() {
        return impurityPenalty;
    }

    public void setImpurityPenalty(double value) {
        if (!areBits(value)) {
            throw new IllegalArgumentException("-impurity-penalty: expected a number of bits from "
                + "0 to 1e+90, got " + value);
        }
        impurityPenalty = value;
    }

    private static boolean areBits(double value) {
        return value >= 0 && value <= MOST_BITS;
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
        if (!CUT_POINTS.matcher(method).matches() || outOfRange(method)) {
            throw new IllegalArgumentException("-cut-points: expected one of mdl+, mdl, all, "
                + "quantile:K, width:K (K from 2 to " + MOST_BINS + "), got '" + value + "'");
        }
        cutPoints = method;
    }

    private static boolean outOfRange(String method) {
        int colon = method.indexOf(':');
        int bins = colon < 0 ? 2 : Integer.parseInt(method.substring(colon + 1));
        return bins < 2 || bins > MOST_BINS;
    }

    /** Hidden in the dialog: a committee is shown in its own numbers of digits. */
    @ProgrammaticProperty
    @Override
    public int getNumDecimalPlaces() {
        return super.getNumDecimalPlaces();
    }

    @ProgrammaticProperty
    @Override
    public void setNumDecimalPlaces(int value) {
        super.setNumDecimalPlaces(value);
    }

    /** Hidden in the dialog: rows are scored one by one. */
    @ProgrammaticProperty
    @Override
    public String getBatchSize() {
        return super.getBatchSize();
    }

    @ProgrammaticProperty
    @Override
    public void setBatchSize(String value) {
        super.setBatchSize(value);
    }

    /** Returns a description for the GUI. */
    public String maxRulesTipText() {
        return "Most rules of the committee; -1 for no limit.";
    }

    public int getMaxRules() {
        return maxRules;
    }

    public void setMaxRules(int value) {
        maxRules = checked("max-rules", value, 0, NO_LIMIT);
    }

    /** Returns a description for the GUI. */
    public String maxLiteralsTipText() {
        return "Most literals of each rule; -1 for no limit.";
    }

    public int getMaxLiterals() {
        return maxLiterals;
    }

    public void setMaxLiterals(int value) {
        maxLiterals = checked("max-literals", value, 1, NO_LIMIT);
    }

    /** Returns a description for the GUI. */
    public String maxSizeTipText() {
        return "Most literals of the whole committee; -1 for no limit.";
    }

    public int getMaxSize() {
        return maxSize;
    }

    public void setMaxSize(int value) {
        maxSize = checked("max-size", value, 0, NO_LIMIT);
    }

    /** Returns a description for the GUI. */
    public String pythonTipText() {
        return "The Python interpreter that trains; empty to take the one that the system property "
            + "widc.python or the environment variable WIDC_PYTHON names, or to look for one.";
    }

    public String getPython() {
        return python;
    }

    public void setPython(String value) {
        python = value.trim();
    }

    /** Returns a description for the GUI. */
    public String timeoutTipText() {
        return "The most seconds that a training may take; 0 for no limit.";
    }

    public int getTimeout() {
        return timeout;
    }

    public void setTimeout(int value) {
        timeout = checked("timeout", value, 0, 0);
    }

    private static int checked(String name, int value, int least, int noLimit) {
        if (value < least && value != noLimit) {
            throw new IllegalArgumentException("-" + name + ": expected a whole number from " + least
                + (noLimit < least ? ", or " + noLimit + " for no limit" : "") + ", got " + value);
        }
        return value;
    }

    @Override
    public String getRevision() {
        return RevisionUtils.extract("$Revision: 1 $");
    }

    /**
     * Runs the classifier from the command line.
     *
     * @param args options of Weka's evaluation and of the classifier
     */
    public static void main(String[] args) {
        runClassifier(new WIDC(), args);
    }
}
