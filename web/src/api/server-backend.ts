/** The backend of a page that `kiebitz-lab serve` delivers. */
import type { Backend } from './backend';
import { ServerDocuments } from './documents';
import { Engine } from './engine';
import { SocketConnection } from './socket-connection';

export function createBackend(): Backend {
  const address = () => new URL('/api/session', location.href).href.replace(/^http/, 'ws');
  return {
    engine: new Engine(new SocketConnection(address)),
    documents: new ServerDocuments('/api/games'),
    hasWorkspace: true,
  };
}
