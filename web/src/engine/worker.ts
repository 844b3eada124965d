/**
 * The worker in which the engine runs without a server: requests are put on its desk, and slices of work are done
 * between them, so that a stop is heard within one slice.
 */
import type { Event as EngineEvent, Request as EngineRequest } from '../api/generated/messages';
import load, { Desk } from './pkg/kiebitz_wasm.js';

const SLICE_MS = 40;

const waiting: EngineRequest[] = [];
const turn = new MessageChannel();
let desk: Desk | undefined;
let scheduled = false;

const tell = (events: string): void => {
  for (const event of JSON.parse(events) as EngineEvent[]) postMessage(event);
};

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  turn.port2.postMessage(null);
}

// A message to ourselves, unlike a timer, is not slowed down by the browser.
turn.port1.onmessage = () => {
  scheduled = false;
  if (!desk) return;
  for (let request = waiting.shift(); request; request = waiting.shift()) tell(desk.request(JSON.stringify(request)));
  if (desk.is_busy()) {
    tell(desk.step(SLICE_MS));
    schedule();
  }
};

onmessage = ({ data }: MessageEvent<EngineRequest>) => {
  waiting.push(data);
  schedule();
};

/** The networks that ship with the page; their addresses are known when the page is built. */
const networks = import.meta.glob<string>('../../../nets/*small*.net{,.gz}', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The bytes of a file, unpacked if they still are packed: some web servers unpack on the way, others do not. */
async function bytesOf(address: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(await (await fetch(new URL(address, import.meta.url))).arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

async function begin(): Promise<void> {
  await load();
  desk = new Desk();
  for (const [path, address] of Object.entries(networks)) {
    desk.load_network(path.replace(/^.*\/|\.net(\.gz)?$/g, ''), await bytesOf(address));
  }
  postMessage(JSON.parse(desk.hello()));
  schedule();
}

void begin();
