"""The use cases: compile a query, check it, run it, explain it. Here the rooms are wired together.

Each is loaded when it is asked for: who checks a query does not wait for what runs it.
"""

from typing import TYPE_CHECKING

from cepheid.on_demand import names_on_demand

if TYPE_CHECKING:
    from cepheid.algebra.function_list import listed_functions
    from cepheid.api.compiling import Settings, check, compile, load  # noqa: A004  # users write `cepheid.compile`
    from cepheid.api.detecting import QueryDetector
    from cepheid.api.engine_runner import run_on_engine
    from cepheid.api.explaining import STAGES, Stage, explain
    from cepheid.api.intake import Summary
    from cepheid.api.on_spark import SparkInput, SparkRun, run_on_spark
    from cepheid.api.outputs import FORMATS, Output
    from cepheid.api.pipe_files import names_a_pipe, outputs_of, pipe_named
    from cepheid.api.pipelines import CheckedPipeline, check_pipeline
    from cepheid.api.portions import Portion
    from cepheid.api.progress import PartialMatch
    from cepheid.api.projects import new_project
    from cepheid.api.queries import CompiledQuery
    from cepheid.api.rule_tests import Outcome, RuleTest, find_tests, run_test, write_matches
    from cepheid.api.running import Run
    from cepheid.api.states import checkpoint_states, exported, held_by_rules, waiting_as_json
    from cepheid.api.tables import TableInput
    from cepheid.api.texts import LANGUAGE_NAMES, Compilable
    from cepheid.api.time_limit import TimeLimited
    from cepheid.connectors import (
        STANDARD_INPUT,
        TIME_UNITS,
        Input,
        Reject,
        RejectsWriter,
        Report,
        is_waited_for,
        open_text,
        opened_stream,
        shown_on,
        to_json,
        write_text,
    )
    from cepheid.connectors.logs import INPUT_FORMATS
    from cepheid.engine import Wait

__all__ = [
    "FORMATS",
    "INPUT_FORMATS",
    "LANGUAGE_NAMES",
    "STAGES",
    "STANDARD_INPUT",
    "TIME_UNITS",
    "CheckedPipeline",
    "Compilable",
    "CompiledQuery",
    "Input",
    "Outcome",
    "Output",
    "PartialMatch",
    "Portion",
    "QueryDetector",
    "Reject",
    "RejectsWriter",
    "Report",
    "RuleTest",
    "Run",
    "Settings",
    "SparkInput",
    "SparkRun",
    "Stage",
    "Summary",
    "TableInput",
    "TimeLimited",
    "Wait",
    "check",
    "check_pipeline",
    "checkpoint_states",
    "compile",
    "explain",
    "exported",
    "find_tests",
    "held_by_rules",
    "is_waited_for",
    "listed_functions",
    "load",
    "names_a_pipe",
    "new_project",
    "open_text",
    "opened_stream",
    "outputs_of",
    "pipe_named",
    "run_on_engine",
    "run_on_spark",
    "run_test",
    "shown_on",
    "to_json",
    "waiting_as_json",
    "write_matches",
    "write_text",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "cepheid.algebra.function_list": ("listed_functions",),
        "cepheid.api.compiling": ("Settings", "check", "compile", "load"),
        "cepheid.api.detecting": ("QueryDetector",),
        "cepheid.api.engine_runner": ("run_on_engine",),
        "cepheid.api.explaining": ("STAGES", "Stage", "explain"),
        "cepheid.api.intake": ("Summary",),
        "cepheid.api.on_spark": ("SparkInput", "SparkRun", "run_on_spark"),
        "cepheid.api.outputs": ("FORMATS", "Output"),
        "cepheid.api.pipe_files": ("names_a_pipe", "outputs_of", "pipe_named"),
        "cepheid.api.pipelines": ("CheckedPipeline", "check_pipeline"),
        "cepheid.api.portions": ("Portion",),
        "cepheid.api.progress": ("PartialMatch",),
        "cepheid.api.queries": ("CompiledQuery",),
        "cepheid.api.projects": ("new_project",),
        "cepheid.api.rule_tests": ("Outcome", "RuleTest", "find_tests", "run_test", "write_matches"),
        "cepheid.api.running": ("Run",),
        "cepheid.api.states": ("checkpoint_states", "exported", "held_by_rules", "waiting_as_json"),
        "cepheid.api.tables": ("TableInput",),
        "cepheid.api.texts": ("LANGUAGE_NAMES", "Compilable"),
        "cepheid.api.time_limit": ("TimeLimited",),
        "cepheid.connectors": (
            "STANDARD_INPUT",
            "TIME_UNITS",
            "Input",
            "Reject",
            "RejectsWriter",
            "Report",
            "is_waited_for",
            "open_text",
            "opened_stream",
            "shown_on",
            "to_json",
            "write_text",
        ),
        "cepheid.connectors.logs": ("INPUT_FORMATS",),
        "cepheid.engine": ("Wait",),
    },
)
