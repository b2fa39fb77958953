"""Facts about a query, the plan with its state bounds, and the certificate."""

from cepheid.analysis.bounds.arrivals import Rates, most_events, most_instants
from cepheid.analysis.bounds.bounds import Bound, Unbounded
from cepheid.analysis.certificates.certificate import Certificate
from cepheid.analysis.certificates.certified_pipe import PipeCertificate, ProcessorCertificate
from cepheid.analysis.certificates.certified_rule import (
    HistoryCertificate,
    OperatorCertificate,
    Promise,
    RuleCertificate,
)
from cepheid.analysis.certificates.certify import certify
from cepheid.analysis.certificates.describe import describe_bounds, describe_closure, describe_plan
from cepheid.analysis.keys.keys import PartitionKey, partition_key
from cepheid.analysis.plans.plan import Kind, Operator, Plan, Reach, Retention, RulePlan
from cepheid.analysis.plans.planner import plan_of

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
