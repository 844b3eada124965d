"""Plays games with an engine through python-chess, which checks every move and every line that the engine tells.

usage: games.py ENGINE
"""

import random
import sys

import chess
import chess.engine

NODES = 300
LONGEST = 160

# Name, whether it is Chess960, options, the limit of every search.
GAMES = [
    ("nodes", False, {"Hash": 4}, chess.engine.Limit(nodes=NODES)),
    ("depth", False, {"Hash": 4}, chess.engine.Limit(depth=4)),
    ("clock", False, {"Hash": 4}, chess.engine.Limit(white_clock=1.0, black_clock=1.0, white_inc=0.01, black_inc=0.01)),
    ("several lines", False, {"Hash": 4}, chess.engine.Limit(depth=4)),
    ("two threads", False, {"Hash": 4, "Threads": 2}, chess.engine.Limit(nodes=NODES)),
    ("weak", False, {"Hash": 4, "UCI_LimitStrength": True, "UCI_Elo": 1200}, chess.engine.Limit(depth=6)),
    ("chances", False, {"Hash": 4, "UCI_ShowWDL": True}, chess.engine.Limit(nodes=NODES)),
    ("chess960", True, {"Hash": 4}, chess.engine.Limit(nodes=NODES)),
]


def check(condition, board, text):
    if not condition:
        raise SystemExit(f"{text} in {board.fen()}")


def check_report(board, info):
    """A report as python-chess has read it: its line is legal, its mate is a mate."""
    check("score" in info, board, "no score")
    line = info.get("pv", [])
    check(line, board, "no line")
    after = board.copy()
    for move in line:
        check(after.is_legal(move), board, f"{move} in the line {line} is not legal")
        after.push(move)
    mate = info["score"].relative.mate()
    if mate is not None and not info.get("lowerbound") and not info.get("upperbound"):
        plies = 2 * mate - 1 if mate > 0 else -2 * mate
        check(len(line) == plies and after.is_checkmate(), board, f"mate in {mate} is not shown to its end: {line}")


def play(engine, name, chess960, options, limit, chance):
    board = chess.Board.from_chess960_pos(chance.randrange(960)) if chess960 else chess.Board()
    for _ in range(6):
        board.push(chance.choice(list(board.legal_moves)))
    engine.configure(options)
    lines = 3 if name == "several lines" else None
    game = object()
    while not board.is_game_over(claim_draw=True) and len(board.move_stack) < LONGEST:
        if lines:
            infos = engine.analyse(board, limit, multipv=lines, game=game)
            check(len(infos) == min(lines, board.legal_moves.count()), board, f"{len(infos)} lines")
            for info in infos:
                check_report(board, info)
            check(len({info["pv"][0] for info in infos}) == len(infos), board, "the same move twice")
            move = infos[0]["pv"][0]
        else:
            result = engine.play(board, limit, game=game, info=chess.engine.INFO_ALL)
            move = result.move
            check(move is not None, board, "no move")
            check(board.is_legal(move), board, f"{move} is not legal")
            check_report(board, result.info)
            if name == "chances":
                check(sum(result.info["wdl"].relative) == 1000, board, "chances that do not sum to a thousand")
        board.push(move)
    return len(board.move_stack)


def main():
    plies = 0
    for number, (name, chess960, options, limit) in enumerate(GAMES):
        # python-chess raises on anything against the protocol.
        with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=60) as engine:
            plies += play(engine, name, chess960, options, limit, random.Random(number))
    print(f"python-chess played {len(GAMES)} games of {plies} plies and found nothing wrong")


main()
