"""A run as JUnit XML."""

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from workbench.domain.evals import EvalLog, RunState, SampleLog, Score, Versions
from workbench.domain.ids import RunId, UserId
from workbench.services.evals.junit import junit


def test_each_sample_is_a_case_with_what_went_wrong() -> None:
    right = Score(scorer="contains", value=1.0)
    wrong = Score(scorer="figures", value=0.5, explanation='Not "45" <days> \x00\x1b & more')
    nothing = Score(scorer="broadens", value=None)
    log = EvalLog(
        id=RunId("run_1"),
        user_id=UserId("ana"),
        suite="leases & more",
        suite_hash="h",
        model="any",
        epochs=2,
        versions=Versions(application="1", prompt="p", embedding="e"),
        state=RunState.FINISHED,
        started_at=datetime(2026, 3, 1, tzinfo=UTC),
        samples=(
            SampleLog(sample_id="a", epoch=1, scores=(right,)),
            SampleLog(sample_id="b", epoch=1, scores=(right, wrong)),
            SampleLog(sample_id="c", epoch=1, error="The turn ended as failed."),
            SampleLog(sample_id="d", epoch=1, scores=(nothing,)),
        ),
    )
    suite = ET.fromstring(junit(log)).find("testsuite")
    assert suite is not None
    assert {key: suite.get(key) for key in ("name", "tests", "failures", "errors")} == {
        "name": "leases & more",
        "tests": "4",
        "failures": "1",
        "errors": "1",
    }
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == [f"{name} (epoch 1)" for name in "abcd"]
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["error"], ["skipped"]]
    assert cases[1][0].get("message") == 'figures: Not "45" <days> ?? & more'
    versions = {each.get("name"): each.get("value") for each in suite.iter("property")}
    assert (versions["model"], versions["prompt"], versions["run"]) == ("any", "p", "run_1")
