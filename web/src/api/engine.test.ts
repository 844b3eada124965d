import { describe, expect, it } from 'vitest';
import type { Connection, ConnectionListener } from './connection';
import { Engine, EngineFault, Stopped } from './engine';
import type { Request as EngineRequest } from './generated/messages';

/** A connection whose other end is the test. */
class Wire implements Connection {
  sent: EngineRequest[] = [];
  listener!: ConnectionListener;
  open(listener: ConnectionListener) {
    this.listener = listener;
  }
  send(request: EngineRequest) {
    this.sent.push(request);
  }
}

const set = () => {
  const wire = new Wire();
  return { wire, engine: new Engine(wire) };
};

const line = { start: '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1', moves: [] };

describe('the engine', () => {
  it('asks once the way is open, and again after it broke', async () => {
    const { wire, engine } = set();
    const opponents = engine.opponents();
    expect(wire.sent).toEqual([]);
    wire.listener.onState('open');
    wire.listener.onState('lost');
    wire.listener.onState('open');
    expect(wire.sent.map((request) => request.kind)).toEqual(['opponents', 'opponents']);
    wire.listener.onEvent({ kind: 'opponents', id: 1, opponents: [] });
    expect(await opponents).toEqual([]);
    wire.listener.onState('open');
    expect(wire.sent).toHaveLength(2);
  });

  it('turns faults into errors with their sentence', async () => {
    const { wire, engine } = set();
    wire.listener.onState('open');
    const why = engine.why({ line, played: null, opponent: 'nobody' });
    wire.listener.onEvent({
      kind: 'fault',
      id: 1,
      fault: { code: 'missing', message: 'There is no nobody.', field: null },
    });
    await expect(why).rejects.toThrowError('There is no nobody.');
    await expect(why).rejects.toBeInstanceOf(EngineFault);
  });

  it('says stop when a signal says so, and hears no more', async () => {
    const { wire, engine } = set();
    wire.listener.onState('open');
    const abort = new AbortController();
    const thought = engine.think({ line, opponent: 'a', elo: null, clock: null, time_ms: 10 }, abort.signal);
    abort.abort();
    await expect(thought).rejects.toBeInstanceOf(Stopped);
    expect(wire.sent.at(-1)).toEqual({ kind: 'stop', id: 1 });
    wire.listener.onEvent({ kind: 'stopped', id: 1 });
  });

  it('keeps a watch through a break', () => {
    const { wire, engine } = set();
    wire.listener.onState('open');
    const seen: string[] = [];
    const watch = engine.watch(
      { kind: 'runs' },
      (listing) => seen.push(listing.kind),
      () => {},
    );
    wire.listener.onEvent({ kind: 'listing', id: 1, listing: { kind: 'runs', runs: [] } });
    wire.listener.onState('lost');
    wire.listener.onState('open');
    wire.listener.onEvent({ kind: 'listing', id: 1, listing: { kind: 'runs', runs: [] } });
    expect(seen).toEqual(['runs', 'runs']);
    watch.stop();
    expect(wire.sent.at(-1)).toEqual({ kind: 'stop', id: 1 });
  });
});
