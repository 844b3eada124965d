/** What was proved about a network, in short. */
import type { NetworkCertificate } from '../../api/generated/messages';

export type ProvedStep = NetworkCertificate['steps'][number];

/** One step for all copies of a layer: the widest range of any of them, proved if all are. */
export function widest(steps: readonly ProvedStep[]): ProvedStep[] {
  const found = new Map<string, ProvedStep>();
  for (const step of steps) {
    const name = step.step.replace(/^bucket \d+, /, '');
    const known = found.get(name) ?? { ...step, step: name };
    found.set(name, {
      ...known,
      lowest: Math.min(known.lowest, step.lowest),
      highest: Math.max(known.highest, step.highest),
      limit: Math.min(known.limit, step.limit),
      proved: known.proved && step.proved,
    });
  }
  return [...found.values()];
}
