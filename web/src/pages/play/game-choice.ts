/** What a person chooses before a game. */
import type { ClockSetting, Opponent, Player } from '../../api/generated/messages';
import { chess960Fen } from '../../chess/chess960';
import { readPgn } from '../../chess/pgn';
import { type Color, INITIAL_FEN, positionOf, type Read, readFen } from '../../chess/position';

/** A game that can begin. */
export interface GameChoice {
  white: Player;
  black: Player;
  clock: ClockSetting | null;
  start: string;
  /** Moves that were made before, in UCI. */
  moves: string[];
}

export const SIDES = ['white', 'black', 'random', 'watch', 'both'] as const;
export const STARTS = ['standard', 'chess960', 'fen', 'pgn'] as const;

/** The form as it is filled in. */
export interface ChoiceForm {
  opponent: string;
  /** The opponent of the opponent, when one only watches. */
  second: string;
  fullStrength: boolean;
  elo: number;
  side: (typeof SIDES)[number];
  clock: string;
  minutes: number;
  increment: number;
  start: (typeof STARTS)[number];
  fen: string;
  /** A game to play on from after its last move. */
  pgn: string;
  number960: number;
}

/** Clocks by name: minutes and seconds for each move. */
export const CLOCKS: Record<string, [number, number] | null> = {
  none: null,
  '3+2': [3, 2],
  '5+3': [5, 3],
  '10+5': [10, 5],
  '15+10': [15, 10],
};

export const DEFAULT_FORM: ChoiceForm = {
  opponent: '',
  second: '',
  fullStrength: false,
  elo: 1500,
  side: 'white',
  clock: 'none',
  minutes: 5,
  increment: 3,
  start: 'standard',
  fen: '',
  pgn: '',
  number960: 518,
};

const engine = (opponent: string, elo: number | null): Player => ({ kind: 'engine', opponent, elo });
const human: Player = { kind: 'human', name: '' };

/** Where a game begins: a position and the moves that led on from it. */
interface Beginning {
  start: string;
  moves: string[];
  /** The position after the moves. */
  fen: string;
}

/** The position that a form begins with and the side that one sits on, for the board beside it; nothing while it is unclear. */
export function previewOf(form: ChoiceForm): { fen: string; below: Color } | undefined {
  const fen = startOf(form).value?.fen;
  return fen === undefined ? undefined : { fen, below: form.side === 'black' ? 'black' : 'white' };
}

/** The game that a form describes; the error belongs to the field of the position. */
export function choose(form: ChoiceForm, opponents: readonly Opponent[], chance = Math.random()): Read<GameChoice> {
  const beginning = startOf(form);
  if (beginning.value === undefined) return { error: beginning.error };
  const { start, moves, fen } = beginning.value;
  if (positionOf(fen).isEnd()) return { error: 'The game is already over in this position.' };
  const known = opponents.find(({ id }) => id === form.opponent);
  const opponent = engine(form.opponent, form.fullStrength || !known?.elo_range ? null : form.elo);
  const side = form.side === 'random' ? (chance < 0.5 ? 'white' : 'black') : form.side;
  const secondEngine = engine(form.second || form.opponent, opponent.kind === 'engine' ? opponent.elo : null);
  const [white, black] = {
    white: [human, opponent],
    black: [opponent, human],
    watch: [opponent, secondEngine],
    both: [human, human],
  }[side] as [Player, Player];
  return { value: { white, black, clock: clockOf(form), start, moves } };
}

function startOf(form: ChoiceForm): Read<Beginning> {
  const at = (start: string): Read<Beginning> => ({ value: { start, moves: [], fen: start } });
  if (form.start === 'standard') return at(INITIAL_FEN);
  if (form.start === 'chess960') {
    return Number.isInteger(form.number960) && form.number960 >= 0 && form.number960 < 960
      ? at(chess960Fen(form.number960))
      : { error: 'The arrangements are numbered from 0 to 959.' };
  }
  if (form.start === 'fen') {
    const read = readFen(form.fen);
    return read.value === undefined ? { error: read.error } : at(form.fen.trim());
  }
  const read = readPgn(form.pgn);
  if (read.value === undefined) return { error: read.error };
  const { tree } = read.value;
  const line = tree.lineAfter();
  return {
    value: { start: tree.root.fen, moves: line.map(({ uci }) => uci), fen: line.at(-1)?.fen ?? tree.root.fen },
  };
}

function clockOf(form: ChoiceForm): ClockSetting | null {
  const times: [number, number] | null =
    form.clock === 'own' ? [form.minutes, form.increment] : (CLOCKS[form.clock] ?? null);
  if (!times) return null;
  return {
    initial_ms: Math.round(Math.max(0.1, times[0]) * 60_000),
    increment_ms: Math.round(Math.max(0, times[1]) * 1000),
  };
}
