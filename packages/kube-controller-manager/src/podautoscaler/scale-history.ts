/** Past recommendations and scaling of one autoscaler, which limit further scaling. */
import type { ScalingRules } from './autoscaler.ts';

interface Recommendation {
  readonly replicas: number;
  readonly atMs: number;
}

interface Change {
  readonly by: number;
  readonly atMs: number;
}

export interface Bounds {
  readonly currentReplicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

export interface Normalized {
  readonly replicas: number;
  /** Whether recent recommendations limit it. */
  readonly ableToScale: { readonly reason: string; readonly message: string };
  readonly scalingLimited: { readonly status: boolean; readonly reason: string; readonly message: string };
}

const ready = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
const withinRange = {
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
};
const tooMany = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const tooFew = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const tooFastUp = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const tooFastDown = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};
const downStabilized = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const upStabilized = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};

/** Without rules, scaling up is limited to this factor, or to this number if that is larger. */
const scaleUpFactor = 2;
const scaleUpMin = 4;

export class ScaleHistory {
  #recommendations: Recommendation[] = [];
  #ups: Change[] = [];
  #downs: Change[] = [];

  /** Records the initial size when the autoscaler is first seen. */
  begin(replicas: number, nowMs: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ replicas, atMs: nowMs });
  }

  changed(
    from: number,
    to: number,
    rules: { readonly up: ScalingRules; readonly down: ScalingRules },
    nowMs: number,
  ): void {
    if (to > from) {
      this.#ups = [...withinPeriod(this.#ups, rules.up, nowMs), { by: to - from, atMs: nowMs }];
    } else {
      this.#downs = [...withinPeriod(this.#downs, rules.down, nowMs), { by: from - to, atMs: nowMs }];
    }
  }

  /** Without rules of its own: scales down slowly, and up by doubling at most. */
  normalizeByDefault(desired: number, bounds: Bounds, windowMs: number, nowMs: number): Normalized {
    const recent = this.#recommendations.filter(({ atMs }) => atMs >= nowMs - windowMs);
    const stabilized = Math.max(desired, ...recent.map(({ replicas }) => replicas));
    this.#recommendations = [...recent, { replicas: desired, atMs: nowMs }];
    const { currentReplicas, minReplicas, maxReplicas } = bounds;
    const upLimit = Math.max(scaleUpFactor * currentReplicas, scaleUpMin);
    const most = Math.min(maxReplicas, upLimit);
    const limited: Limited =
      stabilized < minReplicas
        ? { replicas: minReplicas, ...tooFew }
        : stabilized > most
          ? { replicas: most, ...(maxReplicas > upLimit ? tooFastUp : tooMany) }
          : { replicas: stabilized, ...withinRange };
    return normalized(desired, stabilized, limited, downStabilized);
  }

  normalizeByRules(
    desired: number,
    bounds: Bounds,
    { up, down }: { readonly up: ScalingRules; readonly down: ScalingRules },
    nowMs: number,
  ): Normalized {
    const { currentReplicas } = bounds;
    const stabilized = this.#stabilize(desired, currentReplicas, up, down, nowMs);
    const limited = this.#limit(stabilized, bounds, { up, down }, nowMs);
    return normalized(
      desired,
      stabilized,
      limited,
      desired >= currentReplicas ? upStabilized : downStabilized,
    );
  }

  #stabilize(desired: number, current: number, up: ScalingRules, down: ScalingRules, nowMs: number): number {
    const upFromMs = nowMs - (up.stabilizationWindowSeconds ?? 0) * 1000;
    const downFromMs = nowMs - (down.stabilizationWindowSeconds ?? 0) * 1000;
    const since = (fromMs: number) =>
      this.#recommendations.filter(({ atMs }) => atMs > fromMs).map(({ replicas }) => replicas);
    const lowest = Math.min(desired, ...since(upFromMs));
    const highest = Math.max(desired, ...since(downFromMs));
    this.#recommendations = [
      ...this.#recommendations.filter(({ atMs }) => atMs >= Math.min(upFromMs, downFromMs)),
      { replicas: desired, atMs: nowMs },
    ];
    return Math.min(Math.max(current, lowest), highest);
  }

  #limit(
    desired: number,
    { currentReplicas, minReplicas, maxReplicas }: Bounds,
    { up, down }: { readonly up: ScalingRules; readonly down: ScalingRules },
    nowMs: number,
  ): Limited {
    if (desired > currentReplicas) {
      const limit = Math.max(currentReplicas, this.#upLimit(currentReplicas, up, nowMs));
      const most = Math.min(maxReplicas, limit);
      if (desired > most) return { replicas: most, ...(maxReplicas > limit ? tooFastUp : tooMany) };
    }
    if (desired < currentReplicas) {
      const limit = Math.min(currentReplicas, this.#downLimit(currentReplicas, down, nowMs));
      const fewest = Math.max(minReplicas, limit);
      if (desired < fewest) return { replicas: fewest, ...(minReplicas < limit ? tooFastDown : tooFew) };
    }
    return { replicas: desired, ...withinRange };
  }

  #upLimit(current: number, rules: ScalingRules, nowMs: number): number {
    if (rules.selectPolicy === 'Disabled') return current;
    const proposals = (rules.policies ?? []).map(({ type, value, periodSeconds }) => {
      const before = this.#atPeriodStart(current, periodSeconds, nowMs);
      return type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100));
    });
    return rules.selectPolicy === 'Min' ? Math.min(...proposals) : Math.max(...proposals);
  }

  #downLimit(current: number, rules: ScalingRules, nowMs: number): number {
    if (rules.selectPolicy === 'Disabled') return current;
    const proposals = (rules.policies ?? []).map(({ type, value, periodSeconds }) => {
      const before = this.#atPeriodStart(current, periodSeconds, nowMs);
      return type === 'Pods' ? before - value : Math.trunc(before * (1 - value / 100));
    });
    // The smallest change leaves the most replicas.
    return rules.selectPolicy === 'Min' ? Math.max(...proposals) : Math.min(...proposals);
  }

  #atPeriodStart(current: number, periodSeconds: number, nowMs: number): number {
    const fromMs = nowMs - periodSeconds * 1000;
    const sum = (changes: readonly Change[]) =>
      changes.filter(({ atMs }) => atMs > fromMs).reduce((all, { by }) => all + by, 0);
    return current - sum(this.#ups) + sum(this.#downs);
  }
}

const normalized = (
  desired: number,
  stabilized: number,
  { replicas, reason, message }: Limited,
  held: { readonly reason: string; readonly message: string },
): Normalized => ({
  replicas,
  ableToScale: stabilized === desired ? ready : held,
  scalingLimited: { status: replicas !== stabilized, reason, message },
});

function withinPeriod(changes: readonly Change[], { policies }: ScalingRules, nowMs: number): Change[] {
  const longestMs = Math.max(0, ...(policies ?? []).map(({ periodSeconds }) => periodSeconds)) * 1000;
  return changes.filter(({ atMs }) => atMs >= nowMs - longestMs);
}
