import type * as authentication from '@coxswain/api/authentication/v1/index.ts';
import { StatusError, type Live } from '@coxswain/apimachinery';
import { command } from '../../command.ts';
import { printFlags } from '../../flags/print.ts';
import { alignTabs } from '../../printers/tab-writer.ts';

type UserInfo = Live<authentication.UserInfo>;

type SelfSubjectReview = Live<authentication.SelfSubjectReview>;

export const whoami = command({
  use: 'whoami',
  long: 'Show your user attributes as authenticated by the server: name, groups and extra fields.',
  example: `  # Who am I?
  kubectl auth whoami

  # In JSON
  kubectl auth whoami -o json`,
  disableFlagsInUseLine: true,
  flags: printFlags,
  async run({ context, flags }) {
    const client = await context.client();
    const print = flags.output === '' ? undefined : await context.printer(flags, { order: 'declared' });
    let review: SelfSubjectReview;
    try {
      review = await client.request<SelfSubjectReview>({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
        body: {
          kind: 'SelfSubjectReview',
          apiVersion: 'authentication.k8s.io/v1',
          metadata: {},
          status: { userInfo: {} },
        },
      });
    } catch (failure) {
      if (
        !(failure instanceof StatusError) ||
        (failure.reason !== 'Forbidden' && failure.reason !== 'NotFound')
      )
        throw failure;
      throw new Error(
        'the selfsubjectreviews API is not enabled in the cluster or you do not have permission to call it',
        { cause: failure },
      );
    }
    context.print(print === undefined ? table(review.status?.userInfo ?? {}) : print(review));
  },
});

function table({ username, uid, groups = [], extra = {} }: UserInfo): string {
  const rows: [string, string][] = [['ATTRIBUTE', 'VALUE']];
  if (username) rows.push(['Username', username]);
  if (uid) rows.push(['UID', uid]);
  if (groups.length > 0) rows.push(['Groups', `[${groups.join(' ')}]`]);
  for (const key of Object.keys(extra).sort())
    rows.push([`Extra: ${key}`, `[${(extra[key] ?? []).join(' ')}]`]);
  return alignTabs(rows.map((row) => `${row.join('\t')}\n`).join(''));
}
