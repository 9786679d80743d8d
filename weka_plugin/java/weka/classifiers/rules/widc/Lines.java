package weka.classifiers.rules.widc;

/** Lines that Weka's dialogs, which break none, show whole on a screen. */
final class Lines {

    static final int WIDTH = 80;

    private Lines() {
    }

    /**
     * Returns a text with lines of at most {@link #WIDTH} characters. They are broken at blanks, words
     * that are longer anywhere; what follows is indented as the line that was broken.
     */
    static String wrapped(String text) {
        StringBuilder out = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            String indent = line.substring(0, Math.min(blanksOf(line), WIDTH / 2));
            String rest = line;
            while (rest.length() > WIDTH) {
                int blank = rest.lastIndexOf(' ', WIDTH);
                boolean isBreak = blank > indent.length();
                int end = isBreak ? blank : WIDTH;
                if (!isBreak && Character.isHighSurrogate(rest.charAt(end - 1))) {
                    end--;
                }
                out.append(rest, 0, end).append('\n');
                rest = indent + rest.substring(isBreak ? end + 1 : end);
            }
            out.append(rest).append('\n');
        }
        return out.substring(0, out.length() - 1);
    }

    private static int blanksOf(String line) {
        int n = 0;
        while (n < line.length() && line.charAt(n) == ' ') {
            n++;
        }
        return n;
    }
}
