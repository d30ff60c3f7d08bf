"""The verbs over transcripts as a person types them."""

from made_nights import Place, fix_session, promise_session, session_name, write_all


def test_one_line_is_shown_by_its_number(shop: Place) -> None:
    """What cites a line as ``ID:LINE`` is looked up with these two: END may be left out."""
    root = ("--root", str(shop.transcripts))
    one = shop.run("transcripts", "lines", session_name(1), "2", *root)
    assert [line["line"] for line in one.content["lines"]] == [2]
    assert one.content == shop.run("transcripts", "lines", session_name(1), "2", "2", *root).content


def test_a_listing_is_narrowed_to_a_project_and_a_number(place: Place) -> None:
    """By the project's name or the folder of its transcripts; the newest first, with the whole number beside."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, project="bakery")])
    listing = ("transcripts", "list", "--root", str(place.transcripts))

    ran = place.run(*listing, "--project", "-work-shop", "--limit", "1")

    assert [session["id"] for session in ran.content["sessions"]] == [session_name(2)]
    assert ran.content["total"] == 2
    assert place.run(*listing).content["total"] == 3
    assert place.run(*listing, "--project", "nosuch").content["sessions"] == []
