/** The way to an engine: a WebSocket to the server, or a worker in the browser. Both speak the same messages. */
import type { Event as EngineEvent, Request as EngineRequest } from './generated/messages';

/** How the way is right now. */
export type ConnectionState = 'connecting' | 'open' | 'lost';

/** Whom a connection tells. */
export interface ConnectionListener {
  onEvent(event: EngineEvent): void;
  onState(state: ConnectionState): void;
}

/** A way that requests go and events come. What is sent while it is not open is dropped: whoever asked asks again. */
export interface Connection {
  open(listener: ConnectionListener): void;
  send(request: EngineRequest): void;
}
