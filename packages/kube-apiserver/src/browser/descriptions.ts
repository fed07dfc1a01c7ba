/** The descriptions of types and fields: empty here, filled in by the build. */

/** By definition, then by member; the empty name is for the definition itself. */
export const descriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
