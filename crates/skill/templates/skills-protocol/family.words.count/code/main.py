"""The function that is run is `main`. As a start, it counts the words of a text."""


def main(args):
    """Takes {"text"}; gives {"summary"}. Anything that JSON can express may be returned."""
    words = args["text"].split()
    return {"summary": f"The text has {len(words)} words."}
