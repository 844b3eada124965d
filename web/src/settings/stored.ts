/** Small things that the browser keeps for the page. */

/** What was kept under a name, laid over defaults; a text that nobody can read counts as nothing. */
export function readStored<T extends object>(name: string, defaults: T): T {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? '{}');
    return kept && typeof kept === 'object' ? { ...defaults, ...kept } : { ...defaults };
  } catch {
    return { ...defaults };
  }
}

/** Keeps something under a name. */
export function store(name: string, value: object): void {
  localStorage.setItem(name, JSON.stringify(value));
}
