import io.siddhi.core.SiddhiAppRuntime;
import io.siddhi.core.SiddhiManager;
import io.siddhi.core.event.Event;
import io.siddhi.core.stream.input.InputHandler;
import io.siddhi.core.stream.output.StreamCallback;

/** A, then B, then C in Siddhi: FILE next|keyed MILLISECONDS ROUNDS. */
public final class SiddhiSequences {
    /** Times before which Siddhi takes an event for one without a time. */
    private static final long FIRST_TIME = 1000;

    private static long matches;

    public static void main(String[] arguments) throws Exception {
        Events events = Events.read(arguments[0]);
        Object[][] rows = new Object[events.count()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new Object[] {(long) i, events.type[i], events.key[i], events.value[i]};
        }
        for (int round = 0; round < Integer.parseInt(arguments[3]); round++) {
            matches = 0;
            double seconds = run(application(arguments[1], Integer.parseInt(arguments[2])), rows);
            Events.tell(seconds, matches);
        }
        System.exit(0);
    }

    private static String application(String query, int milliseconds) {
        String pattern = "from every e1=S[type == 0] -> e2=S[type == 1] -> e3=S[type == 2] within " + milliseconds
                + " milliseconds select e1.id as a, e2.id as b, e3.id as c insert into O;";
        String stream = "@app:playback define stream S (id long, type int, key int, value double); ";
        return stream + (query.equals("keyed") ? "partition with (key of S) begin " + pattern + " end;" : pattern);
    }

    private static double run(String application, Object[][] rows) throws InterruptedException {
        SiddhiManager manager = new SiddhiManager();
        SiddhiAppRuntime runtime = manager.createSiddhiAppRuntime(application);
        runtime.addCallback("O", new StreamCallback() {
            @Override
            public void receive(Event[] found) {
                matches += found.length;
            }
        });
        InputHandler input = runtime.getInputHandler("S");
        runtime.start();
        double begin = Events.processorSeconds();
        for (int i = 0; i < rows.length; i++) {
            input.send(FIRST_TIME + i, rows[i]);
        }
        double seconds = Events.processorSeconds() - begin;
        runtime.shutdown();
        manager.shutdown();
        return seconds;
    }
}
