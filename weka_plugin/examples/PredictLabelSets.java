import java.nio.file.Paths;
import java.util.StringJoiner;
import weka.classifiers.rules.widc.LabelSets;
import weka.core.Instances;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Predicts the labels of each row of an ARFF file with a committee for label sets, without Python.
 *
 * <p>A learner of MEKA or MULAN can wrap {@link LabelSets} as it is used here.
 *
 * <pre>
 * widc-arff train data.arff --labels labels.xml --model model.json
 * java -cp weka.jar:widc.jar PredictLabelSets.java model.json data.arff
 * </pre>
 */
public final class PredictLabelSets {

    private PredictLabelSets() {}

    public static void main(String[] arguments) throws Exception {
        LabelSets model = LabelSets.read(Paths.get(arguments[0]));
        Instances rows = DataSource.read(arguments[1]);
        for (int i = 0; i < rows.numInstances(); i++) {
            boolean[] held = model.predict(rows.instance(i));
            StringJoiner labels = new StringJoiner(",");
            for (int j = 0; j < held.length; j++) {
                if (held[j]) {
                    labels.add(model.labels().get(j));
                }
            }
            System.out.println((i + 1) + " " + labels);
        }
    }
}
