/** `coxswain why-denied delete pods --as alice`: shows which permission is missing. */
import { rangeArgs, string, stringArray } from '@coxswain/cobra';
import { accessQuestion } from '@coxswain/apiserver/authorization/rbac/explain/access-question.ts';
import {
  serverAnswer,
  userOf,
  whoAmI,
} from '@coxswain/apiserver/authorization/rbac/explain/server-answer.ts';
import { readPolicyObjects } from '@coxswain/apiserver/authorization/rbac/explain/policy-objects.ts';
import {
  explainAccess,
  renderExplanation,
} from '@coxswain/apiserver/authorization/rbac/explain/why-denied.ts';
import { accessCommand, connectionFlags, withCluster } from './access-flags.ts';

export const whyDenied = accessCommand({
  use: 'why-denied VERB RESOURCE [NAME]',
  short: 'Explain why a user is denied access, and which rule would grant it',
  long: 'Asks the server whether a user may perform an action and explains the answer: which roles and bindings apply to the\nuser, which rules nearly match, and which rule would grant access.',
  example:
    '  coxswain why-denied delete pods --as alice -n shop\n  coxswain why-denied get secrets db --as system:serviceaccount:shop:web -n shop',
  args: rangeArgs(2, 3),
  flags: {
    ...connectionFlags,
    as: string({ usage: 'The user to check. Defaults to yourself.' }),
    asGroup: stringArray({ usage: 'A group of the user. Can be repeated.' }),
  },
  run: ({ context: io, args: [verb = '', what = '', name = ''], flags }) =>
    withCluster(io, flags, async ({ client, mapper, namespace }) => {
      const question = accessQuestion({ verb, what, name, namespace }, mapper);
      const user = flags.as === '' ? await whoAmI(client) : userOf(flags.as, flags.asGroup);
      const answer = await serverAnswer(client, question, user);
      const explanation = explainAccess(question, user, await readPolicyObjects(client));
      io.out.write(renderExplanation(question, user, answer, explanation));
    }),
});
