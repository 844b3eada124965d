/** The engine in a worker of this browser; it never gets lost. */
import type { Connection, ConnectionListener } from '../api/connection';
import type { Event as EngineEvent, Request as EngineRequest } from '../api/generated/messages';

export class WorkerConnection implements Connection {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });

  open(listener: ConnectionListener): void {
    this.worker.onmessage = ({ data }: MessageEvent<EngineEvent>) => {
      listener.onEvent(data);
      if (data.kind === 'hello') listener.onState('open');
    };
    this.worker.onerror = () => listener.onState('lost');
  }

  send(request: EngineRequest): void {
    this.worker.postMessage(request);
  }
}
