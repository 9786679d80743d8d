package weka.classifiers.rules.widc;

import java.util.ArrayList;
import java.util.List;
import weka.core.SelectedTag;
import weka.core.Tag;
import weka.core.Utils;

/** Takes options out of the words of a command line; what is wrong with one is told by its name. */
final class OptionWords {

    private final String[] words;

    /**
     * @param words those of the command line; the ones that are taken become empty
     */
    OptionWords(String[] words) {
        this.words = words;
    }

    /** Returns the value of an option. */
    String text(String name, String byDefault) throws Exception {
        String value = Utils.getOption(name, words);
        return value.isEmpty() ? byDefault : value;
    }

    /** Returns the values of an option that may be repeated. */
    String[] texts(String name) throws Exception {
        List<String> values = new ArrayList<>();
        for (String value = text(name, ""); !value.isEmpty(); value = text(name, "")) {
            values.add(value);
        }
        return values.toArray(new String[0]);
    }

    /** Returns whether an option without a value is there. */
    boolean flag(String name) throws Exception {
        return Utils.getFlag(name, words);
    }

    /** Returns one of some choices. */
    SelectedTag tag(String name, Tag[] tags, String byDefault) throws Exception {
        String value = text(name, byDefault);
        try {
            return new SelectedTag(value, tags);
        } catch (IllegalArgumentException e) {
            throw new WidcException("-" + name + ": expected one of " + names(tags) + ", got '"
                + value + "'", e);
        }
    }

    /** Returns a whole number. */
    int whole(String name, int byDefault) throws Exception {
        String value = text(name, String.valueOf(byDefault));
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new WidcException("-" + name + ": expected a whole number, got '" + value + "'", e);
        }
    }

    /** Returns a number of bits. */
    double bits(String name, double byDefault) throws Exception {
        String value = text(name, String.valueOf(byDefault));
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new WidcException("-" + name + ": expected a number of bits, got '" + value + "'",
                e);
        }
    }

    /** Refuses an option without another that it needs, which has one of some values. */
    void require(String name, String other, String value, String... needed) throws Exception {
        if (Utils.getOptionPos(name, words) >= 0 && !OptionKinds.isIn(value, needed)) {
            throw new WidcException("-" + name + ": expected -" + other + " "
                + String.join(" or ", needed) + " with it, got " + value);
        }
    }

    /** Returns the names of choices. */
    static String names(Tag[] tags) {
        List<String> names = new ArrayList<>();
        for (Tag tag : tags) {
            names.add(tag.getReadable());
        }
        return String.join(", ", names);
    }

    /** Returns choices of some names. */
    static Tag[] tags(String... names) {
        Tag[] tags = new Tag[names.length];
        for (int i = 0; i < names.length; i++) {
            tags[i] = new Tag(i, names[i], names[i], false);
        }
        return tags;
    }
}
