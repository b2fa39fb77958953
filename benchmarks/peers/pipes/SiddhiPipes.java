import io.siddhi.core.SiddhiAppRuntime;
import io.siddhi.core.SiddhiManager;
import io.siddhi.core.event.Event;
import io.siddhi.core.stream.input.InputHandler;
import io.siddhi.core.stream.output.StreamCallback;
import java.util.Map;

/** The queries of the paper in Siddhi: TUPLES QUERY ROUNDS OUTPUTS. */
public final class SiddhiPipes {
    /** Times before which Siddhi takes an event for one without a time. */
    private static final long FIRST_TIME = 1000;

    private static final String STREAM = "@app:playback define stream S (position long, symbol int, close double); ";

    private static final Map<String, String> QUERIES = Map.of(
            "S1", "from S select * insert into O;",
            "S2", "from S[symbol == 1] select * insert into O;",
            "S3", "from S[symbol == 1]#window.length(5) select avg(close) as m, count() as n having n == 5 "
                    + "insert into O;",
            "S4", "from S#window.length(50) select position, close, avg(close) as m, count() as n "
                    + "having n == 50 and close > m insert into O;",
            "S5", "from every e1=S[symbol == 2 and close < 2] -> e2=S[symbol == 1] "
                    + "select e1.position as position, e1.close as a, e2.close as b having a == b insert into O;",
            "S6", "from S[symbol == 1 or (symbol == 2 and close < 2)] select * insert into T; "
                    + "from every e1=T[symbol == 2], e2=T[symbol == 1 and close > e1.close]*, e3=T[symbol == 2] "
                    + "select e1.position as position insert into O;",
            "S7", "from S[symbol == 1]#window.length(50) select position, avg(close) as m, count() as n having n == 50 "
                    + "insert into A; "
                    + "from S[symbol == 2]#window.length(50) select avg(close) as m, count() as n having n == 50 "
                    + "insert into B; "
                    + "from A#window.length(1) as a unidirectional join B#window.length(1) as b "
                    + "select a.position as position, ifThenElse(a.m > b.m, 1, 0) as f insert into F; "
                    + "from F#window.length(5) select position, sum(f) as s having s >= 4 insert into O;");

    public static void main(String[] arguments) throws Exception {
        Ticks ticks = Ticks.read(arguments[0]);
        Object[][] rows = new Object[ticks.count()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new Object[] {(long) i, ticks.symbol[i], ticks.close[i]};
        }
        for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
            ticks.clear();
            Ticks.tell(run(STREAM + QUERIES.get(arguments[1]), rows, ticks));
        }
        ticks.write(arguments[3]);
        System.exit(0);
    }

    private static double run(String application, Object[][] rows, Ticks ticks) throws InterruptedException {
        SiddhiManager manager = new SiddhiManager();
        SiddhiAppRuntime runtime = manager.createSiddhiAppRuntime(application);
        runtime.addCallback("O", new StreamCallback() {
            @Override
            public void receive(Event[] found) {
                for (Event event : found) {
                    ticks.give(event.getData(0));
                }
            }
        });
        InputHandler input = runtime.getInputHandler("S");
        runtime.start();
        double begin = Ticks.processorSeconds();
        for (int i = 0; i < rows.length; i++) {
            input.send(FIRST_TIME + i, rows[i]);
        }
        double seconds = Ticks.processorSeconds() - begin;
        runtime.shutdown();
        manager.shutdown();
        return seconds;
    }
}
