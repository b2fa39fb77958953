"""A page of which one part is made: between two marks stands what was measured, all else is written by hand."""


def with_part(written: str, begin: str, end: str, made: str) -> str:
    """Return a page with another part between its marks.

    >>> with_part("before <begin>old<end> after", "<begin>", "<end>", "new")
    'before <begin>new<end> after'
    """
    before, _, rest = written.partition(begin)
    return f"{before}{begin}{made}{end}{rest.partition(end)[2]}"
