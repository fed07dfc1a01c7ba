/** Older ones cannot run the sources. */
export const pinnedMajor: number;
export const nodeFlags: readonly string[];
/** The path of a Node that runs the sources. @throws Error that says what to do when there is none */
export function pinnedNode(): string;
/** Runs the pinned Node with these arguments in place of this process, and ends it when this process ends, however. */
export function runOnPinnedNode(args: readonly string[], env?: NodeJS.ProcessEnv): void;
