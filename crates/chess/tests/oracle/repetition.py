"""What python-chess says of repetitions and of the fifty-move rule, ply by ply.

Reads PGN games from standard input, plays them, then plays seeded shuffling games of its own in which positions
come back with and without castling rights and en-passant chances. Writes

    game NAME
    start FEN
    ply UCI COUNT CLOCK FLAGS

for every game and ply: the move (castling as king takes rook), how often the position after it has stood on the
board, the halfmove clock, and what holds there as letters: c checkmate, s stalemate, i insufficient material,
5 fivefold repetition, 7 seventy-five moves, 3 threefold repetition, f fifty moves; - for none.

Usage: python repetition.py RECORDED_GAMES SHUFFLING_GAMES SEED < games.pgn
"""

import io
import logging
import random
import sys

import chess
import chess.pgn

SHUFFLED_PLIES = 170

# Positions where shuffling loses rights on the way, or begins with an en-passant chance.
SHUFFLED_STARTS = [
    chess.STARTING_FEN,
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 10",
    "rn2k1nr/8/8/8/8/8/8/RN2K1NR w KQkq - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "rk3r1n/pppppppp/8/8/8/8/PPPPPPPP/RK3R1N w FAfa - 0 1",
    # A legal en-passant capture, which makes the first occurrence another position than the later ones.
    "4k1n1/8/8/3pP3/8/8/8/4K1N1 w - d6 0 10",
    "r3k2r/8/8/8/3pP3/8/8/R3K2R b KQkq e3 0 10",
    # The same, but the capture would expose the king: the square does not count.
    "4k1n1/8/8/K2pP2r/8/8/8/6N1 w - d6 0 10",
    "6n1/8/8/8/k2Pp2R/8/8/4K1N1 b - d3 0 10",
    # No pawn beside: the square does not count either.
    "4k1n1/8/8/3p4/8/8/4P3/4K1N1 w - d6 0 10",
    # Close to fifty and to seventy-five moves.
    "4k2r/8/8/8/8/8/8/R3K3 w Qk - 60 90",
    "4k1n1/8/8/8/8/8/4P3/4K1N1 w - - 95 120",
]


def occurrences(board: chess.Board) -> int:
    count = 1
    while board.is_repetition(count + 1):
        count += 1
    return count


def flags(board: chess.Board) -> str:
    holds = [
        ("c", board.is_checkmate()),
        ("s", board.is_stalemate()),
        ("i", board.is_insufficient_material()),
        ("5", board.is_fivefold_repetition()),
        ("7", board.is_seventyfive_moves()),
        ("3", board.is_repetition(3)),
        ("f", board.is_fifty_moves()),
    ]
    return "".join(letter for letter, true in holds if true) or "-"


def write_ply(board: chess.Board, move: chess.Move, out: io.TextIOBase) -> None:
    uci = board.uci(move, chess960=True)
    board.push(move)
    out.write(f"ply {uci} {occurrences(board)} {board.halfmove_clock} {flags(board)}\n")


def write_start(name: str, board: chess.Board, out: io.TextIOBase) -> None:
    out.write(f"game {name}\nstart {board.shredder_fen(en_passant='fen')}\n")


def recorded_games(limit: int, out: io.TextIOBase) -> None:
    written = 0
    while written < limit:
        game = chess.pgn.read_game(sys.stdin)
        if game is None:
            break
        try:
            board = game.board()
        except ValueError:
            continue
        if type(board) is not chess.Board or game.errors:
            continue
        written += 1
        write_start(f"recorded-{written}", board, out)
        for move in game.mainline_moves():
            if not move:
                break  # a pass, which is no move of chess
            write_ply(board, move, out)


def shuffling_move(board: chess.Board, previous: list, chance: random.Random):
    """A reversible move if there is one; often the last own move backwards, so that positions come back."""
    if len(previous) >= 2 and chance.random() < 0.6:
        last = previous[-2]
        back = chess.Move(last.to_square, last.from_square)
        if not last.promotion and back in board.legal_moves and not board.is_castling(back):
            return back
    moves = sorted(board.legal_moves, key=lambda move: move.uci())
    quiet = [move for move in moves if not board.is_zeroing(move)]
    if quiet and chance.random() < 0.98:
        return chance.choice(quiet)
    return chance.choice(moves) if moves else None


def shuffling_games(count: int, seed: int, out: io.TextIOBase) -> None:
    chance = random.Random(seed)
    for number in range(count):
        fen = SHUFFLED_STARTS[number % len(SHUFFLED_STARTS)]
        board = chess.Board(fen, chess960=True)
        write_start(f"shuffled-{number}", board, out)
        previous: list = []
        for _ in range(SHUFFLED_PLIES):
            move = shuffling_move(board, previous, chance)
            if move is None:
                break
            previous.append(move)
            write_ply(board, move, out)


def main() -> None:
    recorded, shuffled, seed = (int(argument) for argument in sys.argv[1:4])
    # Games with errors are left out; what is wrong with them is not asked here.
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    sys.stdin.reconfigure(encoding="utf-8-sig", errors="replace")
    recorded_games(recorded, sys.stdout)
    shuffling_games(shuffled, seed, sys.stdout)


main()
