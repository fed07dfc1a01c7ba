/** Abbreviates the common part of a path in a list of requests: `PATCH …/pods/web/status`. */
export const shortPath = (name: string): string =>
  name.replace(
    /^([A-Z]+ )\/(?:api|apis\/[^/]+)\/[^/]+\/(?:namespaces\/[^/?]+\/(?!(?:status|finalize)$))?/,
    '$1…/',
  );
