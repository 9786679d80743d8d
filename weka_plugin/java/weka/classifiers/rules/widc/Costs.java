package weka.classifiers.rules.widc;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import weka.classifiers.CostMatrix;
import weka.core.WekaException;

/** Costs of misclassification: a row for each true class, a column for each decided one. */
final class Costs {

    private static final String NAME = "-costs: ";

    private Costs() {
    }

    /** Returns the matrix that stands for no costs, as in Weka's own classifiers. */
    static CostMatrix none() {
        return new CostMatrix(1);
    }

    static boolean isNone(CostMatrix costs) {
        return costs.size() <= 1;
    }

    /** Returns a matrix whose costs are right. */
    static CostMatrix checked(CostMatrix costs) {
        if (!isNone(costs)) {
            rows(costs);
        }
        return costs;
    }

    /** Returns the word of which {@link #ofWord} makes a matrix. */
    static String word(CostMatrix costs) {
        return isNone(costs) ? "" : costs.toMatlab();
    }

    /**
     * Returns the matrix of an option: a file of costs, or a matrix such as {@code [0 1; 5 0]}; none
     * if the word is empty.
     *
     * @throws WekaException if it is something else
     */
    static CostMatrix ofWord(String text) throws WekaException {
        if (text.isEmpty()) {
            return none();
        }
        CostMatrix costs = text.startsWith("[") ? parsed(text) : read(new File(text));
        if (isNone(costs)) {
            throw new WidcException(NAME + "expected costs of two classes or more, got '" + text
                + "'");
        }
        return costs;
    }

    private static CostMatrix parsed(String text) throws WekaException {
        try {
            if (isSquare(text)) {
                return CostMatrix.parseMatlab(text);
            }
        } catch (Exception e) {
            throw noMatrix(text, e);
        }
        throw noMatrix(text, null);
    }

    /** Whether there are as many costs in each row as rows; Weka fills up and cuts off. */
    private static boolean isSquare(String text) {
        String[] rows = text.replaceAll("^\\[|\\]$", "").split(";", -1);
        for (String row : rows) {
            if (row.trim().split("\\s+").length != rows.length) {
                return false;
            }
        }
        return text.endsWith("]");
    }

    private static WekaException noMatrix(String text, Exception cause) {
        return new WidcException(NAME + "expected a square matrix such as [0 1; 5 0], got '" + text
            + "'", cause);
    }

    private static CostMatrix read(File file) throws WekaException {
        if (!file.isFile()) {
            throw new WidcException(NAME + "expected a file or a matrix such as [0 1; 5 0], got '"
                + file + "'");
        }
        try (Reader reader = Files.newBufferedReader(file.toPath(), StandardCharsets.UTF_8)) {
            return new CostMatrix(reader);
        } catch (IOException e) {
            throw new WidcException(NAME + "cannot read " + file + ": " + e.getMessage(), e);
        } catch (Exception e) {
            throw new WidcException(NAME + "expected Weka's cost matrix format in " + file + ": "
                + e.getMessage(), e);
        }
    }

    /**
     * Returns the rows of a matrix.
     *
     * @throws OptionException if a cost is no number of its range, the diagonal is not 0, or
     *     a row has no cost
     */
    static List<List<Double>> rows(CostMatrix costs) {
        List<List<Double>> rows = new ArrayList<>();
        for (int i = 0; i < costs.size(); i++) {
            List<Double> row = new ArrayList<>();
            double largest = 0;
            for (int j = 0; j < costs.size(); j++) {
                double cost = cost(costs.getCell(i, j), i, j);
                largest = Math.max(largest, cost);
                row.add(cost);
            }
            if (row.get(i) != 0) {
                throw new OptionException(NAME + "expected 0 on the diagonal, got "
                    + row.get(i) + " in row " + (i + 1));
            }
            if (largest == 0) {
                throw new OptionException(NAME + "expected a cost above 0 in each row, got "
                    + "none in row " + (i + 1));
            }
            rows.add(row);
        }
        return rows;
    }

    private static double cost(Object cell, int row, int column) {
        if (!(cell instanceof Double) || !Weights.isWeightOrZero((Double) cell)) {
            throw new OptionException(NAME + "expected costs of 0 or from "
                + Weights.LEAST + " to " + Weights.LARGEST + ", got " + cell + " in row " + (row + 1)
                + ", column " + (column + 1));
        }
        return (Double) cell;
    }
}
