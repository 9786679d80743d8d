import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Predicts with exported classes.
 *
 * <p>Each line of standard input has a class, then a name and a value for each attribute, all
 * separated by tabs: texts as hexadecimal UTF-8 after a t, numbers as the bits of a double after an
 * n, missing values nothing. A line of output has the label, or the
 * labels of a set between commas, then the bits of each probability, then
 * the votes; or an exclamation mark and what was thrown.
 */
public final class ExportProbe {

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        StringBuilder out = new StringBuilder();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] cells = line.split("\t", -1);
            Map<String, Object> row = new HashMap<>();
            for (int i = 1; i < cells.length; i += 2) {
                row.put((String) value(cells[i]), value(cells[i + 1]));
            }
            out.append(predictions(Class.forName(cells[0]), row)).append('\n');
        }
        System.out.print(out);
    }

    private static String predictions(Class<?> exported, Map<String, Object> row) throws Exception {
        try {
            StringBuilder cells = new StringBuilder();
            Object label = exported.getMethod("predict", Map.class).invoke(null, row);
            if (label instanceof String[]) {
                label = String.join(",", (String[]) label);
            }
            for (byte b : ((String) label).getBytes(StandardCharsets.UTF_8)) {
                cells.append(String.format("%02x", b));
            }
            Object chances = exported.getMethod("probabilities", Map.class).invoke(null, row);
            for (double chance : (double[]) chances) {
                cells.append('\t').append(Long.toHexString(Double.doubleToRawLongBits(chance)));
            }
            for (int sum : (int[]) exported.getMethod("votes", Map.class).invoke(null, row)) {
                cells.append('\t').append(sum);
            }
            return cells.toString();
        } catch (InvocationTargetException e) {
            return "!" + e.getCause();
        }
    }

    private static Object value(String cell) {
        if (cell.isEmpty()) {
            return null;
        }
        if (cell.charAt(0) == 'n') {
            return Double.longBitsToDouble(Long.parseUnsignedLong(cell.substring(1), 16));
        }
        byte[] text = new byte[cell.length() / 2];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) Integer.parseInt(cell.substring(2 * i + 1, 2 * i + 3), 16);
        }
        return new String(text, StandardCharsets.UTF_8);
    }
}
