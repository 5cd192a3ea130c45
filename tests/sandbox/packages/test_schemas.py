"""JSON Schemas of the documents."""

import jsonschema
import pytest

from envwright.sandbox.packages import DOCUMENTS, Provenance, package_schemas
from support.packages import desk_bundle


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.PATH)
def test_every_schema_is_a_schema_and_accepts_what_is_written(document):
    schema = package_schemas()[document.PATH]
    jsonschema.Draft202012Validator.check_schema(schema)
    bundle = desk_bundle()
    provenance = Provenance(run="r", package="p", revision=bundle.revision)
    written = provenance.model_dump(mode="json")
    jsonschema.validate(written if document is Provenance else bundle.json(document.PATH), schema)


def test_a_schema_refuses_an_unknown_field_and_explains_known_ones():
    schema = package_schemas()["package.json"]
    with pytest.raises(jsonschema.ValidationError, match="hint"):
        jsonschema.validate({**desk_bundle().json("package.json"), "hint": 1}, schema)
    assert "may read" in schema["properties"]["boundary"]["description"]


def test_a_frame_is_described_by_the_name_that_stands_in_the_file():
    frame = package_schemas()["tests/assertions.json"]["$defs"]["FrameAssertion"]
    assert "except" in frame["properties"]
