import java.awt.Dimension;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.File;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.tools.ToolProvider;
import weka.classifiers.AbstractClassifier;
import weka.classifiers.Classifier;
import weka.classifiers.evaluation.Evaluation;
import weka.classifiers.evaluation.NominalPrediction;
import weka.classifiers.evaluation.Prediction;
import weka.classifiers.meta.Bagging;
import weka.classifiers.meta.MultiClassClassifier;
import weka.classifiers.rules.WIDC;
import weka.classifiers.rules.widc.Committee;
import weka.classifiers.rules.widc.JavaSource;
import weka.classifiers.rules.widc.Json;
import weka.core.Attribute;
import weka.core.Check;
import weka.core.DenseInstance;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Option;
import weka.core.SelectedTag;
import weka.core.SerializationHelper;
import weka.core.Utils;
import weka.core.WekaException;
import weka.core.converters.ConverterUtils.DataSource;
import weka.gui.ProgrammaticProperty;
import weka.gui.treevisualizer.PlaceNode2;
import weka.gui.treevisualizer.TreeVisualizer;

/**
 * Does what the lines of a file say, tab-separated: a name for the case, a command, its arguments.
 * What a case prints follows a line "case" with its name; an exception is printed as its message.
 */
public class PluginProbe {

    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Paths.get(args[0]), StandardCharsets.UTF_8)) {
            String[] fields = line.split("\t", -1);
            System.out.println("case\t" + fields[0]);
            String[] arguments = Arrays.copyOfRange(fields, 2, fields.length);
            long start = System.nanoTime();
            try {
                PluginProbe.class.getDeclaredMethod(fields[1], String[].class)
                    .invoke(null, (Object) arguments);
            } catch (InvocationTargetException e) {
                report(e.getCause());
            }
            System.out.println("seconds\t" + (System.nanoTime() - start) / 1e9);
            System.out.flush();
        }
        System.exit(0); // whatever the checks of Weka have started
    }

    /** file, folds, seed, options */
    static void cv(String[] a) throws Exception {
        Instances data = load(a[0]);
        Evaluation evaluation = new Evaluation(data);
        evaluation.crossValidateModel(trainer(a[3]), data, Integer.parseInt(a[1]),
            new Random(Integer.parseInt(a[2])));
        for (Prediction prediction : evaluation.predictions()) {
            System.out.print("row\t" + prediction.actual() + "\t" + prediction.predicted() + "\t"
                + prediction.weight());
            for (double probability : ((NominalPrediction) prediction).distribution()) {
                System.out.print("\t" + probability);
            }
            System.out.println();
        }
    }

    /** file, options */
    static void train(String[] a) throws Exception {
        WIDC classifier = trainer(a[1]);
        classifier.buildClassifier(load(a[0]));
        System.out.println("json\t" + classifier.toJson());
        System.out.println(classifier);
    }

    /** file, then words of options */
    static void trainWords(String[] a) throws Exception {
        WIDC classifier = new WIDC();
        classifier.setOptions(Arrays.copyOfRange(a, 1, a.length));
        classifier.buildClassifier(load(a[0]));
        System.out.println("json\t" + classifier.toJson());
        System.out.println(classifier);
    }

    /** words of options: what getOptions says of them, and again after they are set to that */
    static void optionsTwice(String[] a) throws Exception {
        WIDC classifier = new WIDC();
        classifier.setOptions(a);
        tellOptions(classifier);
        WIDC other = new WIDC();
        other.setOptions(classifier.getOptions());
        tellOptions(other);
    }

    private static void tellOptions(WIDC classifier) {
        System.out.println("options\t" + String.join("\u001f", classifier.getOptions()));
    }

    /** the names of the options that only this classifier has */
    static void optionNames(String[] a) {
        List<String> ofAll = new ArrayList<>();
        for (Option option : Collections.list(new weka.classifiers.rules.ZeroR().listOptions())) {
            ofAll.add(option.name());
        }
        for (Option option : Collections.list(new WIDC().listOptions())) {
            if (!ofAll.contains(option.name())) {
                System.out.println("name\t" + option.name());
            }
        }
    }

    /** files of costs, rules and cut points: properties set one by one as the dialog sets them */
    static void demands(String[] a) throws Exception {
        WIDC classifier = new WIDC();
        classifier.setMinCoverage(" 5% ");
        classifier.setNoNegation(true);
        classifier.setClassWeight("a=2 \"very b=3\"");
        classifier.setMonotone("x=+a \"the y=-a\"");
        classifier.setCosts(new weka.classifiers.CostMatrix(
            Files.newBufferedReader(Paths.get(a[0]), StandardCharsets.UTF_8)));
        classifier.setRules(new File(a[1]));
        classifier.setCutPointsFile(new File(a[2]));
        tellOptions(classifier);
        System.out.println("property\t" + classifier.getClassWeight());
        System.out.println("property\t" + classifier.getMonotone());
        classifier.setMinCoverage("");
        classifier.setNoNegation(false);
        classifier.setClassWeight("");
        classifier.setMonotone("");
        classifier.setCosts(new weka.classifiers.CostMatrix(1));
        classifier.setRules(new File("."));
        classifier.setCutPointsFile(new File(""));
        System.out.println("unset\t" + classifier.getRules().getName());
        classifier.setRules(classifier.getRules());
        System.out.println("unset\t" + classifier.getCutPointsFile().getName());
        classifier.setCutPointsFile(classifier.getCutPointsFile());
        tellOptions(classifier);
    }

    /** file, options, path of the model */
    static void save(String[] a) throws Exception {
        WIDC classifier = trainer(a[1]);
        Instances data = load(a[0]);
        classifier.buildClassifier(data);
        SerializationHelper.write(a[2], classifier);
        score(classifier, data);
    }

    /** file, path of a model */
    static void load(String[] a) throws Exception {
        score((WIDC) SerializationHelper.read(a[1]), load(a[0]));
    }

    /** file, path of a model; its text is changed first: what, by what */
    static void loadChanged(String[] a) throws Exception {
        WIDC classifier = (WIDC) SerializationHelper.read(a[1]);
        java.lang.reflect.Field model = WIDC.class.getDeclaredField("model");
        model.setAccessible(true);
        model.set(classifier, ((String) model.get(classifier)).replace(a[2], a[3]));
        score(classifier, load(a[0]));
    }

    private static void score(WIDC classifier, Instances data) throws Exception {
        System.out.println(classifier);
        for (String measure : new String[] {"measureNumRules", "measureNumLiterals"}) {
            System.out.println(measure + "\t" + classifier.getMeasure(measure));
        }
        System.out.print(classifier.toSummaryString());
        for (Instance row : data) {
            System.out.println("row\t" + classifier.classifyInstance(row) + "\t"
                + Arrays.toString(classifier.distributionForInstance(row)));
        }
    }

    /** file: train on it, score another header of the same data */
    static void otherHeader(String[] a) throws Exception {
        WIDC classifier = trainer("-pruning pessimistic");
        classifier.buildClassifier(load(a[0]));
        Instances other = load(a[1]);
        for (Instance row : other) {
            System.out.println("row\t"
                + other.classAttribute().value((int) classifier.classifyInstance(row)));
        }
    }

    /** file, number of threads, trainings of each: all must give the same model */
    static void threads(String[] a) throws Exception {
        Instances data = load(a[0]);
        WIDC first = trainer("");
        first.buildClassifier(data);
        ExecutorService pool = Executors.newFixedThreadPool(Integer.parseInt(a[1]));
        List<Future<Integer>> futures = new ArrayList<>();
        for (int t = 0; t < Integer.parseInt(a[1]); t++) {
            futures.add(pool.submit(new Callable<Integer>() {
                @Override
                public Integer call() throws Exception {
                    int same = 0;
                    for (int i = 0; i < Integer.parseInt(a[2]); i++) {
                        WIDC classifier = trainer("");
                        classifier.buildClassifier(data);
                        same += classifier.toJson().equals(first.toJson()) ? 1 : 0;
                    }
                    return same;
                }
            }));
        }
        int same = 0;
        for (Future<Integer> future : futures) {
            same += future.get();
        }
        pool.shutdown();
        System.out.println("same\t" + same);
    }

    /** file: an ensemble is the same however many slots it uses */
    static void bagging(String[] a) throws Exception {
        Instances data = load(a[0]);
        List<String> shown = new ArrayList<>();
        for (int slots : new int[] {1, 4}) {
            Bagging bagging = new Bagging();
            bagging.setClassifier(trainer(""));
            bagging.setNumExecutionSlots(slots);
            bagging.setNumIterations(8);
            bagging.setPrintClassifiers(true);
            bagging.buildClassifier(data);
            shown.add(bagging.toString().replaceAll("num-slots \\d", ""));
        }
        System.out.println("same\t" + shown.get(0).equals(shown.get(1)));
    }

    /** labels, names and a relation that are hard to transport come back as they were */
    static void awkward(String[] a) throws Exception {
        List<String> labels = Arrays.asList("a,b", "it's", "two\nlines", "\u00e9t\u00e9",
            "\u65e5\u672c \ud83d\ude00", "\"q\" \\ \\u0022", "\t", " ", "%s {}");
        ArrayList<Attribute> attributes = new ArrayList<>();
        attributes.add(new Attribute("class \u2264 \"x\"\n", labels));
        attributes.add(new Attribute("\u00fc", labels));
        attributes.add(new Attribute("n", false));
        Instances data = new Instances("rel\u00e9 \"\n", attributes, 0);
        data.setClassIndex(0);
        for (int i = 0; i < 90; i++) {
            data.add(new DenseInstance(1, new double[] {i % 9, i % 9, 0.1 * i}));
        }
        WIDC classifier = trainer("");
        classifier.buildClassifier(data);
        Map<?, ?> model = (Map<?, ?>) Json.parse(classifier.toJson());
        System.out.println("labels\t" + ((Map<?, ?>) model.get("labels")).get("values").equals(labels));
        System.out.println("relation\t" + model.get("relation").equals(data.relationName()));
        int right = 0;
        for (Instance row : data) {
            right += classifier.classifyInstance(row) == row.classValue() ? 1 : 0;
        }
        System.out.println("right\t" + right);
        System.out.println("names\t" + classifier.toJson().contains("\\u00fc"));
    }

    /** path of a folder on the class path, then files: Weka's check of the generated sources */
    static void sources(String[] a) throws Exception {
        List<String> command = new ArrayList<>(Arrays.asList("-proc:none", "-nowarn", "-cp",
            System.getProperty("java.class.path"), "-d", a[0]));
        for (int i = 1; i < a.length; i++) {
            WIDC classifier = trainer("");
            classifier.buildClassifier(load(a[i]));
            String source = Evaluation.wekaStaticWrapper(classifier, "Generated" + i)
                .replace("WekaWrapper", "Wrapper" + i);
            File file = new File(a[0], "Wrapper" + i + ".java");
            Files.write(file.toPath(), source.getBytes(StandardCharsets.US_ASCII));
            command.add(file.getPath());
        }
        ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(new String[0]));
        for (int i = 1; i < a.length; i++) {
            weka.classifiers.CheckSource.main(new String[] {"-W", "weka.classifiers.rules.WIDC",
                "-S", "weka.classifiers.Wrapper" + i, "-t", a[i]});
        }
    }

    /** file, options: the partition of the rows, and the filter that makes attributes of it */
    static void partition(String[] a) throws Exception {
        Instances data = load(a[0]);
        WIDC rules = trainer(a[1]);
        weka.filters.supervised.attribute.PartitionMembership filter =
            new weka.filters.supervised.attribute.PartitionMembership();
        filter.setPartitionGenerator(rules);
        filter.setInputFormat(data);
        Instances filtered = weka.filters.Filter.useFilter(data, filter);
        WIDC again = trainer(a[1]);
        again.generatePartition(data);
        System.out.println("json\t" + again.toJson());
        System.out.println("elements\t" + again.numElements());
        System.out.println("attributes\t" + filtered.numAttributes());
        for (int i = 0; i < data.numInstances(); i++) {
            System.out.println("member\t" + Arrays.toString(again.getMembershipValues(data.get(i))));
            double[] row = filtered.get(i).toDoubleArray();
            System.out.println("filtered\t" + Arrays.toString(Arrays.copyOf(row, row.length - 1)));
        }
    }

    /** file, options: whether rows scored together get what they get one by one, and the graph */
    static void together(String[] a) throws Exception {
        Instances data = load(a[0]);
        WIDC classifier = trainer(a[1]);
        classifier.buildClassifier(data);
        double[][] all = classifier.distributionsForInstances(data);
        int same = 0;
        for (int i = 0; i < all.length; i++) {
            same += Arrays.equals(all[i], classifier.distributionForInstance(data.get(i))) ? 1 : 0;
        }
        System.out.println("same\t" + same + " of " + data.numInstances());
        System.out.println("type\t" + (classifier.graphType() == weka.core.Drawable.TREE));
        System.out.println("json\t" + classifier.toJson());
        System.out.println("graph\t" + classifier.graph().replace("\n", "\u001f"));
        for (String name : Collections.list(classifier.enumerateMeasures())) {
            System.out.println("measure\t" + name + "\t" + classifier.getMeasure(name));
        }
        weka.gui.treevisualizer.Node root = new weka.gui.treevisualizer.TreeBuild()
            .create(new java.io.StringReader(classifier.graph()));
        tellTree(root, 0);
    }

    /** file, options, width, height: where Weka's window of that size draws the nodes of the tree */
    static void picture(String[] a) throws Exception {
        WIDC classifier = trainer(a[1]);
        classifier.buildClassifier(load(a[0]));
        TreeVisualizer window = new TreeVisualizer(null, classifier.graph(), new PlaceNode2());
        window.setSize(Integer.parseInt(a[2]), Integer.parseInt(a[3]));
        window.fitToScreen();
        Dimension corner = (Dimension) member(window, "m_viewPos");
        Dimension size = (Dimension) member(window, "m_viewSize");
        for (Object drawn : (Object[]) member(window, "m_nodes")) {
            weka.gui.treevisualizer.Node node =
                (weka.gui.treevisualizer.Node) member(drawn, "m_node");
            int center = (int) (node.getCenter() * size.width) + corner.width;
            int top = (int) (node.getTop() * size.height) + corner.height;
            System.out.println("drawn\t" + (center - (int) member(drawn, "m_side")) + "\t" + top
                + "\t" + member(drawn, "m_width") + "\t" + member(drawn, "m_height") + "\t"
                + node.getLabel().replace("\n", "\u001f"));
        }
    }

    private static Object member(Object owner, String name) throws Exception {
        java.lang.reflect.Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    private static void tellTree(weka.gui.treevisualizer.Node node, int depth) {
        System.out.println("node\t" + depth + "\t" + node.getLabel().replace("\n", "\u001f")
            + "\t" + node.getColor());
        for (int i = 0; node.getChild(i) != null; i++) {
            System.out.println("edge\t" + node.getChild(i).getLabel());
            tellTree(node.getChild(i).getTarget(), depth + 1);
        }
    }

    /** a check of Weka with its options; its own main method would end the JVM */
    static void check(String[] a) throws Exception {
        Check check = (Check) Class.forName(a[0]).getDeclaredConstructor().newInstance();
        check.setOptions(Arrays.copyOfRange(a, 1, a.length));
        check.doTests();
    }

    /** what the help says about options */
    static void options(String[] a) {
        for (Option option : Collections.list(new WIDC().listOptions())) {
            System.out.println(option.synopsis() + "\n" + option.description());
        }
    }

    /** the properties that the dialog shows */
    static void dialog(String[] a) throws Exception {
        for (PropertyDescriptor property : Introspector.getBeanInfo(WIDC.class)
            .getPropertyDescriptors()) {
            Method getter = property.getReadMethod();
            Method setter = property.getWriteMethod();
            if (getter != null && setter != null && !property.getName().equals("options")
                && !getter.isAnnotationPresent(ProgrammaticProperty.class)
                && !setter.isAnnotationPresent(ProgrammaticProperty.class)) {
                System.out.println("property\t" + property.getName());
                System.out.println("tip\t" + WIDC.class.getMethod(property.getName() + "TipText")
                    .invoke(new WIDC()));
            }
        }
    }

    /** file, method: one committee for each pair of classes, and the like */
    static void multiClass(String[] a) throws Exception {
        Instances data = load(a[0]);
        MultiClassClassifier classifier = new MultiClassClassifier();
        classifier.setClassifier(trainer(""));
        classifier.setMethod(new SelectedTag(Integer.parseInt(a[1]),
            MultiClassClassifier.TAGS_METHOD));
        Evaluation evaluation = new Evaluation(data);
        evaluation.crossValidateModel(classifier, data, 3, new Random(1));
        System.out.println("wrong\t" + evaluation.pctIncorrect());
    }

    /** file, then names of classes: what comes of the source of each */
    static void classNames(String[] a) throws Exception {
        WIDC classifier = trainer("-max-rules 1");
        classifier.buildClassifier(load(a[0]));
        for (int i = 1; i < a.length; i++) {
            try {
                classifier.toSource(a[i]);
                System.out.println("taken\t" + a[i]);
            } catch (WekaException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    /** number of labels: the source of a model with so many */
    static void manyLabels(String[] a) throws Exception {
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(a[0]); i++) {
            labels.add("\"k" + i + "\"");
        }
        String ones = String.join(",", Collections.nCopies(labels.size(), "1"));
        JavaSource.of(new Committee("{\"format\":\"widc-arff/committee\",\"version\":1,"
            + "\"attributes\":[],\"labels\":{\"attributes\":[\"c\"],\"values\":" + labels + "},"
            + "\"rules\":[],\"default\":[" + ones + "],\"training\":{\"weights\":[" + ones + "]}}",
            0), "Many");
        System.out.println("taken");
    }

    /** the options of a classifier whose properties were set one by one */
    static void properties(String[] a) throws Exception {
        WIDC classifier = trainer("-penalty 7 -vote-penalty 2");
        classifier.setVotes(new SelectedTag("free", WIDC.TAGS_VOTES));
        classifier.setImpurityPenalty(0.5);
        trainer(Utils.joinOptions(classifier.getOptions()));
        System.out.println("options\t" + String.join(" ", classifier.getOptions()));
        classifier.setPruning(new SelectedTag("none", WIDC.TAGS_PRUNING));
        trainer(Utils.joinOptions(classifier.getOptions()));
        System.out.println("options\t" + String.join(" ", classifier.getOptions()));
    }

    /** options, milliseconds until the interrupt: of a training that takes long */
    static void interrupt(String[] a) throws Exception {
        Instances data = large();
        WIDC classifier = trainer(a[0]);
        Thread thread = new Thread(() -> {
            long start = System.nanoTime();
            try {
                classifier.buildClassifier(data);
            } catch (Throwable e) {
                report(e);
            }
            System.out.println("ended\t" + (System.nanoTime() - start) / 1e9);
        });
        thread.start();
        Thread.sleep(Long.parseLong(a[1]));
        thread.interrupt();
        thread.join();
        System.out.println(classifier);
    }

    /** options: a training that takes long */
    static void trainLarge(String[] a) throws Exception {
        trainer(a[0]).buildClassifier(large());
    }

    /** learner, file, number of trainings: milliseconds of each */
    static void speed(String[] a) throws Exception {
        Instances data = load(a[1]);
        for (int i = 0; i < Integer.parseInt(a[2]); i++) {
            Classifier classifier = AbstractClassifier.forName(a[0], new String[0]);
            long start = System.nanoTime();
            classifier.buildClassifier(data);
            System.out.println("ms\t" + (System.nanoTime() - start) / 1e6);
        }
    }

    private static Instances large() {
        ArrayList<Attribute> attributes = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            attributes.add(new Attribute("a" + i));
        }
        attributes.add(new Attribute("class", Arrays.asList("a", "b", "c", "d", "e")));
        Instances data = new Instances("large", attributes, 0);
        data.setClassIndex(60);
        Random random = new Random(1);
        for (int i = 0; i < 20000; i++) {
            double[] row = random.doubles(61).toArray();
            row[60] = random.nextInt(5);
            data.add(new DenseInstance(1, row));
        }
        return data;
    }

    private static void report(Throwable e) {
        System.out.println("exception\t" + e.getClass().getName());
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        System.err.println(trace);
        System.out.println(e.getMessage());
    }

    private static Instances load(String path) throws Exception {
        Instances data = DataSource.read(path);
        data.setClassIndex(data.numAttributes() - 1);
        return data;
    }

    private static WIDC trainer(String options) throws Exception {
        WIDC classifier = new WIDC();
        classifier.setOptions(Utils.splitOptions(options));
        return classifier;
    }
}
