import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.cep.CEP;
import org.apache.flink.cep.PatternSelectFunction;
import org.apache.flink.cep.pattern.Pattern;
import org.apache.flink.cep.pattern.conditions.SimpleCondition;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.legacy.SinkFunction;
import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;
import org.apache.flink.streaming.api.watermark.Watermark;

/** A, then B, then C in Flink CEP: FILE next|all|keyed MILLISECONDS ROUNDS. */
public final class FlinkSequences {
    /** Events between two watermarks; more than that only makes the operator sort more at once. */
    private static final int WATERMARK_EVERY = 100;

    private static Events events;
    private static double begin;
    private static long matches;

    public static class Event {
        public int id;
        public int type;
        public int key;
        public double value;

        public Event() {}
    }

    public static class Source implements SourceFunction<Event> {
        @Override
        public void run(SourceContext<Event> context) {
            Event[] made = new Event[events.count()];
            for (int i = 0; i < made.length; i++) {
                made[i] = event(i);
            }
            begin = Events.processorSeconds();
            for (int i = 0; i < made.length; i++) {
                context.collectWithTimestamp(made[i], i);
                if ((i + 1) % WATERMARK_EVERY == 0) {
                    context.emitWatermark(new Watermark(i));
                }
            }
            context.emitWatermark(Watermark.MAX_WATERMARK);
        }

        @Override
        public void cancel() {}
    }

    public static class Ids implements PatternSelectFunction<Event, Long> {
        @Override
        public Long select(Map<String, List<Event>> match) {
            return (long) match.get("a").get(0).id + match.get("b").get(0).id + match.get("c").get(0).id;
        }
    }

    public static class Counter implements SinkFunction<Long> {
        @Override
        public void invoke(Long ids, Context context) {
            matches++;
        }
    }

    public static void main(String[] arguments) throws Exception {
        events = Events.read(arguments[0]);
        for (int round = 0; round < Integer.parseInt(arguments[3]); round++) {
            matches = 0;
            run(arguments[1], Integer.parseInt(arguments[2]));
            Events.tell(Events.processorSeconds() - begin, matches);
        }
        System.exit(0);
    }

    private static void run(String query, int milliseconds) throws Exception {
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(1);
        environment.getConfig().enableObjectReuse();
        DataStream<Event> stream = environment.addSource(new Source()).returns(TypeInformation.of(Event.class));
        if (query.equals("keyed")) {
            stream = stream.keyBy(event -> event.key);
        }
        // The bound of `within` is not in the window.
        Pattern<Event, ?> pattern = pattern(query.equals("all")).within(Duration.ofMillis(milliseconds + 1));
        CEP.pattern(stream, pattern).inEventTime().select(new Ids()).returns(Types.LONG).addSink(new Counter());
        environment.execute();
    }

    private static Pattern<Event, ?> pattern(boolean all) {
        Pattern<Event, Event> first = Pattern.<Event>begin("a").where(is(0));
        return all
                ? first.followedByAny("b").where(is(1)).followedByAny("c").where(is(2))
                : first.followedBy("b").where(is(1)).followedBy("c").where(is(2));
    }

    private static SimpleCondition<Event> is(int type) {
        return SimpleCondition.of(event -> event.type == type);
    }

    private static Event event(int i) {
        Event event = new Event();
        event.id = i;
        event.type = events.type[i];
        event.key = events.key[i];
        event.value = events.value[i];
        return event;
    }
}
