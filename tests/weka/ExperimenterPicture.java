import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.lang.reflect.Field;
import javax.imageio.ImageIO;
import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JTabbedPane;
import javax.swing.SwingUtilities;
import weka.core.Instances;
import weka.gui.experiment.Experimenter;
import weka.gui.experiment.ResultsPanel;

/** Draws the Experimenter with the analysis of a results file: RESULTS.arff OUT.png. */
public class ExperimenterPicture {
  public static void main(String[] args) throws Exception {
    Instances results = new Instances(new BufferedReader(new FileReader(args[0])));
    JFrame frame = new JFrame("Weka Experiment Environment");
    Experimenter experimenter = new Experimenter(false);
    SwingUtilities.invokeAndWait(
        () -> {
          frame.add(experimenter);
          frame.setSize(1000, 640);
          frame.setVisible(true);
        });
    ResultsPanel panel = (ResultsPanel) field(Experimenter.class, "m_ResultsPanel", experimenter);
    JTabbedPane tabs = (JTabbedPane) field(Experimenter.class, "m_TabbedPane", experimenter);
    SwingUtilities.invokeAndWait(
        () -> {
          tabs.setSelectedComponent(panel);
          panel.setInstances(results);
        });
    Thread.sleep(1500);
    JButton perform = (JButton) field(ResultsPanel.class, "m_PerformBut", panel);
    SwingUtilities.invokeAndWait(perform::doClick);
    Thread.sleep(1500);
    SwingUtilities.invokeAndWait(
        () -> {
          BufferedImage image =
              new BufferedImage(1000, 640, BufferedImage.TYPE_INT_RGB);
          frame.getContentPane().paint(image.getGraphics());
          try {
            ImageIO.write(image, "png", new File(args[1]));
          } catch (java.io.IOException error) {
            throw new IllegalStateException(error);
          }
        });
    System.exit(0);
  }

  private static Object field(Class<?> owner, String name, Object holder) throws Exception {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(holder);
  }
}
