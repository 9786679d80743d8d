package weka.classifiers.rules.widc;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import weka.core.WekaException;

/** A file that an option names, read when the training begins. */
final class OptionFile {

    private static final String NONE = "No file";

    private OptionFile() {
    }

    /**
     * Returns what the dialog shows for a file, or for none: Weka leaves out what is null, shows the
     * last name of a path, and begins to choose in its folder.
     */
    static File shown(File file) {
        return file == null ? new File(System.getProperty("user.dir"), NONE) : file;
    }

    /**
     * Returns the file of an option, null where the dialog gives none.
     *
     * @throws OptionException if there is no such file
     */
    static File checked(String name, File file) {
        if (file == null || file.getPath().isEmpty() || file.isDirectory()) {
            return null;
        }
        if (!file.isFile()) {
            if (file.equals(shown(null))) {
                return null;
            }
            throw new OptionException("-" + name + ": expected a file, got '" + file
                + "', which is not there");
        }
        return file;
    }

    /**
     * Returns the file that a word names, null for an empty one.
     *
     * @throws WekaException if it names a folder
     */
    static File named(String name, String word) throws WekaException {
        if (!word.isEmpty() && new File(word).isDirectory()) {
            throw new WidcException("-" + name + ": expected a file, got the folder '" + word + "'");
        }
        return word.isEmpty() ? null : checked(name, new File(word));
    }

    /** Puts name and text of a file under the option of the worker, nothing if there is none. */
    static void put(Map<String, Object> files, String option, String name, File file)
        throws WekaException {
        if (file != null) {
            files.put(option, content(name, file));
        }
    }

    /**
     * Returns name and text of a file as the worker takes them.
     *
     * @throws WekaException if it cannot be read
     */
    private static Map<String, String> content(String name, File file) throws WekaException {
        Map<String, String> content = new LinkedHashMap<>();
        content.put("name", file.getPath());
        try {
            byte[] bytes = Files.readAllBytes(file.toPath());
            content.put("text", StandardCharsets.UTF_8.newDecoder()
                .decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            throw new WidcException("-" + name + ": cannot read " + file + ": it is not UTF-8", e);
        } catch (IOException e) {
            throw new WidcException("-" + name + ": cannot read " + file + ": " + e.getMessage(), e);
        }
        return content;
    }
}
