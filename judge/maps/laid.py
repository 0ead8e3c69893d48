"""What lies upon the board of a picture, laid out once for all who see the same."""

from __future__ import annotations

from collections import deque
from functools import cached_property

from judge.maps import svg
from judge.maps.arrows import DrawnPiece
from judge.maps.view import View, signs


class Laid:
    """What lies upon the board of a view, in one size of signs; most readers of a phase see it in
    one size."""

    def __init__(self, view: View, zoom: float) -> None:
        self.view, self.zoom = view, zoom
        self.painter = svg.painter_of(view, zoom=zoom)

    @cached_property
    def below(self) -> tuple[DrawnPiece, ...]:
        """What lies below names and units."""
        painter = self.painter
        return (
            *svg.crossings(painter.drawing),
            *svg.centers(painter.shown, painter),
            *svg.under(painter),
        )

    @cached_property
    def above(self) -> tuple[DrawnPiece, ...]:
        """The units, and what lies upon them."""
        painter = self.painter
        units = (svg.sign(each, painter) for each in signs(painter.shown))
        return (*units, *painter.above(), *svg.badges(painter))


_LAST: deque[Laid] = deque(maxlen=3)


def laid_on(view: View, zoom: float) -> Laid:
    """Return what lies upon the board of a view, signs `zoom` times as large as usual; for the same
    view and size it is made once, if not much has been drawn since."""
    for laid in _LAST:
        if laid.view is view and laid.zoom == zoom:
            return laid
    _LAST.append(Laid(view, zoom))
    return _LAST[-1]
