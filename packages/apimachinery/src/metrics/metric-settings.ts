/** The metrics and label values that an operator enables: `--disabled-metrics`, `--allow-metric-labels`. */

export interface MetricSettings {
  readonly disabled: ReadonlySet<string>;
  /** The allowed values by metric and label; others become `unexpected`. */
  readonly allowedValues: ReadonlyMap<string, ReadonlySet<string>>;
}

export const everyMetric: MetricSettings = { disabled: new Set(), allowedValues: new Map() };

export const labelKey = (metric: string, label: string): string => `${metric},${label}`;

/** Replaces disallowed label values. */
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
