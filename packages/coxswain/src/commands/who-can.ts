/** `coxswain who-can delete pods`: lists all subjects that some binding allows to do it. */
import { bool, rangeArgs } from '@coxswain/cobra';
import {
  accessQuestion,
  questionText,
} from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import { readPolicyObjects } from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';
import { renderWhoCan, whoCan } from '@coxswain/apiserver/authorization/rbac/explain/who-can.ts';
import { accessCommand, connectionFlags, withCluster } from './access-flags.ts';

export const whoCanCommand = accessCommand({
  use: 'who-can VERB RESOURCE [NAME]',
  short: 'List who is allowed to perform an action, and through which binding',
  long: 'Prints the users, groups and service accounts that RBAC allows to perform an action, with the binding and role that\ngrant it. Works with any Kubernetes API server. Access granted by other authorizers is not shown.',
  example:
    '  coxswain who-can delete pods -n shop\n  coxswain who-can get secrets db-password -n shop\n  coxswain who-can create pods/exec\n  coxswain who-can get /metrics',
  args: rangeArgs(2, 3),
  flags: {
    ...connectionFlags,
    allNamespaces: bool({
      shorthand: 'A',
      usage: 'Check access to all namespaces: show only cluster-wide grants.',
    }),
    json: bool({ usage: 'Print JSON.' }),
  },
  run: ({ context: io, args: [verb = '', what = '', name = ''], flags }) =>
    withCluster(io, flags, async ({ client, mapper, namespace }) => {
      const asked = { verb, what, name, namespace: flags.allNamespaces ? '' : namespace };
      const question = accessQuestion(asked, mapper);
      const permitted = whoCan(question, await readPolicyObjects(client));
      io.out.write(
        flags.json
          ? `${JSON.stringify(permitted, undefined, 2)}\n`
          : renderWhoCan(questionText(question), permitted),
      );
    }),
});
