/** What stands behind the page: an engine and a place for games. */
import { BrowserDocuments, type Documents, ServerDocuments } from './documents';
import { Engine } from './engine';
import { SocketConnection } from './socket-connection';

export interface Backend {
  engine: Engine;
  documents: Documents;
  /** Whether networks, runs and matches can be listed. */
  hasWorkspace: boolean;
}

function serverBackend(): Backend {
  const address = () => new URL('/api/session', location.href).href.replace(/^http/, 'ws');
  return {
    engine: new Engine(new SocketConnection(address)),
    documents: new ServerDocuments('/api/games'),
    hasWorkspace: true,
  };
}

async function browserBackend(): Promise<Backend> {
  const { WorkerConnection } = await import('../engine/worker-connection');
  return { engine: new Engine(new WorkerConnection()), documents: new BrowserDocuments(), hasWorkspace: false };
}

/** The one backend of this page; which one was decided when the page was built. */
export const backend: Backend = import.meta.env.MODE === 'static' ? await browserBackend() : serverBackend();
