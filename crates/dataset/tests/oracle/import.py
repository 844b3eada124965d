"""What python-chess reads in games: one line a game, MOVE CLOCK EVALUATION for every move.

The move is in coordinates, the clock in hundredths of a second, the evaluation that of the position after the move
from White's view, in centipawns or as #MOVES; - where there is none.

Usage: python import.py < games.pgn
"""

import logging
import sys

import chess.engine
import chess.pgn


def clock(node) -> str:
    seconds = node.clock()
    return "-" if seconds is None else str(int(seconds * 1000 + 0.5) // 10)


def evaluation(node) -> str:
    score = node.eval()
    if score is None:
        return "-"
    white = score.white()
    return f"#{white.mate()}" if white.is_mate() else str(white.score())


def main() -> None:
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    while (game := chess.pgn.read_game(sys.stdin)) is not None:
        if game.errors:
            print("broken")
            continue
        words = [f"{node.move.uci()} {clock(node)} {evaluation(node)}" for node in game.mainline()]
        print(" ".join(words))


main()
