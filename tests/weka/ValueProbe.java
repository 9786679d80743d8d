import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import weka.classifiers.rules.widc.Committee;
import weka.core.Attribute;
import weka.core.DenseInstance;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;

/**
 * Predicts for single values with exported classes and with Weka's committees.
 *
 * <p>Each line of standard input has java or weka, a class or the path of a model file, and a value of
 * the attribute v: nothing where it is missing, else its type and its text. A line of output
 * has the place of the class, or an exclamation mark and what was thrown.
 */
public final class ValueProbe {

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] cells = line.split("\t", -1);
            System.out.println(cells[0].equals("java") ? exported(cells) : weka(cells));
        }
    }

    private static String exported(String[] cells) throws Exception {
        Map<String, Object> row = new HashMap<>();
        row.put("v", value(cells[2], cells.length > 3 ? cells[3] : ""));
        try {
            return (String) Class.forName(cells[1]).getMethod("predict", Map.class)
                .invoke(null, row);
        } catch (java.lang.reflect.InvocationTargetException e) {
            return "!" + e.getCause().toString().replace("\n", " ");
        }
    }

    private static Object value(String type, String text) {
        switch (type) {
            case "":
                return null;
            case "bool":
                return Boolean.valueOf(text);
            case "int":
                return Integer.valueOf(text);
            case "float":
                return Double.valueOf(text);
            default:
                return text;
        }
    }

    private static String weka(String[] cells) throws Exception {
        String model = new String(Files.readAllBytes(Paths.get(cells[1])), StandardCharsets.UTF_8);
        Committee committee = new Committee(model, 1);
        boolean isNumber = cells[2].equals("int") || cells[2].equals("float");
        Attribute v = isNumber ? new Attribute("v")
            : new Attribute("v", cells[2].isEmpty() ? new ArrayList<>(Arrays.asList("x"))
                : new ArrayList<>(Collections.singletonList(cells[3])));
        Instances header = new Instances("new", new ArrayList<>(Arrays.asList(v)), 1);
        Instance row = new DenseInstance(1);
        row.setDataset(header);
        row.setValue(0, cells[2].isEmpty() ? Utils.missingValue()
            : isNumber ? Double.parseDouble(cells[3]) : 0);
        try {
            return "" + committee.decide(committee.votes(row));
        } catch (weka.core.WekaException e) {
            return "!" + e.getMessage().replace("\n", " ");
        }
    }
}
