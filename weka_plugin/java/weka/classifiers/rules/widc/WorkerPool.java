package weka.classifiers.rules.widc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Idle workers, kept for the next training: starting Python takes longer than most trainings.
 *
 * <p>Each training has a worker to itself. At most as many idle ones are kept as there are
 * processors; they end with the JVM.
 */
public final class WorkerPool {

    private static final WorkerPool SHARED = new WorkerPool();

    private final Map<Python, Deque<Worker>> idle = new HashMap<>();

    private WorkerPool() {
    }

    /** Returns the pool of this JVM. */
    public static WorkerPool shared() {
        return SHARED;
    }

    /**
     * Trains a committee.
     *
     * @param python the interpreter, empty to look for one
     * @param seconds the most time for all of it, or 0 for any
     * @param debug whether to tell on standard error which worker trains
     * @throws WorkerException if that fails; the message is for the user
     */
    public TrainingReply train(TrainingRequest request, String python, int seconds, boolean debug)
        throws WorkerException, InterruptedException {
        Python choice = new Python(python);
        TimeLimit limit = new TimeLimit(seconds);
        Worker reused = takeIdle(choice);
        if (reused != null) {
            try {
                return ask(reused, choice, request, limit, debug);
            } catch (WorkerDiedException e) { // perhaps long before: a new one may do better
                reused = null;
            }
        }
        return ask(choice.start(limit), choice, request, limit, debug);
    }

    private TrainingReply ask(Worker worker, Python choice, TrainingRequest request, TimeLimit limit,
        boolean debug) throws WorkerException, InterruptedException {
        if (debug) {
            System.err.println("WIDC trains in " + worker);
        }
        String text = worker.ask(request, limit);
        TrainingReply reply;
        try {
            reply = new TrainingReply(text);
        } catch (WorkerException e) {
            worker.kill();
            throw e;
        }
        giveBack(choice, worker);
        reply.throwError();
        return reply;
    }

    private synchronized Worker takeIdle(Python choice) {
        Deque<Worker> workers = idle.getOrDefault(choice, new ArrayDeque<>());
        while (!workers.isEmpty()) {
            Worker worker = workers.pop();
            if (worker.isAlive()) {
                return worker;
            }
            worker.kill();
        }
        return null;
    }

    private synchronized void giveBack(Python choice, Worker worker) {
        Deque<Worker> workers = idle.computeIfAbsent(choice, key -> new ArrayDeque<>());
        if (workers.size() < Runtime.getRuntime().availableProcessors()) {
            workers.push(worker);
        } else {
            worker.kill();
        }
    }
}
