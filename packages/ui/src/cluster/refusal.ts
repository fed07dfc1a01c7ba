/** Extracts what a server denied from its error message. */

export interface Refused {
  readonly as: string;
  readonly verb: string;
  /** `pods/log`, `deployments.apps/scale`, `/metrics` */
  readonly resource: string;
  readonly name: string | undefined;
  readonly namespace: string | undefined;
}

const refusal =
  /User "(?<as>[^"]+)" cannot (?<verb>\w+) (?:resource "(?<resource>[^"]+)" in API group "(?<group>[^"]*)"|path "(?<path>[^"]+)")(?: in the namespace "(?<namespace>[^"]+)")?/;
const named = / "(?<name>[^"]+)" is forbidden:/;

/** Parses a message as kubectl and other clients show it; undefined for any other text. */
export function refusedIn(message: string): Refused | undefined {
  const { as, verb, resource = '', group = '', path, namespace } = refusal.exec(message)?.groups ?? {};
  if (as === undefined || verb === undefined) return undefined;
  const [kind, ...sub] = resource.split('/');
  return {
    as,
    verb,
    resource: path ?? [group === '' ? kind : `${kind}.${group}`, ...sub].join('/'),
    name: named.exec(message)?.groups?.['name'],
    namespace,
  };
}
