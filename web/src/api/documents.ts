/** Games that are kept: by the server, or by the browser where there is none. */
import { EngineFault } from './engine';
import type { Fault, GameDocument, GameSummary } from './generated/messages';

/** A place for games. A document without an id gets one when it is saved. */
export interface Documents {
  list(): Promise<GameSummary[]>;
  load(id: string): Promise<GameDocument>;
  save(game: GameDocument): Promise<GameDocument>;
  remove(id: string): Promise<void>;
}

/** The server cannot be reached at the moment. */
export class Unreachable extends Error {
  constructor() {
    super('The server does not answer.');
  }
}

/** Games in the server's workspace folder. */
export class ServerDocuments implements Documents {
  constructor(private readonly root: string) {}

  list(): Promise<GameSummary[]> {
    return this.call('GET', '');
  }

  load(id: string): Promise<GameDocument> {
    return this.call('GET', `/${encodeURIComponent(id)}`);
  }

  save(game: GameDocument): Promise<GameDocument> {
    return game.id ? this.call('PUT', `/${encodeURIComponent(game.id)}`, game) : this.call('POST', '', game);
  }

  remove(id: string): Promise<void> {
    return this.call('DELETE', `/${encodeURIComponent(id)}`);
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    let answer: Response;
    try {
      answer = await fetch(`${this.root}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
    } catch {
      throw new Unreachable();
    }
    if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as T;
    const fault = (await answer.json().catch(() => undefined)) as Fault | undefined;
    if (fault?.message) throw new EngineFault(fault);
    throw new Unreachable();
  }
}

const PREFIX = 'kiebitz.game.';

/** Games in the browser's own storage, for the page without a server. */
export class BrowserDocuments implements Documents {
  constructor(private readonly storage: Storage = localStorage) {}

  async list(): Promise<GameSummary[]> {
    const games = Object.keys(this.storage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => JSON.parse(this.storage.getItem(key) ?? '{}') as GameDocument);
    return games.map(summaryOf).sort((one, other) => other.changed_ms - one.changed_ms);
  }

  async load(id: string): Promise<GameDocument> {
    const text = this.storage.getItem(PREFIX + id);
    if (text === null) {
      throw new EngineFault({ code: 'missing', message: `This browser keeps no game ${id}.`, field: null });
    }
    return JSON.parse(text) as GameDocument;
  }

  async save(game: GameDocument): Promise<GameDocument> {
    const now = Date.now();
    const id = game.id || `${now.toString(36)}-${Math.floor(Math.random() * 1e6).toString(36)}`;
    const saved = { ...game, id, revision: game.revision + 1, created_ms: game.created_ms || now, changed_ms: now };
    this.storage.setItem(PREFIX + id, JSON.stringify(saved));
    return saved;
  }

  async remove(id: string): Promise<void> {
    this.storage.removeItem(PREFIX + id);
  }
}

function summaryOf(game: GameDocument): GameSummary {
  let plies = 0;
  for (let at = game.nodes.findIndex((node) => node.parent === null); at >= 0; plies++) {
    at = game.nodes.findIndex((node) => node.parent === at);
  }
  return {
    id: game.id,
    changed_ms: game.changed_ms,
    white: game.white,
    black: game.black,
    plies,
    result: game.result,
    fen: game.start,
  };
}
