"""Whatever a stranger writes first, a second mail that says what the answer shows is enough."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from judge.game.state.profile import TrustLevel
from judge.i18n import gettext, speaking
from judge.intake import reception
from judge.messages.html_message import says_all
from judge.service import Judge
from judge.storage import GameState, Person
from tests.game.play import Play, Received, flat, read
from tests.game.test_newcomers import CHOICE

pytestmark = pytest.mark.first_letters

FIRST = {
    "en": """I would like to join a slow game
        Hi! I want to play Diplomacy.
        how do I play
        HELP
        JOIN
        LIST
        JOIN paris
        TAKE OVER france@veil
        A Par - Bur
        practice
        PRACTICE easy
        start a game against the computer please
        Dear Tom, thanks for your letter. I think we should attack Germany together. Best, Ann
        is there a gunboat game I could join?
        CREATE rome nonsense
        WHO GAME
        Can I play tonight?
        is anyone looking for players?
        REGISTER
        SET LANGUAGE en
        YES""",
    "de": """spiel mit mir
        HILFE
        STARTEN
        loslegen bitte
        Hallo, ich möchte gerne mitspielen
        Wie funktioniert das?
        Ich suche ein Spiel
        übung
        SPIELE
        MITSPIELEN
        Gibt es eine langsame Partie für Anfänger?
        Ich würde gern gegen den Computer üben
        SET LANGUAGE DE
        SPRACHE deutsch""",
    "fr": """AIDE
        facile
        je voudrais jouer
        bonjour, comment rejoindre une partie ?
        JOUER
        Je cherche une partie lente
        entraînement
        Bonjour, je veux apprendre à jouer à Diplomacy
        SET LANGUAGE FR
        LANGUE français""",
}
MAILS = [(code, each.strip()) for code, mails in FIRST.items() for each in mails.splitlines()]
SOME = [
    (code, mails.split("\n")[place].strip()) for code, mails in FIRST.items() for place in (0, -1)
]
OFFERED = re.compile(r"^  (JOIN PRACTICE)\b", re.M)


def person(play: Play) -> Person:
    found = play.storage.people.by_address("zoe@people.example")
    assert found is not None
    return found


def trusting(play: Play, trust: TrustLevel) -> Play:
    """Have the judge want so much proof of who writes."""
    judge = play.judge
    profile = replace(judge.profile, trust=trust)
    play.judge = Judge(play.storage, play.clock, profile, judge.table)
    return play


def wary(play: Play) -> Play:
    """Have the judge ask for a reply where anything has to be proved."""
    return trusting(play, TrustLevel.TOKEN)


@pytest.fixture
def play(play: Play) -> Play:
    return wary(play)


@pytest.fixture
def open_house(play: Play) -> Play:
    """A judge that takes the From of a first mail for its sender, as judges do by default."""
    return trusting(play, TrustLevel.KNOWN)


def plays(play: Play) -> bool:
    me = play.storage.people.by_address("zoe@people.example")
    return me is not None and bool(play.storage.games.of_person(me.id, (GameState.ACTIVE,)))


def proved(play: Play, who: str, text: str, headers: dict[str, str] | None = None) -> str:
    """What comes of a first mail once its writer has answered the letter that came."""
    play.mail(who, "", answers=play.send(who, text, headers=headers))
    (letter,) = [each for each in play.run() if each.to.startswith(who) and each.kind == "reply"]
    return flat(letter)


@pytest.fixture
def under_way(open_house: Play, monkeypatch: pytest.MonkeyPatch) -> Play:
    """A public game of people who have answered their first letters long ago."""
    with monkeypatch.context() as before:
        before.setattr(reception, "may_be_made_up", lambda *_: False)
        open_house.start("PUBLIC")
    return open_house


@pytest.mark.parametrize(("language", "mail"), MAILS)
def test_the_second_mail_leads_into_a_game(play: Play, language: str, mail: str) -> None:
    answer = play.send("zoe", mail)
    play.run()
    if not plays(play):
        offered = OFFERED.search(answer.text)
        assert offered, answer.text
        assert "JOIN%20PRACTICE" in "".join(answer.contents("text/html"))
        play.send("zoe", offered[1], answers=answer)
        play.run()
    assert plays(play)
    assert person(play).language == language


def in_words(language: str, *english: str) -> list[str]:
    """What letters say in a language, up to the first fact."""
    with speaking(language):
        return [" ".join(gettext(each).partition("%(")[0].split()) for each in english]


class Stranger:
    """Somebody who writes what the letters show, in the words that they use, and nothing else."""

    def __init__(self, play: Play, language: str) -> None:
        self.play, self.language = play, language
        self.shows: Received | None = None
        """The last letter that wants orders."""
        self.free: list[str] = []
        """The centers of which a letter has said that nobody owns them."""
        self.been: set[str] = set()
        self.given: list[str] = []
        """What the last mail ordered, if more is wanted."""

    def reads(self, letters: list[Received]) -> None:
        """Look at the letters that came, all in one language, for what they want."""
        self.shows = None
        nobodys, *headings = in_words(
            self.language, "Supply centers that nobody owns: %(centers)s.", *HEADINGS
        )
        for letter in (each for each in letters if each.to.startswith("zoe@")):
            if self.language != "en":
                assert not [each for each in HEADINGS if each in letter.text], letter.text
            if letter.kind == "reply" and OF_A_LETTER.search(letter.text):
                # More is to be built than one line says.
                self.shows = letter
            elif letter.kind in ("start", "results"):
                assert [each for each in headings if each in letter.text], letter.text
                self.shows = letter
                left = flat(letter).partition(nobodys)[2].partition(".")[0]
                self.free = re.split(r",? \w+ (?=\w+$)|, ", left.strip())

    def orders(self) -> list[str]:
        """A line for each unit that a letter asks about: to a center that nobody owns, if it can
        go there, else where none has been; or the first of the lines that it offers."""
        assert self.shows is not None
        chosen: list[str] = []
        for _, name, places in CHOICE.findall(self.shows.text):
            named = [each.partition(" ")[2] for each in " ".join(places.split()).split(", ")]
            aims = sorted(named, key=lambda each: (each not in self.free, each in self.been))
            taken = [line.partition(" - ")[2] for line in chosen]
            aim = next(each for each in aims if each not in taken)
            chosen.append(f"{name} - {aim}")
            self.been.add(aim)
        # What is built comes in one mail: one line more than the last one had, for another place.
        used = {line.split(" R ")[0].split()[-1][:3] for line in self.given}
        lines = OF_A_LETTER.findall(self.shows.text)
        more = [line for line in lines if line.split(" R ")[0].split()[-1][:3] not in used]
        return chosen or [*self.given, *more[:1]]

    def plays(self) -> str | None:
        """Answer the letter, and read what comes; the phase that is open then."""
        lines = self.orders()
        answer = self.play.send("zoe", "\n".join(lines), answers=self.shows)
        wrong = in_words(self.language, *NOT_DONE)
        assert not [each for each in wrong if each in flat(answer)], answer.text
        self.reads(self.play.run())
        self.given = lines if self.shows and self.shows.kind == "reply" else []
        (game,) = self.play.storage.games.of_person(person(self.play).id, (GameState.ACTIVE,))
        return game.phase


OF_A_LETTER = re.compile(r"^  ([BD] [AF] \S+|[AF] \S+ R \S+) ", re.M)
"""A retreat, build or removal that a letter offers."""

NOT_DONE = (
    "LINES I COULD NOT USE",
    "I did nothing with this line, and nobody received it:",
    "Look again:",
)
HEADINGS = ("WHERE EVERYBODY STANDS NOW", "SUPPLY CENTERS")


@pytest.mark.parametrize(("language", "mail"), SOME)
def test_a_stranger_plays_two_years_by_the_letters_alone(
    play: Play, language: str, mail: str
) -> None:
    play.judge.seed = lambda: f"{mail}1"
    me = Stranger(play, language)
    answer = play.send("zoe", mail)
    me.reads(play.run())
    if me.shows is None:
        offered = OFFERED.search(answer.text)
        assert offered
        play.send("zoe", offered[1], answers=answer)
        me.reads(play.run())
    phases = [me.plays()]
    while not str(phases[-1]).startswith("S1903"):
        phases.append(me.plays())
        assert len(phases) < 12, phases
    # Something was built or removed, or retreated, on the way.
    assert [each for each in phases if str(each)[-1] != "M"]


@pytest.mark.parametrize(
    ("mail", "date", "zone"),
    [
        ("REJOINDRE", "Mon, 1 Jun 2026 14:00:00 +0200", "Europe/Paris"),
        ("MITSPIELEN", "Mon, 1 Jun 2026 14:00:00 +0200", "Europe/Berlin"),
        ("JOIN", "Mon, 1 Jun 2026 07:00:00 -0500", "America/Chicago"),
        ("JOIN", "Mon, 1 Jun 2026 12:00:00 +0000", None),
        ("JOIN", "Mon, 1 Jun 2026 12:00:00 +0413", None),
    ],
)
def test_the_clock_of_the_first_mail_is_kept(
    play: Play, mail: str, date: str, zone: str | None
) -> None:
    proved(play, "zoe", mail, headers={"Date": date})
    assert person(play).time_zone == zone


def test_a_friend_takes_over_a_power_by_the_line_of_a_letter(under_way: Play) -> None:
    under_way.sure("emil", "RESIGN")
    play = wary(under_way)
    said = proved(play, "zoe", "TAKE OVER italy@paris")
    assert "You are new here" in said
    state = play.storage.games.by_name("paris")
    assert state is not None
    seats = play.storage.seats.of_person(person(play).id)
    assert [seat.power for seat in seats] == ["Italy"]


def test_who_waits_is_told_with_how_many_and_what_to_do_until_then(play: Play) -> None:
    proved(play, "ann", "JOIN")
    said = proved(play, "bob", "JOIN")
    assert "2 people wait for such a game, you included; it starts once 7 do." in said
    assert "JOIN PRACTICE" in said
    play.meet("cleo")
    assert "2 people wait for it" in flat(play.send("cleo", "LIST"))


def test_a_public_game_that_needs_players_is_offered_by_name(play: Play) -> None:
    proved(play, "max", "CREATE ?rome standard, PUBLIC")
    answer = play.send("zoe", "hello again", answers=play.send("zoe", "hello"))
    assert "  JOIN rome" in answer.text
    assert "You are in rome" in flat(play.send("zoe", "JOIN rome", answers=answer))


def test_the_name_for_a_new_game_that_is_offered_is_free(play: Play) -> None:
    proved(play, "max", "CREATE ?paris")
    play.meet("zoe")
    assert "CREATE ?rome" in play.send("zoe", "LIST").text


ASKED = (
    *("hello", "HELP", "LIST", "LIST paris", "HELP press", "HISTORY paris", "MAP", "VERSION"),
    *("INFO PLAYER cleo@people.example", "WHAT IF A Par - Bur", "VARIANTS", "HELP settings"),
    *(
        "CREATE rome nonsense",
        "A Par - Bur",
        "I want to play against the computer",
        "what is this?",
    ),
    *("JOIN", "JOIN PRACTICE", "JOIN paris", "TAKE OVER france@paris", "OBSERVE paris"),
    *("CREATE ?rome", "CREATE rome secret", "REGISTER", "SET NAME Zoe", "SET LANGUAGE en"),
    "JOIN PRACTICE\nA Par - Bur",
    "HELP\nLIST\nHELP press\nHELP orders\nHELP joining",
)


def test_the_first_answer_is_the_same_whatever_is_asked_and_has_two_kilobytes(
    under_way: Play,
) -> None:
    """Its reader may never have written: nobody is to be sent much by forged mail."""
    play = wary(under_way)
    said = set()
    long = {"References": " ".join(f"<{number}@far.example>" for number in range(40))}
    for number, text in enumerate((*ASKED, "HILFE Presse", "règles")):
        mail = play.mail(f"zoe@elsewhere{number}.example", text, headers=long)
        play.judge.process_message(mail)
        (letter,) = map(read, play.storage.outbound.of_mail(mail))
        assert len(letter.raw) <= 2_000, (text, len(letter.raw))
        said.add(letter.text)
    assert len(said) == 3, "one in each language"


@pytest.mark.parametrize("text", ["hello", "HELP", "HILFE", "AIDE"])
def test_its_small_html_says_all_that_the_text_does_and_has_a_line_to_tap(
    play: Play, text: str
) -> None:
    first = play.send("zoe", text)
    (page,) = first.contents("text/html")
    assert says_all(page, first.text)
    assert "<style" not in page
    assert "JOIN%20PRACTICE" in page
    (page,) = play.send("zoe", f"{text}\nLIST").contents("text/html")
    assert "<style" in page, "who has had an answer gets letters like everybody"


@pytest.mark.parametrize(("asked", "comes"), [("LIST paris", "paris"), ("HELP press", "ENDPRESS")])
@pytest.mark.parametrize("reply", ["", "yes", "JOIN PRACTICE"])
def test_what_the_first_mail_asked_comes_as_soon_as_its_sender_answers(
    play: Play, asked: str, comes: str, reply: str
) -> None:
    proved(play, "max", "CREATE ?paris standard, PUBLIC")
    play.letters()
    first = play.send("zoe", asked)
    assert comes not in first.text
    play.mail("eve", reply, answers=first)
    assert [each for each in play.run() if each.to.startswith("zoe") and each != first] == []
    play.mail("zoe", reply, answers=first)
    told = [each for each in play.run() if each.to.startswith("zoe")]
    assert any(comes in each.text for each in told)
    assert plays(play) == (reply == "JOIN PRACTICE")


def test_who_a_domain_vouches_for_is_answered_at_once(play: Play) -> None:
    table, profile = play.judge.table, play.judge.profile
    play.judge = Judge(play.storage, play.clock, profile, table, verify=lambda *_: True)
    assert "ENDPRESS" in play.send("zoe", "HELP press").text


@pytest.mark.parametrize(
    ("word", "language"),
    [
        *((each, "de") for each in ("REGELN", "Anmeldung", "Anleitung", "Probespiel")),
        *((each, "fr") for each in ("règles", "essai", "débutant", "s'inscrire")),
        *(
            (each, "en")
            for each in ("Rules", "beginner", "test", "Ann", "JOIN PRACTICE", "Zoe", "LIST fast")
        ),
    ],
)
def test_one_word_is_answered_in_its_language(play: Play, word: str, language: str) -> None:
    first = play.send("zoe", word)
    assert f'<html lang="{language}">' in first.contents("text/html")[0]


@pytest.mark.parametrize("text", ["JOIN PRACTICE", "CREATE ?rome", "SET LANGUAGE fr"])
def test_in_a_made_up_name_nothing_is_done(play: Play, text: str) -> None:
    first = play.send("zoe", text)
    assert play.storage.people.by_address("zoe@people.example") is None
    assert play.storage.games.all() == []
    # Who guesses no reply address gets no further; nobody else's opens it.
    play.mail("eve", "", answers=first)
    play.run()
    assert play.storage.people.by_address("zoe@people.example") is None
    play.mail("zoe", "", answers=first)
    play.run()
    person(play)


@pytest.mark.parametrize("trust", [TrustLevel.TOKEN, TrustLevel.VERIFIED])
@pytest.mark.parametrize("signed", [False, True])
def test_where_a_reply_or_a_signature_is_wanted_the_first_letter_is_the_same(
    play: Play, trust: TrustLevel, signed: bool
) -> None:
    profile = replace(play.judge.profile, trust=trust)

    def judge(*, verified: bool) -> Judge:
        table = play.judge.table
        return Judge(play.storage, play.clock, profile, table, verify=lambda *_: verified)

    play.judge = judge(verified=False)
    first = play.send("zoe", "JOIN PRACTICE")
    assert (first.kind, len(first.raw) <= 2_000) == ("welcome", True)
    play.judge = judge(verified=signed)
    play.mail("zoe", "YES", answers=first)
    play.run()
    assert plays(play) == (signed or trust is not TrustLevel.VERIFIED)


def test_a_password_in_a_first_mail_counts_once_it_is_answered_and_is_not_kept(play: Play) -> None:
    proved(play, "zoe", "CREATE ?rome standard, PUBLIC\nSET PASSWORD sesame")
    (seat,) = play.storage.seats.of_person(person(play).id)
    assert seat.password
    play.mail("ann", "CREATE ?oslo\nSET PASSWORD mellon")
    play.run()
    play.clock.advance(days=31)
    play.judge.tidy()
    raw = [found.raw for each in range(1, 9) if (found := play.storage.inbound.find(each))]
    assert len(raw) >= 3
    assert not [each for each in raw if b"sesame" in each or b"mellon" in each]


def test_who_was_invited_is_known_to_be_there(open_house: Play) -> None:
    open_house.send("max", "CREATE ?rome")
    open_house.send("max", "SIGN ON rome\nINVITE zoe@people.example")
    open_house.run()
    answer = open_house.send("zoe", "JOIN rome")
    assert "You are in rome" in flat(answer)


@pytest.mark.parametrize("text", ["JOIN PRACTICE", "CREATE ?rome", "JOIN"])
def test_what_a_domain_vouches_for_is_done_at_once(play: Play, text: str) -> None:
    table, profile = play.judge.table, play.judge.profile
    play.judge = Judge(play.storage, play.clock, profile, table, verify=lambda *_: True)
    play.send("zoe", text)
    person(play)


@pytest.mark.parametrize("text", ["JOIN", "JOIN PRACTICE", "CREATE ?rome standard"])
def test_where_the_from_is_enough_it_is_done_at_once_and_told_in_two_kilobytes(
    open_house: Play, text: str
) -> None:
    answer = open_house.send("zoe", text)
    person(open_house)
    assert len(answer.raw) <= 2_000
    assert answer.contents("text/html") == []
    # Who has had it and answers has letters as everybody has.
    assert open_house.send("zoe", "HELP", answers=answer).contents("text/html")


@pytest.mark.parametrize(
    ("mail", "offer"),
    [("I would like to join a slow game", "JOIN"), ("Ich möchte mitspielen", "JOIN")],
)
def test_a_yes_to_the_first_letter_leads_to_what_was_wished_for(
    play: Play, mail: str, offer: str
) -> None:
    first = play.send("zoe", mail)
    play.mail("zoe", "YES", answers=first)
    (asks,) = [each for each in play.run() if each.to.startswith("zoe") and each != first]
    assert f": {offer}\n" in asks.text
    play.send("zoe", "YES", answers=asks)
    assert person(play).options.waits_for_game


@pytest.mark.parametrize("mail", ["unsubscribe", "RESIGN"])
def test_a_first_mail_ends_no_game_that_its_answer_began(play: Play, mail: str) -> None:
    first = play.send("zoe", mail)
    play.clock.advance(minutes=1)
    play.mail("zoe", "JOIN PRACTICE", answers=first)
    play.run()
    assert plays(play)


@pytest.mark.parametrize(
    "mail",
    [
        "I'd be happy to replace somebody who dropped out",
        "Please stop, I resign.",
        "Can I just watch a game without playing?",
    ],
)
def test_nobody_who_is_in_no_game_is_offered_what_is_about_one(play: Play, mail: str) -> None:
    proved(play, "zoe", "REGISTER")
    letter = play.send("zoe", mail)
    for word in ("RESIGN", "You take part in no game"):
        assert word not in letter.text, letter.text
    assert "JOIN PRACTICE" in letter.text
