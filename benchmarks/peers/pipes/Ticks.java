import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/** The tuples in memory, and what a query gives for them: one number for each output. */
final class Ticks {
    final int[] symbol;
    final double[] close;
    private double[] outputs = new double[1 << 20];
    private int given;

    private Ticks(int count) {
        symbol = new int[count];
        close = new double[count];
    }

    static Ticks read(String path) throws IOException {
        try (DataInputStream file = new DataInputStream(new BufferedInputStream(new FileInputStream(path), 1 << 20))) {
            Ticks ticks = new Ticks(file.readInt());
            for (int i = 0; i < ticks.symbol.length; i++) {
                ticks.symbol[i] = file.readInt();
                ticks.close[i] = file.readDouble();
            }
            return ticks;
        }
    }

    int count() {
        return symbol.length;
    }

    void clear() {
        given = 0;
    }

    void give(Object value) {
        if (given == outputs.length) {
            outputs = java.util.Arrays.copyOf(outputs, 2 * given);
        }
        outputs[given++] = ((Number) value).doubleValue();
    }

    void write(String path) throws IOException {
        try (DataOutputStream file =
                new DataOutputStream(new BufferedOutputStream(new FileOutputStream(path), 1 << 20))) {
            for (int i = 0; i < given; i++) {
                file.writeDouble(outputs[i]);
            }
        }
    }

    /** The time of the processor that all threads of this process have used, in seconds. */
    static double processorSeconds() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e9;
    }

    static void tell(double seconds) {
        System.out.printf(java.util.Locale.ROOT, "round %.6f%n", seconds);
    }
}
