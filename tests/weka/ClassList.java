import weka.core.WekaPackageManager;
import weka.gui.GenericPropertiesCreator;

/**
 * Prints the classifiers that Weka's windows offer, installed packages included, and then the
 * generators of partitions, each after "partition ".
 */
public class ClassList {
  public static void main(String[] args) throws Exception {
    WekaPackageManager.loadPackages(false);
    GenericPropertiesCreator creator = new GenericPropertiesCreator();
    creator.execute(false, true);
    String all = creator.getOutputProperties().getProperty("weka.classifiers.Classifier");
    for (String name : all.split(",")) {
      System.out.println(name);
    }
    GenericPropertiesCreator.regenerateGlobalOutputProperties();
    String partitions = GenericPropertiesCreator.getGlobalOutputProperties()
        .getProperty("weka.core.PartitionGenerator");
    for (String name : partitions.split(",")) {
      System.out.println("partition " + name);
    }
    System.exit(0);
  }
}
