/** Recorded cases with different responses of this server, each with the reason. All others must agree. */

export const knownDifferences: Readonly<Record<string, string>> = {};
