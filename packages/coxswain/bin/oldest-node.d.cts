/** What is published runs on it, and on all that are newer. */
export const oldestNode: string;
/** Why what is published can't run on this Node; undefined when it can. */
export function whyTooOld(version?: string): string | undefined;
