"""Reads games that a match wrote and checks, with python-chess, that every one ended where and as the rules say.

Usage: python endings.py GAMES.pgn. Prints one line for every disagreement and, last, the number of games.
"""

import sys

import chess
import chess.pgn

WORDS = {
    "checkmate": lambda board: board.is_checkmate(),
    "draw by stalemate": lambda board: board.is_stalemate(),
    "draw by insufficient material": lambda board: board.is_insufficient_material(),
    "draw by the fifty-move rule": lambda board: board.halfmove_clock >= 100,
    "draw by threefold repetition": lambda board: board.is_repetition(3),
}


def is_over(board):
    return any(holds(board) for holds in WORDS.values())


def complaint(game):
    if game.errors:
        return f"python-chess complains: {game.errors}"
    board = game.board()
    moves = list(game.mainline())
    for node in moves:
        if is_over(board):
            return f"went on after {board.fen()}"
        board.push(node.move)
    last = " ".join((moves[-1] if moves else game).comment.split())
    words = [word for word in WORDS if word in last]
    termination = game.headers["Termination"]
    if termination == "normal":
        if len(words) != 1 or not WORDS[words[0]](board):
            return f"{last!r} is not how {board.fen()} ended"
        winner = None if words[0] != "checkmate" else not board.turn
        expected = {None: "1/2-1/2", chess.WHITE: "1-0", chess.BLACK: "0-1"}[winner]
        if game.headers["Result"] != expected:
            return f"{game.headers['Result']} instead of {expected}"
    elif words or is_over(board):
        return f"{termination} although the rules had ended it: {last!r} at {board.fen()}"
    if int(game.headers["PlyCount"]) != len(moves):
        return "PlyCount is wrong"
    for node in moves:
        if "[%eval" in node.comment and node.eval() is None:
            return f"python-chess cannot read the evaluation in {node.comment!r}"
        if "[%clk" in node.comment and node.clock() is None:
            return f"python-chess cannot read the clock in {node.comment!r}"
        if "[%emt" in node.comment and node.emt() is None:
            return f"python-chess cannot read the time in {node.comment!r}"
    return None


def main():
    count = 0
    with open(sys.argv[1], encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            count += 1
            found = complaint(game)
            if found:
                print(f"game {count}: {found}")
    print(count)


main()
