"""How traits, goals and the coaching map look."""

from slowwave.desk.screens.parts import Described, Lines, count, heading, hint, plain, table


def observation_lines(described: Described) -> Lines:
    """Traits with their ids, and what to do with them."""
    rows = described["observations"]
    lines: Lines = [
        heading(f"{count(described['total'], 'observation')} about you, {described['needReview']:,} not reviewed yet")
    ]
    if described["malformed"]:
        lines.append(plain(f"{count(described['malformed'], 'line')} could not be read and stands as it was"))
    if rows:
        lines.append(
            table(
                ["id", "said", "reviewed", "observation"],
                [(row["id"], row["ts"][:10], "no" if row["needsReview"] else "yes", row["obs"]) for row in rows],
            )
        )
    if described["needReview"]:
        lines.append(hint("`slowwave observations review` goes through them"))
    return lines


def decided_lines(word: str, described: Described, then: str = "") -> Lines:
    """What became of one trait."""
    lines: Lines = [plain(f"{word} {described['id']}: {described['obs']}")]
    return [*lines, hint(then)] if then else lines


def goal_lines(described: Described) -> Lines:
    """Active goals, and files that are none."""
    goals = described["goals"]
    lines: Lines = [heading(count(len(goals), "active goal"))]
    if goals:
        lines.append(table(["id", "goal"], [(goal["id"], goal["title"]) for goal in goals]))
    else:
        lines.append(hint('`slowwave goals add "TITLE"` begins one'))
    return [*lines, *(plain(f"{fault['file']}: {fault['reason']}") for fault in described["faults"])]


def coaching_lines(described: Described) -> Lines:
    """For each goal the traits that bear on it, and why."""
    lines: Lines = []
    for goal in described["goals"]:
        lines.append(heading(goal["title"]))
        lines.append(plain(f"  {count(goal['examined'], 'observation')} held against it", style="dim"))
        for row in goal["observations"]:
            lines.append(plain(f"  {row['score']:.2f}  {row['obs']}"))
            lines.append(plain(f"        {row['reason']} ({row['decided_by']}, {row['moment'][:10]})", style="dim"))
    if not lines:
        lines.append(hint('no active goal: `slowwave goals add "TITLE"` begins one'))
    if described["pending"]:
        lines.append(hint(f"{count(described['pending'], 'observation')} wait: `slowwave coaching refresh`"))
    return lines
