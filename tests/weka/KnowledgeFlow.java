import java.io.File;
import weka.classifiers.rules.WIDC;
import weka.core.converters.ArffLoader;
import weka.knowledgeflow.Flow;
import weka.knowledgeflow.FlowRunner;
import weka.knowledgeflow.StepManager;
import weka.knowledgeflow.StepManagerImpl;
import weka.knowledgeflow.steps.ClassAssigner;
import weka.knowledgeflow.steps.Classifier;
import weka.knowledgeflow.steps.ClassifierPerformanceEvaluator;
import weka.knowledgeflow.steps.CrossValidationFoldMaker;
import weka.knowledgeflow.steps.Loader;
import weka.knowledgeflow.steps.Step;
import weka.knowledgeflow.steps.TextSaver;

/** Cross-validates WIDC on an ARFF file in a Knowledge Flow; the second argument gets the result. */
public final class KnowledgeFlow {

    public static void main(String[] arguments) throws Exception {
        ArffLoader arff = new ArffLoader();
        arff.setFile(new File(arguments[0]));
        Loader load = new Loader();
        load.setLoader(arff);
        CrossValidationFoldMaker folds = new CrossValidationFoldMaker();
        folds.setNumFolds("10");
        Classifier learn = new Classifier();
        learn.setClassifier(new WIDC());
        TextSaver save = new TextSaver();
        save.setFile(new File(arguments[1]));
        save.setAppend(false);
        Step[] steps = {load, new ClassAssigner(), folds, learn,
            new ClassifierPerformanceEvaluator(), save};
        String[] sent = {StepManager.CON_DATASET, StepManager.CON_DATASET,
            StepManager.CON_TRAININGSET, StepManager.CON_BATCH_CLASSIFIER, StepManager.CON_TEXT};
        Flow flow = new Flow();
        StepManagerImpl[] managers = new StepManagerImpl[steps.length];
        for (int i = 0; i < steps.length; i++) {
            steps[i].setName("step " + i);
            managers[i] = new StepManagerImpl(steps[i]);
            flow.addStep(managers[i]);
            if (i > 0) {
                flow.connectSteps(managers[i - 1], managers[i], sent[i - 1]);
            }
        }
        flow.connectSteps(managers[2], managers[3], StepManager.CON_TESTSET);
        FlowRunner runner = new FlowRunner();
        runner.setFlow(flow);
        runner.run();
        runner.waitUntilFinished();
        System.exit(0);
    }
}
