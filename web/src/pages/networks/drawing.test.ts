import { describe, expect, it } from 'vitest';
import type { NetworkDiagram } from '../../api/generated/messages';
import { drawnBoxes, HEIGHT, WIDTH } from './drawing';

const layer = (name: string, inputs: number, outputs: number) => ({
  name,
  inputs,
  outputs,
  activation: '',
  parameters: 0,
});
const halfkp: NetworkDiagram = {
  inputs: 'half(king_square * piece_square)',
  inputs_name: 'halfkp',
  features: 40960,
  max_active: 30,
  views: 2,
  buckets: 1,
  shortcut: true,
  layers: [
    layer('accumulator', 40960, 256),
    layer('layer 1', 512, 32),
    layer('layer 2', 32, 32),
    layer('output', 32, 1),
  ],
  parameters: 1,
};

describe('the diagram of a network', () => {
  it('draws two views that meet in the first layer, inside the picture', () => {
    const { boxes, edges, words } = drawnBoxes(halfkp);
    expect(boxes.map((box) => box.kind)).toEqual([
      'input',
      'input',
      'accumulator',
      'accumulator',
      'layer',
      'layer',
      'output',
    ]);
    expect(edges.filter((edge) => !edge.shortcut)).toHaveLength(6);
    expect(edges.filter((edge) => edge.shortcut)).toHaveLength(1);
    for (const box of boxes) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(WIDTH);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(HEIGHT - 34);
    }
    expect(words).toContain('40960 features, then accumulator of 256');
  });

  it('draws one view, and no layers at all', () => {
    expect(drawnBoxes({ ...halfkp, views: 1, shortcut: false }).edges).toHaveLength(4);
    expect(drawnBoxes({ ...halfkp, layers: [], shortcut: false }).boxes).toHaveLength(2);
  });
});
