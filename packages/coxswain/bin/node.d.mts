/** Older ones cannot run the sources. */
export const pinnedMajor: number;
export const nodeFlags: readonly string[];
/** The path of a Node that runs the sources. @throws Error that says what to do when there is none */
export function pinnedNode(): string;
