/** Where the boxes of a network's diagram stand. */
import type { NetworkDiagram } from '../../api/generated/messages';
import { grouped } from '../../chess/notation';

export const WIDTH = 760;
export const HEIGHT = 216;

const MIDDLE = 92;
const BOX_WIDTH = 72;
const MARGIN = 12;

export interface Box {
  key: string;
  x: number;
  y: number;
  width: number;
  height: number;
  count: string;
  kind: 'input' | 'accumulator' | 'layer' | 'output';
}

export interface Drawing {
  boxes: Box[];
  edges: { path: string; shortcut: boolean }[];
  labels: { key: string; x: number; y: number; text: string; kind: 'name' | 'note' }[];
  /** All of it in words. */
  words: string;
}

/** Heights grow with the logarithm of the count: 8 and 40 960 fit beside each other. */
const heightOf = (count: number): number => Math.min(170, 26 + 10.5 * Math.log2(Math.max(1, count)));

export function drawnBoxes(diagram: NetworkDiagram): Drawing {
  const { layers, views } = diagram;
  const columns = layers.length + 1;
  const pitch = (WIDTH - 2 * MARGIN - BOX_WIDTH) / Math.max(1, columns - 1);
  const left = (column: number) => MARGIN + column * pitch;
  const boxes: Box[] = [];
  const labels: Drawing['labels'] = [];
  const groups: Box[][] = [];

  /** One column: as many boxes as there are views, above each other. */
  const column = (index: number, count: number, copies: number, kind: Box['kind'], text: string) => {
    const height = heightOf(count) / (copies > 1 ? 2.15 : 1);
    const group = Array.from({ length: copies }, (_, copy): Box => {
      const y = copies > 1 ? MIDDLE + (copy === 0 ? -height - 5 : 5) : MIDDLE - height / 2;
      return { key: `${index}-${copy}`, x: left(index), y, width: BOX_WIDTH, height, count: text, kind };
    });
    boxes.push(...group);
    groups.push(group);
  };

  const label = (index: number, name: string, note: string) => {
    const x = left(index) + BOX_WIDTH / 2;
    labels.push({ key: `name-${index}`, x, y: HEIGHT - 22, text: name, kind: 'name' });
    labels.push({ key: `note-${index}`, x, y: HEIGHT - 6, text: note, kind: 'note' });
  };

  column(0, diagram.features, views, 'input', grouped(diagram.features));
  label(0, 'features', diagram.inputs_name ?? '');
  layers.forEach((layer, index) => {
    const last = index === layers.length - 1;
    const kind = index === 0 ? 'accumulator' : last ? 'output' : 'layer';
    column(index + 1, layer.outputs, index === 0 ? views : 1, kind, grouped(layer.outputs));
    label(index + 1, layer.name, diagram.buckets > 1 && index > 0 ? `${diagram.buckets} copies` : '');
  });

  const edges: Drawing['edges'] = [];
  groups.slice(1).forEach((group, index) => {
    const before = groups[index] ?? [];
    // Views do not mix before the accumulators are read together.
    const pairs =
      group.length === before.length ? group.map((box, at) => [before[at], box]) : before.map((box) => [box, group[0]]);
    for (const [from, to] of pairs) {
      if (from && to) edges.push({ path: band(from, to), shortcut: false });
    }
  });
  if (diagram.shortcut) {
    const [first, final] = [groups[0]?.[0], groups.at(-1)?.[0]];
    if (first && final) {
      const path = `M${first.x + BOX_WIDTH / 2} ${first.y}C${first.x + 90} -12 ${final.x - 20} -12 ${final.x + BOX_WIDTH / 2} ${final.y}`;
      edges.push({ path, shortcut: true });
    }
  }
  const words = [
    `${views === 2 ? 'Two views of ' : ''}${diagram.features} features`,
    ...layers.map((layer) => `${layer.name} of ${layer.outputs}`),
  ].join(', then ');
  return { boxes, edges, labels, words };
}

/** A band from the whole right side of a box to the whole left side of the next. */
function band(from: Box, to: Box): string {
  const [x1, x2] = [from.x + from.width, to.x];
  return `M${x1} ${from.y}L${x2} ${to.y}L${x2} ${to.y + to.height}L${x1} ${from.y + from.height}Z`;
}
