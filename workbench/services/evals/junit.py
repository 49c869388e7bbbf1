"""A run as JUnit XML, which every build server reads: one test case a sample and epoch."""

import re
from xml.etree import ElementTree as ET

from workbench.domain.eval_results import verdict
from workbench.domain.evals import EvalLog, SampleLog

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(log: EvalLog) -> str:
    """Return the report. What was not as expected is a failure, what could not be scored an error."""
    failed = sum(sample.passed is False for sample in log.samples)
    errors = sum(not sample.valid for sample in log.samples)
    suite = ET.Element(
        "testsuite",
        name=_xml(log.suite),
        tests=str(len(log.samples)),
        failures=str(failed),
        errors=str(errors),
        time=f"{sum(sample.spend.seconds for sample in log.samples):.3f}",
        timestamp=log.started_at.isoformat(timespec="seconds"),
    )
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(log).items():
        ET.SubElement(properties, "property", name=name, value=_xml(value))
    for sample in log.samples:
        _case(suite, log, sample)
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _properties(log: EvalLog) -> dict[str, str]:
    return {
        "run": log.id,
        "model": log.model,
        "suite_hash": log.suite_hash,
        "application": log.versions.application,
        "prompt": log.versions.prompt,
        "embedding": log.versions.embedding,
        "seed": str(log.seed),
        "verdict": " ".join(verdict(log).reasons) or "passed",
    }


def _case(suite: ET.Element, log: EvalLog, sample: SampleLog) -> None:
    name = sample.sample_id if log.epochs == 1 else f"{sample.sample_id} (epoch {sample.epoch})"
    case = ET.SubElement(
        suite, "testcase", name=_xml(name), classname=_xml(log.suite), time=f"{sample.spend.seconds:.3f}"
    )
    wrong = [f"{score.scorer}: {score.explanation}" for score in sample.scores if score.failed or _low(score.value)]
    if not sample.valid:
        ET.SubElement(case, "error", message=_xml(sample.error or "a scorer failed")).text = _xml("\n".join(wrong))
    elif sample.passed is False:
        ET.SubElement(case, "failure", message=_xml(wrong[0])).text = _xml("\n".join(wrong))
    elif sample.passed is None:
        ET.SubElement(case, "skipped", message="no scorer applies")


def _low(value: float | None) -> bool:
    return value is not None and value < 1.0


def _xml(text: str) -> str:
    """Return ``text`` without the characters that XML cannot hold; each stands as a question mark."""
    return _NOT_XML.sub("?", text)
