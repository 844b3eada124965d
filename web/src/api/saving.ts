/**
 * Saving a document that keeps changing: one save at a time, the newest state last, again when the server is back.
 */
import { type Documents, Unreachable } from './documents';
import { EngineFault } from './engine';
import type { GameDocument } from './generated/messages';

/** How the latest state stands. */
export type SaveState = 'saved' | 'saving' | 'unsaved' | 'conflict' | 'refused';

export class Saver {
  private wanted: GameDocument | undefined;
  private busy = false;

  constructor(
    private readonly documents: Documents,
    private readonly onState: (state: SaveState, saved?: GameDocument, message?: string) => void,
  ) {}

  /** Wants a state to be kept; an older one that was not yet on its way is forgotten. */
  save(document: GameDocument): void {
    this.wanted = document;
    void this.work();
  }

  /** Tries again what could not be saved. */
  retry(): void {
    void this.work();
  }

  private async work(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.wanted) {
        const document = this.wanted;
        this.onState('saving');
        const saved = await this.put(document);
        if (this.wanted === document) this.wanted = undefined;
        // What was wanted meanwhile builds on what was just saved.
        else this.wanted = { ...this.wanted, id: saved.id, revision: saved.revision, created_ms: saved.created_ms };
        this.onState('saved', saved);
      }
    } catch (error) {
      if (error instanceof Unreachable) this.onState('unsaved');
      else if (error instanceof EngineFault) {
        this.wanted = undefined;
        this.onState(error.fault.code === 'conflict' ? 'conflict' : 'refused', undefined, error.message);
      } else throw error;
    } finally {
      this.busy = false;
    }
  }

  /** A save whose answer got lost may have been done: then the kept game is ours already, one revision on. */
  private async put(document: GameDocument): Promise<GameDocument> {
    try {
      return await this.documents.save(document);
    } catch (error) {
      if (!(error instanceof EngineFault) || error.fault.code !== 'conflict') throw error;
      const kept = await this.documents.load(document.id);
      if (!isPartOf(kept, document)) throw error;
      return this.documents.save({ ...document, revision: kept.revision });
    }
  }
}

/** Whether all moves of a kept game are in ours too, so that saving ours loses nothing. */
function isPartOf(kept: GameDocument, ours: GameDocument): boolean {
  const moves = (game: GameDocument) => game.nodes.map((node) => `${node.parent} ${node.uci}`);
  const own = new Set(moves(ours));
  return kept.start === ours.start && moves(kept).every((move) => own.has(move));
}
