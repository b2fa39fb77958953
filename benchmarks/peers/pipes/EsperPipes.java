import com.espertech.esper.common.client.EPCompiled;
import com.espertech.esper.common.client.EventBean;
import com.espertech.esper.common.client.configuration.Configuration;
import com.espertech.esper.compiler.client.CompilerArguments;
import com.espertech.esper.compiler.client.EPCompilerProvider;
import com.espertech.esper.runtime.client.EPRuntime;
import com.espertech.esper.runtime.client.EPRuntimeProvider;
import java.util.Map;

/** The queries of the paper in Esper: TUPLES QUERY ROUNDS OUTPUTS. */
public final class EsperPipes {
    /** One tuple, as Esper reads it. */
    public static final class Tick {
        private final long position;
        private final int symbol;
        private final double close;

        Tick(long position, int symbol, double close) {
            this.position = position;
            this.symbol = symbol;
            this.close = close;
        }

        public long getPosition() {
            return position;
        }

        public int getSymbol() {
            return symbol;
        }

        public double getClose() {
            return close;
        }
    }

    private static final Map<String, String> QUERIES = Map.of(
            "S1", "@name('o') select position as v from Tick;",
            "S2", "@name('o') select position as v from Tick(symbol = 1);",
            "S3", "@name('o') select avg(close) as v from Tick(symbol = 1)#length(5) having count(*) >= 5;",
            "S4", "@name('o') select position as v from Tick#length(50) having count(*) >= 50 and close > avg(close);",
            "S5", "@name('o') select a.position as v from pattern [every a=Tick(symbol = 2 and close < 2) -> "
                    + "b=Tick(symbol = 1)] where a.close = b.close;",
            "S6", "insert into T select * from Tick(symbol = 1 or (symbol = 2 and close < 2)); "
                    + "@name('o') select * from T match_recognize (measures A.position as v after match skip to next row "
                    + "pattern (A B* C) define A as A.symbol = 2, B as B.symbol = 1 and B.close > A.close, "
                    + "C as C.symbol = 2);",
            "S7", "insert into One select position, avg(close) as m from Tick(symbol = 1)#length(50) "
                    + "having count(*) >= 50; "
                    + "insert into Two select avg(close) as m from Tick(symbol = 2)#length(50) having count(*) >= 50; "
                    + "insert into Flag select a.position as position, case when a.m > b.m then 1 else 0 end as f "
                    + "from One as a unidirectional, Two#lastevent as b; "
                    + "@name('o') select position as v from Flag#length(5) having sum(f) >= 4;");

    public static void main(String[] arguments) throws Exception {
        Ticks ticks = Ticks.read(arguments[0]);
        Tick[] rows = new Tick[ticks.count()];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = new Tick(i, ticks.symbol[i], ticks.close[i]);
        }
        for (int round = 0; round < Integer.parseInt(arguments[2]); round++) {
            ticks.clear();
            Ticks.tell(run(QUERIES.get(arguments[1]), rows, ticks));
        }
        ticks.write(arguments[3]);
        System.exit(0);
    }

    private static double run(String query, Tick[] rows, Ticks ticks) throws Exception {
        Configuration configuration = new Configuration();
        configuration.getCommon().addEventType("Tick", Tick.class);
        configuration.getRuntime().getThreading().setInternalTimerEnabled(false);
        configuration.getCompiler().getByteCode().setAllowSubscriber(true);
        EPCompiled compiled = EPCompilerProvider.getCompiler().compile(query, new CompilerArguments(configuration));
        EPRuntime runtime = EPRuntimeProvider.getRuntime("pipes", configuration);
        runtime.initialize();
        var deployment = runtime.getDeploymentService().deploy(compiled);
        runtime.getDeploymentService().getStatement(deployment.getDeploymentId(), "o")
                .addListener((found, old, statement, at) -> {
                    for (EventBean event : found) {
                        ticks.give(event.get("v"));
                    }
                });
        double begin = Ticks.processorSeconds();
        for (Tick row : rows) {
            runtime.getEventService().sendEventBean(row, "Tick");
        }
        double seconds = Ticks.processorSeconds() - begin;
        runtime.destroy();
        return seconds;
    }
}
