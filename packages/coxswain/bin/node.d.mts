/** Older ones cannot run what is here. */
export const pinnedMajor: number;
export const nodeFlags: readonly string[];
/** The path of a Node that is new enough. @throws Error that says what to do when there is none */
export function pinnedNode(): string;
