/** Runtime conditions that keep the node from being ready. */

/** As listed by the CRI's `Status`. */
export interface RuntimeCondition {
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

/** In the order in which the node reports them. Other conditions of a runtime are informational. */
const deciding = [
  ['RuntimeReady', 'container runtime not ready'],
  ['NetworkReady', 'container runtime network not ready'],
] as const;

/** Why pods can't run; empty if they can. A missing condition counts as false. */
export const runtimeTroubles = (conditions: readonly RuntimeCondition[]): readonly string[] =>
  deciding.flatMap(([type, text]) => {
    const condition = conditions.find((each) => each.type === type);
    return condition?.status ? [] : [`${text}: ${conditionText(condition)}`];
  });

/** Formatted as upstream does, also for a missing one. */
const conditionText = (condition: RuntimeCondition | undefined): string =>
  condition === undefined
    ? '<nil>'
    : `${condition.type}=${condition.status} reason:${condition.reason} message:${condition.message}`;
