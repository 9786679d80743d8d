import java.nio.file.Paths;
import meka.classifiers.multilabel.AbstractMultiLabelClassifier;
import weka.classifiers.rules.widc.LabelSets;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;

/**
 * A committee for label sets as a classifier of MEKA, which evaluates it; all the training that is
 * left is to read the model file that -M names. MEKA needs jama.jar beside Weka; its option
 * -threshold 0.5 gives our decisions, and -predictions wants Java's --add-opens.
 *
 * <pre>
 * widc-arff train train.arff --model model.json
 * javac -cp weka.jar:widc.jar:meka.jar MekaLabelSets.java
 * java --add-opens java.base/java.lang=ALL-UNNAMED -cp weka.jar:widc.jar:meka.jar:jama.jar:. \
 *     MekaLabelSets -M model.json -threshold 0.5 -t train.arff -T test.arff -predictions out.arff
 * </pre>
 */
public final class MekaLabelSets extends AbstractMultiLabelClassifier {

    private static final long serialVersionUID = 1;

    private String path = "";
    private transient LabelSets model;

    @Override
    public void setOptions(String[] options) throws Exception {
        path = Utils.getOption('M', options);
        super.setOptions(options);
    }

    @Override
    public void buildClassifier(Instances rows) throws Exception {
        model = LabelSets.read(Paths.get(path));
    }

    /** Returns the probabilities of the labels, which are the first attributes of a row. */
    @Override
    public double[] distributionForInstance(Instance row) throws Exception {
        double[] probabilities = model.probabilities(row);
        double[] inOrder = new double[row.classIndex()];
        for (int j = 0; j < inOrder.length; j++) {
            inOrder[j] = probabilities[model.labels().indexOf(row.attribute(j).name())];
        }
        return inOrder;
    }

    public static void main(String[] arguments) {
        runClassifier(new MekaLabelSets(), arguments);
    }
}
