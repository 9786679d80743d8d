import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import weka.classifiers.AbstractClassifier;
import weka.classifiers.Classifier;
import weka.classifiers.Evaluation;
import weka.classifiers.rules.JRip;
import weka.classifiers.rules.Rule;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.j48.ClassifierTree;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.Version;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Answers requests to train and test a classifier, one line each, until its input ends.
 *
 * <p>Request: scheme, training file, test file (empty: cross-validation), folds, seed, separated by
 * tabs; the class is the last attribute. Answer: a line "WEKA " and a JSON object with a list per
 * measure, one number per fold; or with the key "fault". The first line is a greeting with the
 * versions. Folds are those of the Experimenter's run of that number.
 */
public final class WekaRuns {

  /** J48 with its tree in view. */
  private static final class OpenJ48 extends J48 {
    private static final long serialVersionUID = 1L;

    ClassifierTree root() {
      return m_root;
    }
  }

  /** What one fold's model is like. */
  private static final class Size {
    double rules = Double.NaN;
    double literals = Double.NaN;
    double nodes = Double.NaN;
    final TreeSet<String> attributes = new TreeSet<>();
  }

  private WekaRuns() {}

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = new PrintStream(System.out, false, "UTF-8");
    System.setOut(System.err); // chatter of a classifier is no answer
    answers.print(
        "WEKA {\"weka\": " + quoted(Version.VERSION)
            + ", \"java\": " + quoted(System.getProperty("java.version")) + "}\n");
    answers.flush();
    BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    new Thread(() -> read(requests)).start();
    while (true) {
      String answer;
      try {
        answer = run(requests.take().split("\t", -1));
      } catch (Throwable error) { // also out of memory: told, and the next request may fit
        answer = "{\"fault\": " + quoted(String.valueOf(error.getMessage())) + "}";
      }
      answers.print("WEKA " + answer + "\n");
      answers.flush();
    }
  }

  /** Reads requests; at the end of input the JVM ends at once, in the middle of an answer too. */
  private static void read(BlockingQueue<String> requests) {
    try {
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
          .lines().forEach(requests::add);
    } finally {
      Runtime.getRuntime().halt(0);
    }
  }

  private static String run(String[] request) throws Exception {
    Instances data = read(request[1]);
    List<Instances[]> parts = new ArrayList<>();
    if (request[2].isEmpty()) {
      int folds = Integer.parseInt(request[3]);
      Random random = new Random(Long.parseLong(request[4]));
      data.randomize(random);
      data.stratify(folds);
      for (int fold = 0; fold < folds; fold++) {
        parts.add(new Instances[] {data.trainCV(folds, fold, random), data.testCV(folds, fold)});
      }
    } else {
      parts.add(new Instances[] {data, read(request[2])});
    }
    StringBuilder[] lists = new StringBuilder[6];
    for (int i = 0; i < lists.length; i++) {
      lists[i] = new StringBuilder();
    }
    String model = "";
    for (Instances[] part : parts) {
      Classifier classifier = classifier(request[0]);
      classifier.buildClassifier(part[0]);
      Evaluation evaluation = new Evaluation(part[0]);
      evaluation.evaluateModel(classifier, part[1]);
      Size size = size(classifier);
      double[] numbers = {
        evaluation.incorrect(),
        evaluation.numInstances(),
        size.rules,
        size.literals,
        size.nodes,
      };
      for (int i = 0; i < numbers.length; i++) {
        lists[i].append(lists[i].length() == 0 ? "" : ", ");
        lists[i].append(Double.isNaN(numbers[i]) ? "null" : String.valueOf(numbers[i]));
      }
      StringBuilder names = new StringBuilder();
      for (String name : size.attributes) {
        names.append(names.length() == 0 ? "" : ", ").append(quoted(name));
      }
      lists[5].append(lists[5].length() == 0 ? "" : ", ").append("[" + names + "]");
      model = parts.size() == 1 ? classifier.toString() : "";
    }
    String[] keys = {"wrong", "weight", "rules", "literals", "nodes", "attributes"};
    StringBuilder answer = new StringBuilder("{");
    for (int i = 0; i < keys.length; i++) {
      answer.append(quoted(keys[i]) + ": [" + lists[i] + "], ");
    }
    return answer + "\"model\": " + quoted(model) + "}";
  }

  private static Instances read(String path) throws Exception {
    Instances data = DataSource.read(path);
    data.setClassIndex(data.numAttributes() - 1);
    return data;
  }

  private static Classifier classifier(String scheme) throws Exception {
    String[] options = Utils.splitOptions(scheme);
    String name = options[0];
    options[0] = "";
    Classifier classifier =
        name.equals(J48.class.getName()) ? new OpenJ48() : AbstractClassifier.forName(name, null);
    ((AbstractClassifier) classifier).setOptions(options);
    return classifier;
  }

  private static Size size(Classifier classifier) {
    Size size = new Size();
    if (classifier instanceof OpenJ48) {
      size.rules = size.literals = size.nodes = 0;
      visit(((OpenJ48) classifier).root(), 0, size);
    } else if (classifier instanceof JRip) {
      size.rules = size.literals = 0;
      for (Rule rule : ((JRip) classifier).getRuleset()) {
        size.rules += rule.hasAntds() ? 1 : 0; // the default rule is not counted
        size.literals += rule.size();
      }
    }
    return size;
  }

  /** Counts a tree: a leaf is a rule with a literal for each node above it. */
  private static void visit(ClassifierTree node, int depth, Size size) {
    size.nodes++;
    if (node.isLeaf()) {
      size.rules++;
      size.literals += depth;
      return;
    }
    size.attributes.add(node.getLocalModel().leftSide(node.getTrainingData()));
    for (ClassifierTree son : node.getSons()) {
      visit(son, depth + 1, size);
    }
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\' || c < ' ' || c > '~') {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
