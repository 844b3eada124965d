/** What stands behind the page: an engine and a place for games. */
import { createBackend } from '@backend';
import type { Documents } from './documents';
import type { Engine } from './engine';

export interface Backend {
  engine: Engine;
  documents: Documents;
  /** Whether networks, runs and matches can be listed. */
  hasWorkspace: boolean;
}

/** The one backend of this page. The build decides which: `@backend` is a server's or the browser's own. */
export const backend: Backend = createBackend();
