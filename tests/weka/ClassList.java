import weka.core.WekaPackageManager;
import weka.gui.GenericPropertiesCreator;

/** Prints the classifiers that Weka's windows offer, installed packages included. */
public class ClassList {
  public static void main(String[] args) throws Exception {
    WekaPackageManager.loadPackages(false);
    GenericPropertiesCreator creator = new GenericPropertiesCreator();
    creator.execute(false, true);
    String all = creator.getOutputProperties().getProperty("weka.classifiers.Classifier");
    for (String name : all.split(",")) {
      System.out.println(name);
    }
    System.exit(0);
  }
}
