/** What a person chose about the look and sound of the page; kept in this browser. */
import { reactive, ref, watch } from 'vue';

export const THEMES = ['system', 'light', 'dark'] as const;
export const BOARDS = ['meadow', 'wood', 'slate', 'print'] as const;
export const PIECES = ['classic', 'kiebitz', 'letters'] as const;

export interface Settings {
  theme: (typeof THEMES)[number];
  board: (typeof BOARDS)[number];
  pieces: (typeof PIECES)[number];
  sounds: boolean;
  coordinates: boolean;
  figurines: boolean;
}

const KEY = 'kiebitz.settings';

const DEFAULTS: Settings = {
  theme: 'system',
  board: 'meadow',
  pieces: 'classic',
  sounds: false,
  coordinates: true,
  figurines: true,
};

/** Settings from a stored text; whatever is missing or unknown falls back to the default. */
export function readSettings(text: string | null): Settings {
  let stored: Partial<Settings> = {};
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    if (parsed && typeof parsed === 'object') stored = parsed;
  } catch {
    // A text that somebody else wrote is no reason not to start.
  }
  const one = <T extends string>(choices: readonly T[], value: unknown, fallback: T): T =>
    choices.find((choice) => choice === value) ?? fallback;
  const flag = (value: unknown, fallback: boolean) => (typeof value === 'boolean' ? value : fallback);
  return {
    theme: one(THEMES, stored.theme, DEFAULTS.theme),
    board: one(BOARDS, stored.board, DEFAULTS.board),
    pieces: one(PIECES, stored.pieces, DEFAULTS.pieces),
    sounds: flag(stored.sounds, DEFAULTS.sounds),
    coordinates: flag(stored.coordinates, DEFAULTS.coordinates),
    figurines: flag(stored.figurines, DEFAULTS.figurines),
  };
}

export const settings: Settings = reactive({ ...DEFAULTS });

/** The theme that is shown, whoever chose it; pictures on a canvas follow it. */
export const shownTheme = ref<'light' | 'dark'>('light');

/** Loads the settings and keeps document and storage in step with them. */
export function useSettings(): void {
  Object.assign(settings, readSettings(localStorage.getItem(KEY)));
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const dark = settings.theme === 'dark' || (settings.theme === 'system' && systemDark.matches);
    const root = document.documentElement;
    shownTheme.value = dark ? 'dark' : 'light';
    root.dataset['theme'] = shownTheme.value;
    root.dataset['board'] = settings.board;
    root.dataset['pieces'] = settings.pieces;
    void showPieces(settings.pieces);
  };
  systemDark.addEventListener('change', apply);
  watch(
    settings,
    () => {
      localStorage.setItem(KEY, JSON.stringify(settings));
      apply();
    },
    { immediate: true },
  );
}

/** Each set is loaded when it is first chosen. */
async function showPieces(set: Settings['pieces']): Promise<void> {
  if (set === 'classic') await import('../pieces/classic');
  else (await import('../pieces/drawn')).install(set);
}
