"""Facts about a query, the plan with its state bounds, and the certificate."""

from cepheid.analysis.arrivals import Rates, most_events, most_instants
from cepheid.analysis.bounds import Bound, Unbounded
from cepheid.analysis.certificate import Certificate
from cepheid.analysis.certified_pipe import PipeCertificate, ProcessorCertificate
from cepheid.analysis.certified_rule import HistoryCertificate, OperatorCertificate, Promise, RuleCertificate
from cepheid.analysis.certify import certify
from cepheid.analysis.describe import describe_bounds, describe_closure, describe_plan
from cepheid.analysis.keys import PartitionKey, partition_key
from cepheid.analysis.plan import Kind, Operator, Plan, Reach, Retention, RulePlan
from cepheid.analysis.planner import plan_of

__all__ = [
    "Bound",
    "Certificate",
    "HistoryCertificate",
    "Kind",
    "Operator",
    "OperatorCertificate",
    "PartitionKey",
    "PipeCertificate",
    "Plan",
    "ProcessorCertificate",
    "Promise",
    "Rates",
    "Reach",
    "Retention",
    "RuleCertificate",
    "RulePlan",
    "Unbounded",
    "certify",
    "describe_bounds",
    "describe_closure",
    "describe_plan",
    "most_events",
    "most_instants",
    "partition_key",
    "plan_of",
]
