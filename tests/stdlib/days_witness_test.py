"""Days, Instants and Durations against Python's datetime, on random values and mutated texts."""

import calendar
import datetime
import re

import witness
from witness import Witness

COUNT = 200_000 if witness.LONG else 5_000
EPOCH = datetime.date(1970, 1, 1)
FIRST, LAST = -719528, 2932896
YEAR_ONE = FIRST + 366
DAY = 86_400_000_000  # microseconds


def number(date: datetime.date) -> int:
    return (date - EPOCH).days


def split(day: int) -> tuple:
    """Year, month and day; of year 0, which Python has not, by year 400, which is like it."""
    date = EPOCH + datetime.timedelta(days=day if day >= YEAR_ONE else day + 146097)
    return date.year if day >= YEAR_ONE else 0, date.month, date.day


def of(year: int, month: int, day: int) -> int:
    return number(datetime.date(year or 400, month, day)) - (0 if year else 146097)


def add_months(day: int, months: int) -> int:
    year, month, in_month = split(day)
    year, month = divmod(12 * year + month - 1 + months, 12)
    if not 0 <= year <= 9999:
        raise ValueError
    return of(year, month + 1, min(in_month, calendar.monthrange(year or 400, month + 1)[1]))


class DaysTest(Witness):
    def day(self) -> int:
        r = self.random
        return r.choice([r.randrange(FIRST, LAST + 1), r.randrange(-10000, 30000), FIRST + r.randrange(800),
                         LAST - r.randrange(800)])

    def mutated(self, t: str, letters: str) -> bytes:
        for _ in range(self.random.choice([0, 0, 1, 2])):
            at = self.random.randrange(len(t) + 1)
            t = t[:at] + self.random.choice(["", self.random.choice(letters)]) + t[at + self.random.randrange(2):]
        return t.encode()

    def test_days(self):
        days = [self.day() for _ in range(COUNT)]
        expected = []
        for day in days:
            year, month, in_month = split(day)
            date = datetime.date(year or 400, month, in_month)
            week_year, week, _ = date.isocalendar()
            expected.append([b"%04d-%02d-%02d" % (year, month, in_month), date.strftime("%A").encode(),
                             b"%d" % date.timetuple().tm_yday, b"%d" % (week_year - (0 if year else 400)), b"%d" % week,
                             b"%d" % calendar.isleap(year)])
        self.compare([("days.split", day) for day in days], expected)

    def test_days_of_texts_and_numbers(self):
        texts = [self.mutated("%04d-%02d-%02d" % split(self.day()), "0123456789-/T ") for _ in range(COUNT)]
        numbers = [(self.random.choice([2023, 2024, 2000, 1900, 0, 9999, -1, 10000]), self.random.randrange(-1, 14),
                    self.random.randrange(-1, 33)) for _ in range(COUNT)]

        def expected(parts):
            try:
                return [b"%d" % of(*parts)]
            except ValueError:
                return ValueError
        self.compare([("days.parse", t) for t in texts],
                     [expected(map(int, t.split(b"-"))) if re.fullmatch(rb"\d{4}-\d\d-\d\d", t) else ValueError
                      for t in texts])
        self.compare([("days.of", *parts) for parts in numbers], [expected(parts) for parts in numbers])

    def test_arithmetic(self):
        questions, expected = [], []
        for _ in range(COUNT):
            day, n = self.day(), self.random.choice([1, 12, 10**5, 2**60]) * self.random.randrange(-3, 4) \
                + self.random.randrange(-3, 3)
            questions.append(("days.plus", day, n))
            expected.append([b"%d" % (day + n)] if FIRST <= day + n <= LAST else ValueError)
            questions.append(("days.add_months", day, n))
            try:
                expected.append([b"%d" % add_months(day, n)])
            except ValueError:
                expected.append(ValueError)
        self.compare(questions, expected)

    def test_months_between_days(self):
        pairs = [(self.random.randrange(-3000, 3000), self.random.randrange(-3000, 3000)) for _ in range(COUNT)]
        for (first, last), answer in zip(pairs, self.ask([("days.months", *pair) for pair in pairs])):
            months = int(answer[0])
            self.assertLessEqual(add_months(first, months), last)
            self.assertGreater(add_months(first, months + 1), last)

    def test_instants_as_texts(self):
        questions, expected = [], []
        for _ in range(COUNT):
            day = max(self.day(), YEAR_ONE)
            instant = day * DAY + self.random.choice([0, self.random.randrange(DAY), self.random.randrange(86400) * 10**6,
                                                      self.random.randrange(86400) * 10**6 + 5000])
            offset, digits = self.random.choice([0, 0, 60, -210, 1439, -1439]), self.random.choice([-1, 0, 3, 6])
            micro = instant % 10**6
            try:
                zone = datetime.timezone(datetime.timedelta(minutes=offset))
                time = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(microseconds=instant)
                time = time.astimezone(zone)
            except OverflowError:  # also year 0, which the library has
                continue
            spec = {0: "seconds", 3: "milliseconds", 6: "microseconds"}[
                digits if digits >= 0 else 0 if micro == 0 else 3 if micro % 1000 == 0 else 6]
            questions.append(("days.instant", instant, digits, offset))
            expected.append([time.isoformat(timespec=spec).replace("+00:00", "Z").encode()])
        self.assertGreater(len(questions), COUNT // 2)
        self.compare(questions, expected)

    def test_texts_as_instants(self):
        questions, expected = [], []
        for _ in range(COUNT):
            r = self.random
            t = "%04d-%02d-%02d" % split(max(self.day(), YEAR_ONE + 2)) + r.choice("TTTt ") + "%02d:%02d:%02d" % (
                r.randrange(25), r.randrange(60), r.randrange(60)) + r.choice(["", ".5", ".123456", ".000001999", ".25"]) \
                + r.choice(["Z", "Z", "z", "+01:00", "-00:00", "-23:59", ""])
            t = self.mutated(t, "0123456789-:.TZ+")
            questions.append(("days.parse_instant", t))
            expected.append(instant_of(t.decode()))
        self.compare(questions, expected)
        self.compare([("days.parse_instant", t) for t in ("2016-12-31T23:59:60Z", "2017-01-01T00:59:60.7+01:00",
                                                          "2016-12-31T23:58:60Z", "0000-01-01T00:00:00+00:01",
                                                          "9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59-00:01")],
                     [[b"1483228800000000", b"0"], [b"1483228800000000", b"60"], ValueError, ValueError,
                      [b"253402300799999999", b"0"], ValueError])

    def test_durations(self):
        values = [self.random.randrange(-10**n, 10**n) * unit for n in range(1, 7) for unit in (1, 10**3, 10**6, 60 * 10**6, DAY)
                  for _ in range(COUNT // 30)] + [0, 2**63 - 1, -2**63]
        answers = self.ask([("days.duration", value) for value in values])
        for value, (t,) in zip(values, answers):
            self.assertEqual(duration_of(t.decode()), [b"%d" % value], t)
        self.assertEqual(answers[-3], [b"PT0S"])
        self.assertEqual(answers[-1], [b"-P106751991DT4H54.775808S"])
        texts = [self.mutated(t.decode(), "0123456789PTWDHMS.-,+") for (t,) in answers] + [b"P2W3DT1M", b"P106751991DT5H"]
        self.compare([("days.parse_duration", t) for t in texts], [duration_of(t.decode()) for t in texts])


def instant_of(t: str):
    parts = re.fullmatch(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)", t)
    if not parts:
        return ValueError
    day, time, digits, zone = parts.groups()
    try:
        zone = "+00:00" if zone in "Zz" else zone
        if int(zone[4:]) > 59:
            return ValueError
        instant = datetime.datetime.fromisoformat(f"{day}T{time}.{((digits or '') + '000000')[:6]}{zone}")
        offset = int(instant.utcoffset().total_seconds()) // 60
        if instant > datetime.datetime.max.replace(tzinfo=datetime.timezone.utc):  # the year 10000 of UTC
            return ValueError
        return [b"%d" % ((instant - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc))
                         // datetime.timedelta(microseconds=1)), b"%d" % offset]
    except ValueError:
        return ValueError


def duration_of(t: str):
    parts = re.fullmatch(r"([+-]?)P(?=[0-9T])(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d+))?S)?)?", t)
    if not parts:
        return ValueError
    sign, *numbers, digits = parts.groups()
    total = sum(int(n or 0) * unit for n, unit in zip(numbers, [7 * DAY, DAY, 3600 * 10**6, 60 * 10**6, 10**6])) \
        + int(((digits or "") + "000000")[:6])
    total = -total if sign == "-" else total
    return [b"%d" % total] if -2**63 <= total < 2**63 else ValueError
