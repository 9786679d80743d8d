package weka.classifiers.rules.widc;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import weka.core.Attribute;
import weka.core.Instance;
import weka.core.Instances;

/**
 * The request to train on some data: a line of JSON, then the rows in little-endian doubles.
 *
 * <p>The rows are written as they are read, so that there is never a second copy of the data.
 */
public final class TrainingRequest {

    private static final int BUFFER_BYTES = 1 << 16;

    private final Instances data;
    private final Map<String, ?> options;
    private final Map<String, ?> files;
    private final String layout;

    /**
     * @param data the training data
     * @param options options of the induction; those that are absent have their defaults
     * @param files name and text of the files that other options name
     * @param layout how the rules are printed, class by class or rule by rule, or null for any
     */
    public TrainingRequest(Instances data, Map<String, ?> options, Map<String, ?> files,
        String layout) {
        this.data = data;
        this.options = options;
        this.files = files;
        this.layout = layout;
    }

    void writeTo(OutputStream out) throws IOException {
        out.write((Json.write(header()) + "\n").getBytes(StandardCharsets.US_ASCII));
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (Instance row : data) {
            for (double value : row.toDoubleArray()) {
                put(value, buffer, out);
            }
            put(row.weight(), buffer, out);
        }
        out.write(buffer.array(), 0, buffer.position());
        out.flush();
    }

    private static void put(double value, ByteBuffer buffer, OutputStream out) throws IOException {
        if (buffer.remaining() < Double.BYTES) {
            out.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
        buffer.putDouble(value); // a missing value is NaN on both sides
    }

    private Map<String, Object> header() {
        List<Object> attributes = new ArrayList<>();
        for (int i = 0; i < data.numAttributes(); i++) {
            attributes.add(described(data.attribute(i)));
        }
        long columns = data.numAttributes() + 1L;
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("command", "train");
        header.put("bytes", Double.BYTES * columns * data.numInstances());
        header.put("relation", data.relationName());
        header.put("attributes", attributes);
        header.put("class", data.classIndex());
        header.put("rows", data.numInstances());
        header.put("options", options);
        header.put("files", files);
        header.put("layout", layout);
        return header;
    }

    private static Map<String, Object> described(Attribute attribute) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", attribute.name());
        if (attribute.isNominal()) {
            List<String> labels = new ArrayList<>();
            for (int i = 0; i < attribute.numValues(); i++) {
                labels.add(attribute.value(i));
            }
            fields.put("type", "nominal");
            fields.put("values", labels);
        } else if (attribute.isDate()) {
            fields.put("type", "date");
            fields.put("format", attribute.getDateFormat());
        } else {
            fields.put("type", "numeric");
        }
        return fields;
    }
}
