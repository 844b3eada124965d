/**
 * The engine as functions: every request becomes a promise or a stream of updates.
 *
 * Invariant: what is asked is answered once the way is open, however often it breaks in between; every request says all
 * there is to know, so asking again is always right.
 */
import { ref, shallowRef } from 'vue';
import type { Connection, ConnectionState } from './connection';
import type {
  AnalysisEnd,
  AnalysisUpdate,
  Event as EngineEvent,
  Fault,
  Inspection,
  Listing,
  MoveExplanation,
  NeuronWeights,
  Opponent,
  Request as EngineRequest,
  Review,
  ServerStatus,
  Topic,
} from './generated/messages';

/** A request without its number. */
type Unnumbered<R> = R extends { id: number } ? Omit<R, 'id'> : never;
export type Ask = Unnumbered<EngineRequest>;
type AskOf<K extends EngineRequest['kind']> = Omit<Extract<EngineRequest, { kind: K }>, 'id' | 'kind'>;
type EventOf<K extends EngineEvent['kind']> = Extract<EngineEvent, { kind: K }>;

/** What the engine refused, with its sentence for people. */
export class EngineFault extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
  }
}

/** Somebody stopped it before it had an answer. */
export class Stopped extends Error {
  constructor() {
    super('stopped');
  }
}

/** Something that goes on until it is stopped. */
export interface Running {
  stop(): void;
}

interface Pending {
  request: EngineRequest;
  onEvent(event: EngineEvent): 'done' | 'more';
  onFault(fault: Fault): void;
}

export class Engine {
  readonly state = ref<ConnectionState>('connecting');
  readonly status = shallowRef<ServerStatus>();
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;

  constructor(private readonly connection: Connection) {
    connection.open({ onEvent: (event) => this.receive(event), onState: (state) => this.changed(state) });
  }

  opponents(): Promise<Opponent[]> {
    return this.one({ kind: 'opponents' }, 'opponents').promise.then((event) => event.opponents);
  }

  analyse(
    ask: AskOf<'analyse'>,
    on: {
      update(update: AnalysisUpdate): void;
      ended(end: AnalysisEnd): void;
      waiting(ahead: number): void;
      fault(fault: Fault): void;
    },
  ): Running {
    return this.start(
      { kind: 'analyse', ...ask },
      (event) => {
        if (event.kind === 'analysis') on.update(event.update);
        else if (event.kind === 'waiting') on.waiting(event.ahead);
        else if (event.kind === 'analysis_ended') {
          on.ended(event.end);
          return 'done';
        }
        return 'more';
      },
      on.fault,
    );
  }

  think(ask: AskOf<'think'>, signal?: AbortSignal): Promise<EventOf<'thought'>> {
    return this.until({ kind: 'think', ...ask }, 'thought', signal);
  }

  offerDraw(ask: AskOf<'offer_draw'>): Promise<EventOf<'draw_answer'>> {
    return this.until({ kind: 'offer_draw', ...ask }, 'draw_answer');
  }

  inspect(ask: AskOf<'inspect'>, signal?: AbortSignal): Promise<Inspection> {
    return this.until({ kind: 'inspect', ...ask }, 'inspection', signal).then((event) => event.inspection);
  }

  neuron(ask: AskOf<'neuron'>, signal?: AbortSignal): Promise<NeuronWeights> {
    return this.until({ kind: 'neuron', ...ask }, 'neuron', signal).then((event) => event.weights);
  }

  why(ask: AskOf<'why'>, signal?: AbortSignal): Promise<MoveExplanation> {
    return this.until({ kind: 'why', ...ask }, 'explanation', signal).then((event) => event.explanation);
  }

  review(
    ask: AskOf<'review'>,
    progress: (event: EventOf<'review_progress'>) => void,
    signal?: AbortSignal,
  ): Promise<Review> {
    return this.until({ kind: 'review', ...ask }, 'review', signal, (event) => {
      if (event.kind === 'review_progress') progress(event);
    }).then((event) => event.review);
  }

  watch(topic: Topic, changed: (listing: Listing) => void, fault: (fault: Fault) => void): Running {
    return this.start(
      { kind: 'watch', topic },
      (event) => {
        if (event.kind === 'listing') changed(event.listing);
        return 'more';
      },
      fault,
    );
  }

  /** A request with one answer, which a signal can stop. */
  private until<K extends EngineEvent['kind']>(
    ask: Ask,
    kind: K,
    signal?: AbortSignal,
    other?: (event: EngineEvent) => void,
  ): Promise<EventOf<K>> {
    const { promise, stop } = this.one(ask, kind, other);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    return promise;
  }

  private one<K extends EngineEvent['kind']>(ask: Ask, kind: K, other?: (event: EngineEvent) => void) {
    let stop = () => {};
    const promise = new Promise<EventOf<K>>((resolve, reject) => {
      const running = this.start(
        ask,
        (event) => {
          if (event.kind === kind) resolve(event as EventOf<K>);
          else if (event.kind === 'stopped') reject(new Stopped());
          else {
            other?.(event);
            return 'more';
          }
          return 'done';
        },
        (fault) => reject(new EngineFault(fault)),
      );
      stop = () => {
        running.stop();
        reject(new Stopped());
      };
    });
    return { promise, stop };
  }

  private start(ask: Ask, onEvent: Pending['onEvent'], onFault: (fault: Fault) => void): Running {
    const request = { ...ask, id: this.nextId++ } as EngineRequest;
    this.pending.set(request.id, { request, onEvent, onFault });
    if (this.state.value === 'open') this.connection.send(request);
    return {
      stop: () => {
        if (this.pending.delete(request.id) && this.state.value === 'open') {
          this.connection.send({ kind: 'stop', id: request.id });
        }
      },
    };
  }

  private changed(state: ConnectionState): void {
    this.state.value = state;
    if (state !== 'open') return;
    for (const { request } of this.pending.values()) this.connection.send(request);
  }

  private receive(event: EngineEvent): void {
    if (event.kind === 'hello') {
      this.status.value = event.status;
      return;
    }
    if (event.id === null) return;
    const pending = this.pending.get(event.id);
    if (!pending) return;
    if (event.kind === 'fault') {
      this.pending.delete(event.id);
      pending.onFault(event.fault);
    } else if (pending.onEvent(event) === 'done') {
      this.pending.delete(event.id);
    }
  }
}
