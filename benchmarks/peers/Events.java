import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/** The workload in memory: for every event its type, key and value; the event i is at i milliseconds. */
final class Events {
    final int[] type;
    final int[] key;
    final double[] value;

    private Events(int count) {
        type = new int[count];
        key = new int[count];
        value = new double[count];
    }

    static Events read(String path) throws IOException {
        try (DataInputStream file = new DataInputStream(new BufferedInputStream(new FileInputStream(path), 1 << 20))) {
            Events events = new Events(file.readInt());
            for (int i = 0; i < events.type.length; i++) {
                events.type[i] = file.readInt();
                events.key[i] = file.readInt();
                events.value[i] = file.readDouble();
            }
            return events;
        }
    }

    int count() {
        return type.length;
    }

    /** The time of the processor that all threads of this process have used, in seconds. */
    static double processorSeconds() {
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e9;
    }

    static void tell(double seconds, long matches) {
        System.out.printf(java.util.Locale.ROOT, "round %.6f %d%n", seconds, matches);
    }
}
