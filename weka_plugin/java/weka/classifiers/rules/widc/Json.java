package weka.classifiers.rules.widc;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as the worker and the model files use it: objects are maps, arrays lists, numbers doubles.
 */
public final class Json {

    /** Text that is no JSON. */
    public static final class SyntaxException extends Exception {

        private static final long serialVersionUID = 6220714351302818101L;

        SyntaxException(String expected, String text, int position) {
            super("expected " + expected + " at character " + (position + 1) + " of JSON, got "
                + (position < text.length() ? "'" + text.charAt(position) + "'" : "its end"));
        }
    }

    private static final int DEEPEST = 100;

    private final String text;
    private int position;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** Returns the value that a text holds. */
    public static Object parse(String text) throws SyntaxException {
        Json json = new Json(text);
        Object value = json.value();
        json.end();
        return value;
    }

    /** Returns the members of an object, their values unread as they stand in the text. */
    public static Map<String, String> members(String text) throws SyntaxException {
        Json json = new Json(text);
        Map<String, String> members = new LinkedHashMap<>();
        json.expect('{');
        if (!json.found('}')) {
            do {
                String name = json.name();
                json.skipBlanks();
                int start = json.position;
                json.value();
                members.put(name, text.substring(start, json.position));
            } while (json.found(','));
            json.expect('}');
        }
        json.end();
        return members;
    }

    /** Returns a value (map, iterable, string, number, boolean or null) as JSON in ASCII. */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map) {
            out.append('{');
            Iterator<? extends Map.Entry<?, ?>> entries = ((Map<?, ?>) value).entrySet().iterator();
            while (entries.hasNext()) {
                Map.Entry<?, ?> entry = entries.next();
                quote(entry.getKey().toString(), out);
                out.append(':');
                write(entry.getValue(), out);
                out.append(entries.hasNext() ? "," : "");
            }
            out.append('}');
        } else if (value instanceof Iterable) {
            out.append('[');
            Iterator<?> items = ((Iterable<?>) value).iterator();
            while (items.hasNext()) {
                write(items.next(), out);
                out.append(items.hasNext() ? "," : "");
            }
            out.append(']');
        } else if (value instanceof String) {
            quote((String) value, out);
        } else {
            out.append(value); // numbers, true, false and null
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object value() throws SyntaxException {
        skipBlanks();
        char next = position < text.length() ? text.charAt(position) : '\0';
        switch (next) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object() throws SyntaxException {
        Map<String, Object> members = new LinkedHashMap<>();
        enter('{');
        if (!found('}')) {
            do {
                String name = name();
                members.put(name, value());
            } while (found(','));
            expect('}');
        }
        depth--;
        return members;
    }

    private List<Object> array() throws SyntaxException {
        List<Object> items = new ArrayList<>();
        enter('[');
        if (!found(']')) {
            do {
                items.add(value());
            } while (found(','));
            expect(']');
        }
        depth--;
        return items;
    }

    private String name() throws SyntaxException {
        skipBlanks();
        String name = string();
        expect(':');
        return name;
    }

    private String string() throws SyntaxException {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (position < text.length()) {
            char c = text.charAt(position++);
            if (c == '"') {
                return string.toString();
            }
            if (c < ' ') {
                position--;
                break;
            }
            string.append(c == '\\' ? escaped() : c);
        }
        throw fault("the end of a string");
    }

    private char escaped() throws SyntaxException {
        char c = position < text.length() ? text.charAt(position) : '\0';
        int known = "\"\\/bfnrt".indexOf(c);
        if (known >= 0) {
            position++;
            return "\"\\/\b\f\n\r\t".charAt(known);
        }
        if (c == 'u' && position + 5 <= text.length()) {
            try {
                int code = Integer.parseInt(text.substring(position + 1, position + 5), 16);
                position += 5;
                return (char) code;
            } catch (NumberFormatException e) {
                throw fault("four hexadecimal digits");
            }
        }
        throw fault("an escape sequence");
    }

    private Double number() throws SyntaxException {
        int start = position;
        while (position < text.length() && "+-.0123456789eE".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        try {
            return Double.valueOf(text.substring(start, position));
        } catch (NumberFormatException e) {
            position = start;
            throw fault("a value");
        }
    }

    private Object word(String word, Object value) throws SyntaxException {
        if (!text.startsWith(word, position)) {
            throw fault("a value");
        }
        position += word.length();
        return value;
    }

    private void enter(char c) throws SyntaxException {
        if (++depth > DEEPEST) {
            throw fault("at most " + DEEPEST + " levels");
        }
        expect(c);
    }

    private void expect(char c) throws SyntaxException {
        if (!found(c)) {
            throw fault("'" + c + "'");
        }
    }

    private boolean found(char c) {
        skipBlanks();
        boolean found = position < text.length() && text.charAt(position) == c;
        position += found ? 1 : 0;
        return found;
    }

    private void end() throws SyntaxException {
        skipBlanks();
        if (position < text.length()) {
            throw fault("nothing more");
        }
    }

    private void skipBlanks() {
        while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
    }

    private SyntaxException fault(String expected) {
        return new SyntaxException(expected, text, position);
    }
}
