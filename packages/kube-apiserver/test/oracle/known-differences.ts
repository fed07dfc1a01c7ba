/** Recorded cases that this server answers otherwise, each with the reason. Everything else has to agree. */

export const knownDifferences: Readonly<Record<string, string>> = {};
