/** A WebSocket that comes back by itself. */
import type { Connection, ConnectionListener } from './connection';
import type { Event as EngineEvent, Request as EngineRequest } from './generated/messages';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

export class SocketConnection implements Connection {
  private socket: WebSocket | undefined;
  private wait = FIRST_WAIT_MS;

  constructor(private readonly address: () => string) {}

  open(listener: ConnectionListener): void {
    const socket = new WebSocket(this.address());
    this.socket = socket;
    socket.onmessage = (message) => {
      if (typeof message.data !== 'string') return;
      const event = JSON.parse(message.data) as EngineEvent;
      listener.onEvent(event);
      if (event.kind === 'hello') {
        this.wait = FIRST_WAIT_MS;
        listener.onState('open');
      }
    };
    socket.onclose = () => {
      listener.onState('lost');
      setTimeout(() => this.open(listener), this.wait);
      this.wait = Math.min(LONGEST_WAIT_MS, this.wait * 2);
    };
  }

  send(request: EngineRequest): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(request));
  }
}
