"""Prints `FEN;key` for positions of random games, keys by python-chess: python polyglot_keys.py COUNT SEED.

The en-passant square is given whenever a pawn has advanced two squares, as old FENs do.
"""

import random
import sys

import chess
import chess.polyglot

count, seed = int(sys.argv[1]), int(sys.argv[2])
generator = random.Random(seed)
board = chess.Board()
printed = 0
while printed < count:
    moves = list(board.legal_moves)
    if not moves or board.ply() > 160:
        board = chess.Board()
        continue
    # Pawns often move two squares and kings castle seldom enough: both are helped along.
    special = [move for move in moves if board.is_castling(move) or board.is_en_passant(move)]
    board.push(generator.choice(special if special and generator.random() < 0.5 else moves))
    if generator.random() < 0.3:
        print(f"{board.fen(en_passant='fen')};{chess.polyglot.zobrist_hash(board):016x}")
        printed += 1
