/** Which metrics an operator wants, and with which label values: `--disabled-metrics`, `--allow-metric-labels`. */

export interface MetricSettings {
  readonly disabled: ReadonlySet<string>;
  /** By metric and label, the values that are told; others are `unexpected`. */
  readonly allowedValues: ReadonlyMap<string, ReadonlySet<string>>;
}

export const everyMetric: MetricSettings = { disabled: new Set(), allowedValues: new Map() };

export const labelKey = (metric: string, label: string): string => `${metric},${label}`;

/** Labels as they are told. */
export function allowedLabels(
  { allowedValues }: MetricSettings,
  metric: string,
  labels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (allowedValues.size === 0) return labels;
  return Object.fromEntries(
    Object.entries(labels).map(([label, value]) => {
      const allowed = allowedValues.get(labelKey(metric, label));
      return [label, allowed === undefined || allowed.has(value) ? value : 'unexpected'] as const;
    }),
  );
}
