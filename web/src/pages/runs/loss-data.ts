/** Curves on one axis of steps, as the chart wants them. */
import type { LossPoint } from '../../api/generated/messages';

/** Steps, training losses and validation losses; null where a curve has no point. */
export type ChartData = [number[], (number | null)[], (number | null)[]];

export function chartData(training: readonly LossPoint[], validation: readonly LossPoint[]): ChartData {
  const steps = [...new Set([...training, ...validation].map((point) => point.step))].sort((one, other) => one - other);
  const column = (points: readonly LossPoint[]) => {
    const byStep = new Map(points.map((point) => [point.step, point.loss]));
    return steps.map((step) => byStep.get(step) ?? null);
  };
  return [steps, column(training), column(validation)];
}
