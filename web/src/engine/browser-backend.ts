/** The backend of the static page: the engine in a worker, games in the browser's storage. */
import type { Backend } from '../api/backend';
import { BrowserDocuments } from '../api/documents';
import { Engine } from '../api/engine';
import { WorkerConnection } from './worker-connection';

export function createBackend(): Backend {
  return { engine: new Engine(new WorkerConnection()), documents: new BrowserDocuments(), hasWorkspace: false };
}
