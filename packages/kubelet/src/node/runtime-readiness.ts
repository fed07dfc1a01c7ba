/** What the runtime says of itself that keeps the node from being ready. */

/** As the CRI's `Status` lists them. */
export interface RuntimeCondition {
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

/** In the order in which the node tells of them. A runtime may have more conditions: those are for people. */
const deciding = [
  ['RuntimeReady', 'container runtime not ready'],
  ['NetworkReady', 'container runtime network not ready'],
] as const;

/** Why pods can't be run; empty when they can. A condition that is missing is as bad as one that is false. */
export const runtimeTroubles = (conditions: readonly RuntimeCondition[]): readonly string[] =>
  deciding.flatMap(([type, text]) => {
    const condition = conditions.find((each) => each.type === type);
    return condition?.status ? [] : [`${text}: ${conditionText(condition)}`];
  });

/** As the original prints one, and the lack of one. */
const conditionText = (condition: RuntimeCondition | undefined): string =>
  condition === undefined
    ? '<nil>'
    : `${condition.type}=${condition.status} reason:${condition.reason} message:${condition.message}`;
