"""Names of provinces and powers as people write them."""

from __future__ import annotations

import pytest

from judge import variants
from judge.language.misreadings import Fault, ReadError
from judge.language.names import Index, Names
from judge.language.read import read_order
from judge.language.vocabulary import listed
from judge.rules.board import Province, name_key
from judge.sentences import in_words

STANDARD = variants.load("standard")
NAMES = Names.of(STANDARD)

LOCATIONS = {
    "stp": "stp St.P. Saint_Petersburg st-petersburg ST._PETERSBURG Petersburg StPete",
    "stp/nc": "stp/nc StP(nc) stp_nc STP_NC StP_n.c. St._Petersburg_(north_coast) stp/north_coast",
    "stp/sc": "StP(sc) stp-sc St._Petersburg_(South_Coast) Stp_(S.C.) stp\\sc[sc]",
    "spa/nc": "Spain_(north_coast) spa(n) Spain/n Spain_north_coast Spain's_North_Coast",
    "spa/sc": "Spain_(S._Coast) spa/s",
    "bul/ec": "Bul_EC bul/east_coast Bulgaria_(East_Coast) bul(e.c.)",
    "bul/sc": "Bul_SC",
    "mid": "mid MAO mat Mid-Atlantic_Ocean mid_atl mid-atlantic Mid_Atlantic",
    "nat": "nat NAO North_Atlantic_Ocean N._Atl. north_atlantic",
    "nrg": "nrg NWG Norwegian_Sea Norw._Sea norwegian",
    "nth": "nth NTS North_Sea north_sea NorthSea",
    "gol": "gol LYO Gulf_of_Lyon gulf_of_Lyons Gulf_of_L. lyon",
    "tyn": "tyn TYS Tyrrhenian_Sea Tyrr",
    "bot": "bot GOB Both Gulf_of_Bothnia gulf_bothnia",
    "eas": "eas EMED Eastern_Mediterranean E._Med. east_med",
    "wes": "wes WMED W._Med Western_Med",
    "hel": "hel Helgoland_Bight heligoland",
    "eng": "eng ECH English_Channel Channel Engl",
    "iri": "iri IRS Irish_Sea",
    "lvp": "lvp LPL Liverpool",
    "lvn": "lvn lvo Livonia",
    "naf": "naf North_Africa N._Afr.",
    "nwy": "nwy Norway NORWAY",
    "tyr": "tyr Tyrolia tyrol TYL",
    "ska": "ska Skagerrak Skagerrack",
    "por": "por Port Portugal",
    "con": "Constantinopel Konstantinople Constantinpole",
    "swe": "Sweeden",
    "sev": "Sevastapol",
}


@pytest.mark.parametrize(
    ("text", "location"),
    [
        (text.replace("_", " "), location)
        for location, texts in LOCATIONS.items()
        for text in texts.split()
        if "[" not in text
    ],
)
def test_a_location_is_known_by_many_names(text: str, location: str) -> None:
    assert NAMES.location(text) == location
    assert NAMES.location(text.upper()) == location
    assert NAMES.location(f"  {text.lower()}. ") == location


@pytest.mark.parametrize("province", STANDARD.board.provinces.values(), ids=lambda p: p.id)
def test_every_name_of_a_province_leads_to_it(province: Province) -> None:
    for name in (province.id, province.name, *province.aliases):
        assert NAMES.location(name) == province.id
    for coast in province.coasts:
        assert NAMES.location(STANDARD.board.name(f"{province.id}/{coast}")) == (
            f"{province.id}/{coast}"
        )


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("nor", "naf nwy nat nrg nth"),
        ("Nor.", "naf nwy nat nrg nth"),
        ("north", "naf nat nth"),
        ("liv", "lvp lvn"),
        ("gulf", "bot gol"),
        ("gulf of", "bot gol"),
    ],
)
def test_an_ambiguous_name_is_refused_with_its_candidates(text: str, candidates: str) -> None:
    with pytest.raises(ReadError) as caught:
        NAMES.location(text)
    problem = caught.value.problem
    assert (problem.fault, problem.text) == (Fault.AMBIGUOUS_PROVINCE, text)
    assert set(problem.candidates) == set(candidates.split())
    for key in problem.candidates:
        assert f"{STANDARD.board.name(key)} ({key})" in in_words(problem, STANDARD)


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("Pra", "par pru"),
        ("Zur", "bur"),
        ("Zz", ""),
        ("Atlantic", "mid nat"),
        ("bul/nc", "bul/ec bul/sc"),
        ("Spain (west coast)", "spa/nc spa/sc"),
        ("par/sc", "par"),
        ("s", ""),
        ("-", ""),
        ("", ""),
    ],
)
def test_an_unknown_name_comes_with_those_like_it(text: str, candidates: str) -> None:
    with pytest.raises(ReadError) as caught:
        NAMES.location(text)
    assert caught.value.problem.fault in (Fault.UNKNOWN_PROVINCE, Fault.NO_SUCH_COAST)
    assert set(caught.value.problem.candidates) == set(candidates.split())


def test_a_slip_between_two_names_is_not_guessed() -> None:
    index = Index({"mor": ["Morava"], "mna": ["Morana"], "bos": ["Bosporus"]})
    assert index.guess("bosprus").ids == ("bos",)
    assert set(index.guess("moraga").ids) == {"mor", "mna"}
    assert index.guess("moravia").ids == ("mor", "mna"), "Morana is hardly farther away"
    assert index.guess("moscow").ids == ()
    assert index.guess("mora").ids == (), "a short word is too easily another one"


@pytest.mark.parametrize(
    ("text", "power"),
    [
        ("France", "France"),
        ("french", "France"),
        ("F", "France"),
        ("fra", "France"),
        ("Turk.", "Turkey"),
        ("Austro-Hungarian", "Austria"),
        ("Austria-Hungary", "Austria"),
        ("A", "Austria"),
        ("Germny", "Germany"),
        ("England's", "England"),
    ],
)
def test_a_power_is_known_by_many_names(text: str, power: str) -> None:
    assert NAMES.power(text) == power


@pytest.mark.parametrize("text", ["", "x", "Spain", "M", "xyz"])
def test_what_is_no_power_is_refused(text: str) -> None:
    with pytest.raises(ReadError) as caught:
        NAMES.power(text)
    assert caught.value.problem.fault is Fault.UNKNOWN_POWER


def test_names_are_compared_without_accents_and_marks() -> None:
    assert name_key("Côte d'Or") == name_key("cote-dor")
    assert name_key("ＭＡＯ") == "mao"


@pytest.mark.parametrize(("english", "called"), sorted(listed("provinces").items()))
def test_places_are_known_in_further_languages(english: str, called: list[str]) -> None:
    (there,) = (p for p in STANDARD.board.provinces.values() if p.name == english)
    for name in called:
        assert Names.of(STANDARD).location(name) == there.id
        found = read_order(f"F {name} - Nth", STANDARD, STANDARD.start_phase)
        assert str(found) == f"F {there.id} - nth"
