"""Rules that are known from the literature, as texts."""

from typing import Final

TEMPLATES: Final = """
template MoneyTransferred { id : TransactionId, originator : AccountId, destination : AccountId, amount : Amount, }
template FraudulentTransactionClaimed { transaction_id : TransactionId, reason : String, }
template SuspiciousSequenceDetected {
  mule_account : AccountId, amount : Amount,
  incoming_transactions : [TransactionId; 3], outgoing_transactions : [TransactionId; 3],
}
template RefundScamSuspected { incoming_transaction : TransactionId, refund_transaction : TransactionId, }
table common_routes(originator, destination) = [["E", "F"]]
predicate uncommon_route(a, b) = not common_routes(a, b)
"""

DIFFUSION: Final = """
rule FraudDiffusion where
  incoming : MoneyTransferred { amount >= 100.0, uncommon_route(originator, destination) }
  outgoing_1 : MoneyTransferred { uncommon_route(originator, destination), originator = incoming.destination, }
  outgoing_2 : MoneyTransferred { uncommon_route(originator, destination), originator = incoming.destination,
                                  id != outgoing_1.id, }
  outgoing_3 : MoneyTransferred { uncommon_route(originator, destination), originator = incoming.destination,
    id != outgoing_1.id, id != outgoing_2.id,
    outgoing_1.amount + outgoing_2.amount + outgoing_3.amount >= incoming.amount * 0.9,
    outgoing_1.amount + outgoing_2.amount + outgoing_3.amount <= incoming.amount * 1.1, }
when
  outgoing_1 in incoming [0 days, {window}]
  outgoing_2 in incoming [0 days, {window}]
  outgoing_3 in incoming [0 days, {window}]
then
  emit SuspiciousSequenceDetected at incoming.timestamp with {
    mule_account = incoming.destination, amount = incoming.amount,
    incoming_transactions = list(incoming.id),
    outgoing_transactions = list(outgoing_1.id, outgoing_2.id, outgoing_3.id) }
"""

DIFFUSION_OVER_ALL: Final = """
rule FraudDiffusion where
  incoming : MoneyTransferred { amount >= 100.0, uncommon_route(originator, destination) }
  total : sum(amount) of outgoing : MoneyTransferred { originator = incoming.destination }
    in incoming [0 days, {window}] { total >= incoming.amount * 0.9, total <= incoming.amount * 1.1 }
then
  emit SuspiciousSequenceDetected at incoming.timestamp with {
    mule_account = incoming.destination, amount = total,
    incoming_transactions = list(incoming.id), outgoing_transactions = list() }
"""

REFUND_SCAM: Final = """
rule FraudRefundScam where
  incoming : MoneyTransferred,
  refund : MoneyTransferred { destination = incoming.originator, originator = incoming.destination,
                              amount >= incoming.amount * 0.9, amount <= incoming.amount * 1.1, },
  claim : FraudulentTransactionClaimed { transaction_id = incoming.id },
  no additional_incoming : MoneyTransferred { originator = incoming.originator, destination = incoming.destination,
                              amount >= refund.amount * 0.9, amount <= refund.amount * 1.1, id != incoming.id }
when
  refund in incoming [0 days, 14 days]
  claim in incoming [0 days, 14 days]
  no additional_incoming in refund [-14 days, 0 days]
then
  emit RefundScamSuspected at claim.timestamp with {
    incoming_transaction = incoming.id, refund_transaction = refund.id, }
"""

ABSENCE: Final = """
template A { attr : String }
template B { attr : String }
source A 1 per s
source B 1 per s
rule a_rule_with_negation where
  a : A { }
  no b : B { attr = a.attr }
when
  no b in a [0 seconds, 4 seconds]
then
  do_something(a.attr)
"""

GLITCH: Final = """
template X { k : Integer }
template A { k : Integer }
template B { k : Integer }
template Alarm { k : Integer }
source X from one, two disorder 7 us
rule R1 where x : X {} when then
  emit A at x.timestamp with { k = x.k }
  emit B at x.timestamp with { k = x.k }
rule R2 where a : A {} no b : B { k = a.k } when no b in a [0 seconds, 0 seconds]
then emit Alarm at a.timestamp with { k = a.k }
"""


def diffusion(window: str, rate: str, rule: str = DIFFUSION) -> str:
    """Return the rule about diffusion with another window and a rate of transfers."""
    return f"{TEMPLATES}\nsource MoneyTransferred {rate}\n{rule.replace('{window}', window)}"
