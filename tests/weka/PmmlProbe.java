import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import weka.classifiers.pmml.consumer.PMMLClassifier;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.converters.ConverterUtils.DataSource;
import weka.core.pmml.PMMLFactory;

/** For pairs of a PMML file and an ARFF file: the index of the label that Weka predicts, row by row. */
public final class PmmlProbe {

    public static void main(String[] a) throws Exception {
        PrintStream out = new PrintStream(System.out, true, "UTF-8");
        for (int i = 0; i < a.length; i += 2) {
            System.setOut(System.err); // Weka tells how it matches the fields
            PMMLClassifier model = (PMMLClassifier) PMMLFactory.getPMMLModel(a[i]);
            Instances rows = DataSource.read(a[i + 1]);
            rows.setClassIndex(rows.numAttributes() - 1);
            double[] predicted = new double[rows.numInstances()];
            for (int row = 0; row < predicted.length; row++) {
                predicted[row] = model.classifyInstance(rows.get(row));
            }
            out.println(Arrays.toString(predicted));
        }
    }
}
