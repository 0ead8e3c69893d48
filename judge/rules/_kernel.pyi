def movements(
    board: tuple[object, ...],
    width: int,
    units: object,
    orders: object,
    outcomes: object,
    after: object,
    attackers: object,
    odd: object,
) -> tuple[bytes, bytes]: ...
