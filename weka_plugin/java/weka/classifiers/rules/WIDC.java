package weka.classifiers.rules;

import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import weka.classifiers.Sourcable;
import weka.classifiers.rules.widc.Committee;
import weka.classifiers.rules.widc.JavaSource;
import weka.classifiers.rules.widc.TrainingOptions;
import weka.classifiers.rules.widc.TrainingReply;
import weka.classifiers.rules.widc.TrainingRequest;
import weka.classifiers.rules.widc.WidcException;
import weka.classifiers.rules.widc.WorkerPool;
import weka.core.AdditionalMeasureProducer;
import weka.core.Capabilities;
import weka.core.Capabilities.Capability;
import weka.core.Drawable;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.PartitionGenerator;
import weka.core.RevisionUtils;
import weka.core.Summarizable;
import weka.core.TechnicalInformation;
import weka.core.TechnicalInformation.Field;
import weka.core.TechnicalInformation.Type;
import weka.core.TechnicalInformationHandler;
import weka.core.WeightedInstancesHandler;
import weka.core.WekaException;
import weka.gui.ProgrammaticProperty;

/**
 * Decision committees: unordered rules that vote for and against classes.
 *
 * <p>The committee is learned by a Python process; everything else happens here. What a saved model
 * holds is the text of the model file, so that it can be used without Python and by other versions.
 */
public class WIDC extends TrainingOptions implements WeightedInstancesHandler,
    AdditionalMeasureProducer, TechnicalInformationHandler, Sourcable, Summarizable, Drawable,
    PartitionGenerator {

    private static final long serialVersionUID = 7103529860421183975L;

    private static final String NUM_RULES = "measureNumRules";
    private static final String NUM_LITERALS = "measureNumLiterals";
    private static final String NUM_EXCEPTIONS = "measureNumExceptions";
    private static final String SIZE = "measureSize";
    private static final String TREE_SIZE = "measureTreeSize";
    private static final String CPU_SECONDS = "measurePythonCPUSeconds";

    /** The text of the model file; null before training. */
    private String model;
    private String text;
    private String graph;
    private int classIndex;
    private double cpuSeconds;

    /** The model, read when it is first needed. */
    private transient volatile Committee committee;

    /** Returns a description for the GUI. */
    public String globalInfo() {
        return "Learns a decision committee: a small set of unordered rules, each a conjunction of "
            + "conditions with a vote for each class: for, neutral or against. The votes of the "
            + "rules that hold are added and the largest sum wins; a default vector decides ties. "
            + "Rules are grown by partition boosting, get their votes by ranking loss boosting, and "
            + "are pruned.\n\nTraining needs Python 3.11 or newer with numpy; using a trained model "
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
        graph = null;
        committee = null;
        getCapabilities().testWithFail(data);
        TrainingReply reply = WorkerPool.shared()
            .train(new TrainingRequest(data, induction(), files(), chosenLayout()), getPython(),
                getTimeout(), getDebug());
        Committee trained = new Committee(reply.committee(), data.classIndex());
        classIndex = data.classIndex();
        cpuSeconds = reply.cpuSeconds();
        text = reply.text();
        graph = reply.graph();
        committee = trained;
        model = reply.committee();
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

    /** Returns the probabilities of all rows; what the rules test is looked up once. */
    @Override
    public double[][] distributionsForInstances(Instances rows) throws Exception {
        return committee().distributions(rows);
    }

    @Override
    public boolean implementsMoreEfficientBatchPrediction() {
        return true;
    }

    /** Learns the rules whose cover is the partition, or rather the overlapping parts. */
    @Override
    public void generatePartition(Instances data) throws Exception {
        buildClassifier(data);
    }

    /** Returns the weight of the row for each rule that holds, and 0 for the others. */
    @Override
    public double[] getMembershipValues(Instance instance) throws Exception {
        return committee().membership(instance);
    }

    /** Returns the number of rules, the default not counted: it holds for all rows. */
    @Override
    public int numElements() throws Exception {
        return committee().numRules();
    }

    @Override
    public int graphType() {
        return Drawable.TREE;
    }

    /** Returns the rules as a tree: below each rule the classes that it is for and against. */
    @Override
    public String graph() throws WekaException {
        committee();
        return graph;
    }

    private Committee committee() throws WekaException {
        if (committee == null) {
            if (model == null) {
                throw new WidcException("WIDC: no model built yet");
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
            + "Number of conditions: " + (int) getMeasure(NUM_LITERALS) + "\n"
            + "Number of votes: " + (int) getMeasure(NUM_EXCEPTIONS) + "\n";
    }

    @Override
    public String toSource(String className) throws Exception {
        return JavaSource.of(committee(), className);
    }

    @Override
    public Enumeration<String> enumerateMeasures() {
        return Collections.enumeration(Arrays.asList(NUM_RULES, NUM_LITERALS, NUM_EXCEPTIONS,
            SIZE, TREE_SIZE, CPU_SECONDS));
    }

    /**
     * Returns a measure of the model. Rules are counted with the default, as JRip counts them;
     * exceptions are votes that differ from the most frequent one of their rule; the size is that of
     * literals and exceptions. It is there twice: the Experimenter compares only measures that all
     * classifiers have, and trees have the number of their nodes under the second name.
     */
    @Override
    public double getMeasure(String name) {
        try {
            switch (name.toLowerCase(Locale.ROOT)) {
                case "measurenumrules":
                    return committee().numRules() + 1;
                case "measurenumliterals":
                    return committee().numLiterals();
                case "measurenumexceptions":
                    return committee().numExceptions();
                case "measuresize":
                case "measuretreesize":
                    return committee().numLiterals() + committee().numExceptions();
                case "measurepythoncpuseconds":
                    return cpuSeconds;
                default:
                    throw new IllegalArgumentException("WIDC has no measure " + name);
            }
        } catch (WekaException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
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
