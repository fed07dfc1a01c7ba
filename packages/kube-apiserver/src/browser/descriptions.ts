/** What types and fields are for: nothing here; the build puts in what it has found out. */

/** By definition, then by member; the empty name is the definition's own. */
export const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
