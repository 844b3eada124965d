/** The game that is being played in this window, so that coming back to the page comes back to the game. */

const KEY = 'kiebitz.running-game';

export const runningGame = {
  get: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  set: (id: string): void => sessionStorage.setItem(KEY, id),
  forget: (): void => sessionStorage.removeItem(KEY),
};
