/** `coxswain rbac minimal --from-audit audit.log`: prints the roles that the recorded requests need, as YAML. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { writeYaml } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { bool, noArgs, string } from '@coxswain/cobra';
import { minimalRoles, type SeenRequest } from '../../access/minimal-roles.ts';
import { roleObjects } from '../../access/role-objects.ts';
import { accessCommand } from '../access-flags.ts';

export const minimal = accessCommand({
  use: 'minimal --from-audit FILE',
  short: 'Print the smallest roles that allow the requests in an audit log',
  long: 'Reads an audit log (JSON lines, as written by --audit-log-path) and prints, for each user, the smallest Role or\nClusterRole that would have allowed their requests, with bindings, ready for kubectl apply.',
  example:
    '  coxswain rbac minimal --from-audit audit.log --user=system:serviceaccount:shop:web\n  coxswain rbac minimal --from-audit - --by-name < audit.log\n  coxswain rbac minimal --from-audit audit.log --user=system:serviceaccount:shop:operator --all-namespaces --role-name=operator',
  args: noArgs,
  flags: {
    fromAudit: string({ required: true, usage: 'The audit log, or - for standard input.' }),
    user: string({ usage: 'Consider only the requests of this user.' }),
    byName: bool({ usage: 'Restrict rules to the names of the objects that were accessed.' }),
    allNamespaces: bool({
      usage: 'Allow in every namespace what was done in one, as operators of all namespaces need.',
    }),
    ownNamespace: bool({
      usage:
        'With --all-namespaces, leave in the namespace of a service account what it did only there, such as its lease.',
    }),
    roleName: string({
      usage: 'The name of the roles of --user, instead of one made of the name of the user.',
    }),
    withRefused: bool({ usage: 'Also cover requests that were denied.' }),
  },
  async run({ context: io, flags }) {
    if (flags.roleName !== '' && flags.user === '') throw new Error('--role-name needs --user');
    if (flags.ownNamespace && !flags.allNamespaces) throw new Error('--own-namespace needs --all-namespaces');
    const input = flags.fromAudit === '-' ? io.input : createReadStream(flags.fromAudit);
    const needs = minimalRoles(await requestsIn(input, flags.fromAudit), {
      ...(flags.user === '' ? {} : { user: flags.user }),
      byName: flags.byName,
      allNamespaces: flags.allNamespaces,
      ownNamespace: flags.ownNamespace,
      withRefused: flags.withRefused,
    });
    if (needs.length === 0) throw new Error(`no requests in ${flags.fromAudit} need a role`);
    io.out.write(
      roleObjects(needs, flags.roleName || undefined)
        .map(writeYaml)
        .join('---\n'),
    );
  },
});

/** @throws Error naming the line that is not an event */
async function requestsIn(input: Readable, file: string): Promise<readonly SeenRequest[]> {
  const requests: SeenRequest[] = [];
  let number = 0;
  for await (const line of createInterface({ input })) {
    number++;
    if (line.trim() === '') continue;
    try {
      requests.push(JSON.parse(line) as SeenRequest);
    } catch (failure) {
      throw new Error(`${file}, line ${number}: ${messageOf(failure)}`, { cause: failure });
    }
  }
  return requests;
}
