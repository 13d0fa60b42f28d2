"""What the jobs of RQ do."""


def double(number):
    return number * 2


def fail():
    raise ValueError("on purpose")
