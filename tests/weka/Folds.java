import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import weka.classifiers.AbstractClassifier;
import weka.classifiers.Classifier;
import weka.classifiers.evaluation.Evaluation;
import weka.classifiers.evaluation.NominalPrediction;
import weka.classifiers.evaluation.Prediction;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Cross-validates in Weka and prints the test rows of each fold, the predictions and the measures.
 *
 * The one argument names a file with a case a line: ARFF file, number of folds, seed and class of
 * the classifier, separated by tabs. The first attribute of the data must hold the row number, the
 * last one is the class.
 */
public class Folds {

  /** Remembers the row numbers of each test set that the cross-validation hands over. */
  static class Witness extends Evaluation {
    private static final long serialVersionUID = 1L;
    final List<String> folds = new ArrayList<>();

    Witness(Instances data) throws Exception {
      super(data);
    }

    @Override
    public double[] evaluateModel(Classifier classifier, Instances test, Object... printing)
        throws Exception {
      StringBuilder text = new StringBuilder("fold");
      for (Instance example : test) {
        text.append('\t').append((int) example.value(0));
      }
      folds.add(text.toString());
      return super.evaluateModel(classifier, test, printing);
    }
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] fields = line.split("\t");
      Instances data = DataSource.read(fields[0]);
      data.setClassIndex(data.numAttributes() - 1);
      out.println("case");
      Classifier classifier = AbstractClassifier.forName(fields[3], null);
      Witness evaluation = new Witness(data);
      evaluation.crossValidateModel(
          classifier, data, Integer.parseInt(fields[1]), new Random(Long.parseLong(fields[2])));
      evaluation.folds.forEach(out::println);
      printPredictions(out, evaluation);
      printMeasures(out, evaluation, data.numClasses());
    }
    out.flush();
  }

  private static void printPredictions(PrintStream out, Evaluation evaluation) {
    for (Prediction prediction : evaluation.predictions()) {
      print(out, "actual", prediction.actual());
      print(out, "predicted", prediction.predicted());
      print(out, "weight", prediction.weight());
      print(out, "probabilities", ((NominalPrediction) prediction).distribution());
    }
  }

  private static void printMeasures(PrintStream out, Evaluation evaluation, int classes)
      throws Exception {
    for (double[] row : evaluation.confusionMatrix()) {
      print(out, "confusion", row);
    }
    print(out, "accuracy", evaluation.pctCorrect() / 100);
    print(out, "error", evaluation.errorRate());
    print(out, "kappa", evaluation.kappa());
    print(out, "mean_absolute_error", evaluation.meanAbsoluteError());
    print(out, "root_mean_squared_error", evaluation.rootMeanSquaredError());
    for (int code = 0; code < classes; code++) {
      print(
          out,
          "per_class",
          evaluation.precision(code),
          evaluation.recall(code),
          evaluation.fMeasure(code),
          evaluation.areaUnderROC(code),
          evaluation.areaUnderPRC(code));
    }
    print(
        out,
        "weighted_average",
        evaluation.weightedPrecision(),
        evaluation.weightedRecall(),
        evaluation.weightedFMeasure(),
        evaluation.weightedAreaUnderROC(),
        evaluation.weightedAreaUnderPRC());
  }

  private static void print(PrintStream out, String name, double... values) {
    StringBuilder text = new StringBuilder(name);
    for (double value : values) {
      text.append('\t').append(value);
    }
    out.println(text);
  }
}
