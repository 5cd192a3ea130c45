"""The names of span attributes are those that OpenTelemetry publishes, or ours."""

from opentelemetry.semconv._incubating.attributes import gen_ai_attributes, messaging_attributes
from opentelemetry.semconv.attributes import error_attributes, service_attributes

from envwright.agents import conventions

PUBLISHED = {
    value
    for module in (gen_ai_attributes, messaging_attributes, error_attributes, service_attributes)
    for name, value in vars(module).items()
    if name.isupper()
}


def test_every_attribute_is_published_or_ours() -> None:
    ours = {value for value in vars(conventions).values() if isinstance(value, str)}
    names = {value for value in ours if value.split(".")[0] in ("gen_ai", "messaging", "error")}
    assert len(names) > 15
    assert names <= PUBLISHED
    assert conventions.SERVICE_NAME in PUBLISHED
