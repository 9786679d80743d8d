package weka.classifiers.rules.widc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import weka.core.Instance;
import weka.core.WekaException;

/**
 * A committee that predicts label sets, read from a model file; it needs no Python.
 *
 * <p>Labels are ranked by their scores: an intercept plus a slope times the votes, the logarithm of
 * the odds of a label; those that score from a threshold on are predicted. The attributes of an
 * instance are found by name; its label attributes play no part.
 */
public final class LabelSets {

    private final Committee committee;

    /**
     * @param text the text of a model file
     * @throws WekaException if this is no model file for label sets that this version can read
     */
    public LabelSets(String text) throws WekaException {
        committee = new Committee(text, Integer.MAX_VALUE);
        if (Double.isNaN(committee.threshold)) {
            throw new WidcException("expected a committee for label sets, got one for the class '"
                + committee.className + "'");
        }
    }

    /**
     * Reads a model file, as {@code widc-arff train --labels ... --model} writes it.
     *
     * @throws WekaException if this is no model file for label sets that this version can read
     */
    public static LabelSets read(Path model) throws IOException, WekaException {
        return new LabelSets(new String(Files.readAllBytes(model), StandardCharsets.UTF_8));
    }

    /** Returns the labels, in the order of all that is told of them. */
    public List<String> labels() {
        return Collections.unmodifiableList(committee.classLabels);
    }

    /**
     * Returns which labels an instance is predicted to have.
     *
     * @throws WekaException if it lacks an attribute that the rules test
     */
    public boolean[] predict(Instance instance) throws WekaException {
        double[] scores = scores(instance);
        boolean[] predicted = new boolean[scores.length];
        for (int j = 0; j < scores.length; j++) {
            predicted[j] = scores[j] >= committee.threshold;
        }
        return predicted;
    }

    /**
     * Returns the probability of each label; from one half on it is predicted, unless the model
     * was trained for sets of another size.
     *
     * @throws WekaException if the instance lacks an attribute that the rules test
     */
    public double[] probabilities(Instance instance) throws WekaException {
        double[] chances = scores(instance);
        for (int j = 0; j < chances.length; j++) {
            double odds = Math.exp(-Math.abs(chances[j] - committee.middle));
            chances[j] = (chances[j] >= committee.middle ? 1 : odds) / (1 + odds);
        }
        return chances;
    }

    private double[] scores(Instance instance) throws WekaException {
        int[] votes = committee.votes(instance);
        double[] scores = new double[votes.length];
        for (int j = 0; j < scores.length; j++) {
            scores[j] = committee.slopes[j] * votes[j] + committee.intercepts[j];
        }
        return scores;
    }
}
