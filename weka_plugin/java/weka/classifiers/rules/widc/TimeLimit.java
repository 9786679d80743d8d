package weka.classifiers.rules.widc;

/** The most time that a training may take, counted from its beginning, whatever it does. */
final class TimeLimit {

    private final int seconds;
    private final long end;

    /**
     * @param seconds the limit, or 0 for none
     */
    TimeLimit(int seconds) {
        this.seconds = seconds;
        this.end = System.nanoTime() + 1_000_000_000L * seconds;
    }

    /** Returns the milliseconds that are left, at least one and at most so many. */
    long millisLeft(long most) {
        long left = (end - System.nanoTime()) / 1_000_000 + 1; // when they are over, so is the limit
        return seconds == 0 ? most : Math.max(1, Math.min(left, most));
    }

    boolean isOver() {
        return seconds > 0 && System.nanoTime() >= end;
    }

    WorkerException exceeded(String where, Throwable cause) {
        return new WorkerException("the training took longer than the time-out of " + seconds + " s"
            + where + "; it was stopped", cause);
    }
}
