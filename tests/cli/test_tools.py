"""The commands that need no judge: adjudicate, orders, explain, variant."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from judge import variants
from judge.records.scoring import SYSTEMS
from tests.cli.conftest import Call

POSITION = {
    "id": 7,
    "phase": "S1901M",
    "units": {"France": ["A par", "A mar"], "Germany": ["A mun"]},
    "orders": {"France": ["A par - bur", "A mar S A par - bur"], "Germany": ["A mun - bur"]},
}


@pytest.fixture
def position(tmp_path: Path) -> str:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(POSITION))
    return str(path)


@pytest.fixture(autouse=True)
def _no_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_CONFIG", "/nowhere/judge.toml")


# judge adjudicate


def test_one_object_in_and_one_out(position: str, call: Call) -> None:
    result = call("adjudicate", position)
    answer = json.loads(result.output)
    assert (answer["id"], answer["next_phase"]) == (7, "F1901M")
    assert answer["results"]["Germany"][0]["reason"] == "bounced"
    assert result.output.startswith("{\n  ")


def test_an_object_from_standard_input(call: Call) -> None:
    assert json.loads(call("adjudicate", "-", input=json.dumps(POSITION)).output)["id"] == 7


def test_a_stream_goes_on_after_a_bad_line(call: Call) -> None:
    good = json.dumps(POSITION)
    bad = json.dumps({**POSITION, "phase": "X1901M"})
    result = call("adjudicate", "-", "--jsonl", input=f"{good}\nnonsense\n{bad}\n{good}\n")
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 1
    assert [answer.get("line") for answer in answers] == [None, 2, 3, None]
    assert "X1901M" in answers[2]["error"]
    assert answers[0] == answers[3]


def test_every_answer_of_a_stream_of_bots_has_an_id(call: Call) -> None:
    good = POSITION | {"power": "France", "level": "easy"}
    unknown = good | {"power": "Nobody"}
    lines = [good, {"power": "France"}, unknown, "nonsense"]
    sent = "\n".join(each if isinstance(each, str) else json.dumps(each) for each in lines)
    result = call("bot", "-", "--jsonl", input=sent)
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert [answer["id"] for answer in answers] == [7, None, 7, None]
    assert ["error" in answer for answer in answers] == [False, True, True, True]


def test_a_good_stream_ends_well(call: Call) -> None:
    good = json.dumps(POSITION)
    result = call("adjudicate", "-", "--jsonl", input=f"{good}\n{good}\n")
    assert result.exit_code == 0
    assert len(result.output.splitlines()) == 2


@pytest.mark.parametrize(
    ("text", "said"), [("{", "is not JSON"), ('{"phase": "nonsense"}', "phase"), ("[]", "Error")]
)
def test_what_is_no_position_is_one_error(text: str, said: str, call: Call) -> None:
    result = call("adjudicate", "-", input=text)
    assert result.exit_code == 1
    assert said in result.stderr
    assert result.stdout == ""


def test_a_file_that_is_not_there(call: Call) -> None:
    result = call("adjudicate", "/nowhere/position.json")
    assert result.exit_code == 2
    assert "No such file" in result.stderr


# judge score

ENDING = {"years": {"1900": {"France": 3, "Germany": 3}, "1901": {"France": 6, "Germany": 3}}}


def test_an_ending_is_scored(tmp_path: Path, call: Call) -> None:
    file = tmp_path / "ending.json"
    file.write_text(json.dumps(ENDING))
    answer = json.loads(call("score", str(file), "--system", "sum_of_squares").output)
    assert answer["scores"] == {"France": 80.0, "Germany": 20.0}
    refused = call("score", str(file))
    assert (refused.exit_code, refused.output) == (1, "Error: system: is missing\n")


def test_a_stream_of_endings_is_scored(call: Call) -> None:
    own = ENDING | {"id": 1, "system": "draw_size"}
    lines = "\n".join(map(json.dumps, (own, ENDING, {"id": 3}, own)))
    result = call("score", "-", "--jsonl", "--system", "sum_of_squares", input=lines)
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert result.exit_code == 1
    assert [answer["id"] for answer in answers] == [1, None, 3, 1]
    systems = [answer.get("system") for answer in answers]
    assert systems == ["draw_size", "sum_of_squares", None, "draw_size"]
    assert answers[2]["line"] == 3


def test_scoring_systems_are_listed_one_a_line(call: Call) -> None:
    lines = call("score", "--list").output.splitlines()
    assert [line.split()[0] for line in lines] == list(SYSTEMS)
    assert all(system.source in line for system, line in zip(SYSTEMS.values(), lines, strict=True))


@pytest.mark.parametrize("arguments", [(), ("-", "--list")])
def test_scoring_wants_a_file_or_the_list(arguments: tuple[str, ...], call: Call) -> None:
    assert call("score", *arguments).exit_code == 2


# judge orders, judge explain


def test_legal_orders(position: str, call: Call) -> None:
    legal = json.loads(call("orders", position, "--power", "france", "--json").output)
    assert list(legal) == ["A par", "A mar"]
    assert "A par - bur" in legal["A par"]
    page = call("orders", position, "--power", "F").output
    assert f"A par: {len(legal['A par'])}" in page
    assert "  A par - bur" in page


def test_an_unknown_power_is_refused(position: str, call: Call) -> None:
    result = call("orders", position, "--power", "Spain")
    assert result.exit_code == 1
    assert "Spain" in result.stderr


def test_an_order_is_explained(position: str, call: Call) -> None:
    page = call("explain", position, "--order", "par-bur").output
    assert "A par - bur succeeds" in page
    assert "support counts" in page


def test_an_order_that_no_terminal_can_show_is_explained(tmp_path: Path) -> None:
    # Half of a surrogate pair: JSON can name it, UTF-8 cannot hold it.
    path = tmp_path / "position.json"
    path.write_text(json.dumps(POSITION | {"orders": {"France": ["A par - \ud800"]}}))
    for arguments in (["explain", str(path), "--order", "par - bur"], ["adjudicate", str(path)]):
        said = subprocess.run(
            [sys.executable, "-m", "judge", *arguments], check=True, capture_output=True
        )
        assert rb"\ud800" in said.stdout or arguments[0] == "explain"


def test_an_order_that_was_not_given_cannot_be_explained(position: str, call: Call) -> None:
    result = call("explain", position, "--order", "A ber - kie")
    assert result.exit_code == 1
    assert "A ber - kie" in result.stderr


# judge variant


def test_variants_are_listed_one_a_line(call: Call) -> None:
    assert "standard" in call("variant", "list").output.splitlines()
    listed = call("variant", "list", "--sources").output
    for block in listed.split("\n\n")[:-1]:
        assert re.search(r"(?i)\bsources?\b", block), block
    assert re.search(r"loeb9\n(?: .*\n)+    Drawing: \S+loeb9\.json\n", listed)


def test_a_variant_is_shown(call: Call) -> None:
    page = call("variant", "show", "standard").output
    assert "75 provinces, 34 supply centers, 18 to win" in page
    facts = json.loads(call("variant", "show", "standard", "--json").output)
    assert len(facts["provinces"]) == 75
    assert facts["victory"] == 18


def test_an_unknown_variant_is_refused(call: Call) -> None:
    result = call("variant", "show", "standrd")
    assert result.exit_code == 1
    assert "standard" in result.stderr


def test_a_variant_file_is_checked(tmp_path: Path, call: Call) -> None:
    pure, good = (variants.directory() / f"{name}.toml" for name in ("pure", "standard"))
    assert "is a good variant" in call("variant", "check", str(pure)).output
    bad = tmp_path / "bad.toml"
    bad.write_text(
        good.read_text().replace("victory = 18", "victory = 99").replace('"Bohemia"', '"Burgundy"')
    )
    result = call("variant", "check", str(bad))
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) >= 3


def test_a_name_that_is_not_understood_in_orders_is_wrong(tmp_path: Path, call: Call) -> None:
    pure, bad = variants.directory() / "pure.toml", tmp_path / "bad.toml"
    bad.write_text(re.sub(r"\bpar\b", "s", pure.read_text()))
    result = call("variant", "check", str(bad))
    assert result.exit_code == 1
    assert "'ber - s' is refused" in result.stderr


# As a process


def run(*arguments: str) -> None:
    """Run a command in a process of its own."""
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True)


def test_adjudicate_loads_no_database_and_no_mail() -> None:
    code = (
        "import sys; from judge.cli import main; "
        "main(['variant', 'list'], standalone_mode=False); "
        "main(['adjudicate', '-', '--jsonl'], standalone_mode=False)"
    )
    code = f"import atexit, sys; atexit.register(lambda: print(sorted(sys.modules))); {code}"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(POSITION).encode(), capture_output=True, check=True,
    )  # fmt: skip
    loaded = done.stdout.decode().splitlines()[-1]
    assert "judge.interchange" in loaded
    for heavy in (
        *("peewee", "aiosmtpd", "jinja2", "judge.storage", "judge.bots"),
        *("apscheduler", "importlib.metadata", "email.message"),
    ):
        assert heavy not in loaded


def test_a_reader_who_stops_early_is_no_failure() -> None:
    command = [sys.executable, "-m", "judge", "variant", "show", "standard", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait() == 0
    assert errors == b""


# judge read

CORPUS = Path(__file__).parents[1] / "mail" / "corpus"
MAIL = b"From: ann@example.org\nSubject: hi\n\npar to burgundy pls\nA Mar S A Pra - Bur\nset wait\n"


def test_read_tells_each_line(position: str, tmp_path: Path, call: Call) -> None:
    mail = tmp_path / "mail.eml"
    mail.write_bytes(MAIL)
    found = json.loads(call("read", str(mail), "--game", position, "--power", "F", "--json").output)
    assert found["from"] == "ann@example.org"
    assert (found["answerable"], found["kind"], found["language"]) == (True, "message", "en")
    assert found["orders"] == {"France": ["A par - bur"]}
    assert found["commands"] == ["SET WAIT"]
    assert found["lines"][1] == {
        "line": "A Mar S A Pra - Bur",
        "kind": "unknown",
        "read": None,
        "problem": "no province is called Pra",
        "suggestion": "A mar S A par - bur",
        "suggestions": ["A mar S A par - bur"],
        "fate": "nothing",
        "question": None,
    }


@pytest.mark.parametrize("line", ["withdraw!", "please remove me"])
def test_read_asks_before_what_cannot_be_undone(line: str, call: Call) -> None:
    mail = f"From: ann@example.org\nSubject: hi\n\n{line}\n"
    (found,) = json.loads(call("read", "-", "--json", input=mail).output)["lines"]
    assert found["fate"] == "asked"
    assert found["question"].startswith("RESIGN: ")


def test_read_without_a_board_and_for_human_eyes(tmp_path: Path, call: Call) -> None:
    output = call("read", "-", input=MAIL.decode()).output
    assert "order    par to burgundy pls" in output
    assert "= par - bur" in output
    assert "! no province is called Pra" in output
    assert "? A mar S A par - bur" in output


def test_read_says_what_read_each_piece_and_what_is_left_over(call: Call) -> None:
    line = "if Germany moves, A Par - Bur and A Mar - Spa"
    mail = f"From: ann@example.org\n\nF Bre - Mao k\n{line}\nset wait\n"
    first, second, third, last = json.loads(
        call("read", "-", "--why", "--json", input=mail).output
    )["lines"]
    assert first["left_over"] == ["k"]
    assert [each["piece"] for each in first["why"]] == ["order"]
    assert second["why"] == third["why"]
    assert [each["piece"] for each in second["why"]] == [
        *("condition", "name", "verb", "mark", "order", "join", "order")
    ]
    pieces = "".join(each["text"] for each in second["why"])
    assert pieces.replace(" ", "") == line.replace(" ", "")
    assert last["why"] == [{"text": "set wait", "piece": "command", "rule": "SET WAIT"}]
    shown = call("read", "-", "--why", input=mail).output
    assert "left over: k" in shown
    assert re.search(rf"\b{line.index('A Mar')}-{len(line)} +order +Move +A Mar - Spa\n", shown)
    plain = call("read", "-", "--json", input=mail).output
    assert '"why"' not in plain


def test_read_cuts_quotes_by_the_messages_that_are_answered(tmp_path: Path, call: Call) -> None:
    says = "For example, in this phase:\n\n  A par - bur   Army Paris moves there\n  A mar H\n"
    letter, other = tmp_path / "letter.eml", tmp_path / "other.eml"
    subject = "JUDGE:paris - S1901M Press from Germany to France"
    letter.write_text(f"Message-ID: <7@judge.example>\nSubject: {subject}\n\n{says}")
    other.write_text(f"Message-ID: <8@judge.example>\nSubject: JUDGE:paris - Start\n\n{says}")

    def read(named: str, *more: str) -> dict[str, Any]:
        quote = says.replace("A mar H", "A mar - spa")
        mail = f"From: ann@example.org\nIn-Reply-To: {named}\n\nHello\nF bre - mid\n\n{quote}"
        return dict(json.loads(call("read", "-", "--json", *more, input=mail).output))

    both = ("--answering", str(letter), "--answering", str(other))
    assert read("<8@judge.example>", *both)["orders"] == {"null": ["A mar - spa", "F bre - mid"]}
    assert read("<8@judge.example>", *both)["press"] == []
    assert read("<7@judge.example>", *both)["press"] == [
        {"to": ["Germany"], "colour": "white", "text": "Hello"}
    ]
    assert "For example" in read("<9@judge.example>")["text"]


def test_read_reads_the_writers_language(call: Call) -> None:
    def commands(*more: str) -> object:
        mail = "From: ann@example.org\n\nWARTEN\n"
        return json.loads(call("read", "-", "--json", *more, input=mail).output)["commands"]

    assert commands("--language", "de") == commands() == ["SET WAIT"]
    assert commands("--language", "fr") == []


def test_read_says_what_is_wrong_with_its_arguments(position: str, call: Call) -> None:
    result = call("read", "-", "--game", position, "--power", "Sweden", input=MAIL.decode())
    assert result.exit_code == 1
    assert "Sweden" in result.stderr
