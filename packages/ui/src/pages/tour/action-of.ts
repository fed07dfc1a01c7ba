/**
 * The action that a command asks of the server, as far as its words show, so that missing permission can be reported
 * before it runs.
 */

import type { ApiResource } from '@coxswain/client';
import type { Action } from '../../cluster/permissions.ts';

const core = (resource: string) => ({ group: '', resource });

/** Commands that always concern the same resource. */
const fixed: Readonly<Record<string, Pick<Action, 'verb' | 'resource' | 'subresource'>>> = {
  run: { verb: 'create', resource: core('pods') },
  expose: { verb: 'create', resource: core('services') },
  exec: { verb: 'create', resource: core('pods'), subresource: 'exec' },
};

/** Commands whose next word is a resource. */
const verbs: Readonly<Record<string, string>> = {
  create: 'create',
  get: 'list',
  delete: 'delete',
  wait: 'watch',
};

/** Undefined if the words do not show it; the server's response will. */
export function actionOf(
  line: string,
  namespace: string,
  resources: readonly ApiResource[],
): Action | undefined {
  const [, command = '', ...rest] = line.split(' ');
  const known = fixed[command];
  if (known !== undefined) return { ...known, namespace };
  const verb = verbs[command];
  const word = rest.find((one) => !one.startsWith('-'))?.split(/[,/]/, 1)[0];
  if (verb === undefined || word === undefined || rest.includes('--raw')) return undefined;
  const resource = resources.find(
    ({ resource, singular, shortNames }) =>
      resource === word || singular === word || shortNames.includes(word),
  );
  if (resource === undefined) return undefined;
  const at = rest.indexOf('-n');
  const where = at < 0 ? namespace : rest[at + 1];
  return { verb, resource, ...(resource.namespaced && { namespace: where }) };
}
