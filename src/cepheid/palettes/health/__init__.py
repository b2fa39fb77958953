"""Messages of medical records: HL7, segments of fields in a text."""

from cepheid.palettes.health.hl7_messages import hl7, hl7_field

__all__ = ["hl7", "hl7_field"]
