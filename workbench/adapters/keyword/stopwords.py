"""Words too common to look for. They are left out of queries only, and not where a query has no others."""

ENGLISH = frozenset(
    """
    a about all also am an and any are as at be because been being both but by can could did do does doing down during each
    for from had has have having he her here him his how i if in into is it its just let me more most my no nor not of on
    only or other our out over own please same shall she should so some such than that the their them then there these
    they this those through to too under until up very was we were what when where which while who whom whose why will
    with would you your don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't
    shouldn't haven't hasn't hadn't i'm i'd i'll i've we're we'd we'll we've you're you'd you'll you've they're they'd
    they'll they've it'd it'll that'll there'll
    """.split()
)

BY_LANGUAGE = {"english": ENGLISH, "porter": ENGLISH}
