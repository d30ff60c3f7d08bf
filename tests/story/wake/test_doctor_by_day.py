"""The doctor by day: a well home is well; whatever cannot be read is named with what to do."""

from pathlib import Path

from made_days import Day, mixed
from made_nights import Place


def test_the_doctor_names_what_cannot_be_read(tmp_path: Path) -> None:
    """Rejected lines, damaged lists, goals that are none, failures of the loop; and nothing else changes."""
    day = Day.at(tmp_path)
    day.put([mixed(n) for n in range(10)])
    day.tick()
    place = Place(tmp_path, now=day.now)

    def found() -> dict[str, str]:
        rows = place.run("doctor").content["findings"]
        return {Path(row["file"]).name: row["message"] for row in rows if row["code"] == "day"}

    assert found() == {"": "the files of the day can be read"}
    places = day.home.day
    day.put(b"no json\n")
    day.now = day.now.replace(hour=13)
    day.tick()
    places.goals.mkdir(parents=True)
    (places.goals / "odd.json").write_text("[]", encoding="utf-8")
    places.commitments.parent.mkdir(exist_ok=True)
    places.commitments.write_text("{", encoding="utf-8")
    with places.observations.open("ab") as stream:
        stream.write(b"no json\n")
    assert found() == {
        "rejected.jsonl": "1 lines were no captures",
        "odd.json": "this is no goal: it holds no object",
        "observations.jsonl": "1 lines are no observations",
        "commitments.json": "this is no list",
    }
