"""The blueprint: facts with their places and who may see them."""

from envwright.recipes.toolspace.instructions.letter import write_letter
from envwright.recipes.toolspace.tasks.blueprint import draw_blueprint, pointer, steps_of
from envwright.recipes.toolspace.walks.drawing import Plan, stories
from support.clinic import clinic


def drawn(tool="clinic.move_visit", seed="s"):
    story = next(stories(clinic(), Plan(tool=tool), seed))
    letter = write_letter(clinic(), story, seed)
    return story, letter, draw_blueprint(story, letter, ["clinic"], ["visits"])


def test_pointers_lead_back_to_their_steps():
    steps = ["orders", "rows", "#W/1~", "items", "0"]
    assert steps_of(pointer(*steps)) == steps
    assert pointer("a/b") == "environment/tables.json#/a~1b"
    assert steps_of("solution/calls.json") is None


def test_what_was_given_is_of_the_prompt_and_what_was_found_is_hidden():
    story, _, blueprint = drawn()
    facts = {fact.id: fact for fact in blueprint.facts}
    for name, value in story.given.items():
        assert (facts[f"given.{name}"].value, facts[f"given.{name}"].visibility) == (
            value,
            "prompt",
        )
    for number, place in enumerate(story.places):
        if place.parent is not None:
            fact = facts[f"place-{number}.key"]
            assert (fact.value, fact.visibility) == (place.key, "hidden")


def test_hidden_keys_are_located_where_they_are_found():
    story, _, blueprint = drawn()
    for fact in blueprint.facts:
        steps = steps_of(fact.location)
        if fact.id.endswith(".key") and steps is not None and len(steps) > 3:
            value = clinic().row(steps[0], steps[2])
            for step in steps[3:]:
                value = value[int(step) if isinstance(value, list) else step]
            assert str(value) == fact.value


def test_every_request_has_a_criterion_that_quotes_it():
    story, letter, blueprint = drawn()
    assert [criterion.quote for criterion in blueprint.criteria] == list(letter.paragraphs)
    assert len(blueprint.criteria) == len(story.asks)
    assert all(criterion.fact_ids for criterion in blueprint.criteria)


def test_the_answer_to_a_question_is_hidden():
    story, _, blueprint = drawn("clinic.get_doctor")
    answers = [fact for fact in blueprint.facts if fact.id.endswith(".answer")]
    assert [fact.visibility for fact in answers] == ["hidden"] * len(story.questions)
    assert [f.value for f in answers] == [question.value for question in story.questions]
