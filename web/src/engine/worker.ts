/**
 * The worker in which the engine runs without a server: requests are put on its desk, and slices of work are done
 * between them, so that a stop is heard within one slice.
 */
import type { Event as EngineEvent, Request as EngineRequest } from '../api/generated/messages';
import load, { Desk } from './pkg/kiebitz_wasm.js';
import program from './pkg/kiebitz_wasm_bg.wasm?url';

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

async function begin(): Promise<void> {
  await load({ module_or_path: new URL(program, import.meta.url) });
  desk = new Desk();
  postMessage(JSON.parse(desk.hello()));
  schedule();
}

// An error that is only rejected would stay in here; reported, the page hears of it.
begin().catch(reportError);
