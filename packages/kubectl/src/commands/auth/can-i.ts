import { bool, string } from '@coxswain/cobra';
import { command } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { ExitError, NoResourceMatch } from '../../errors.ts';
import { allNamespacesFlag } from '../../flags/object-flags.ts';
import { rulesTable, type RulesReview } from '../../rbac/rules.ts';

const resourceVerbs = [
  '*',
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'use',
  'bind',
  'impersonate',
  'escalate',
  'approve',
  'sign',
  'attest',
];
const urlVerbs = ['*', 'get', 'put', 'post', 'head', 'options', 'delete', 'patch'];

export const canI = command({
  use: 'can-i VERB [TYPE | TYPE/NAME | NONRESOURCEURL]',
  long: `Check whether an action is allowed. The exit code reflects the answer.

 VERB is an API verb such as get, list or create. TYPE is a resource. NONRESOURCEURL is a path that starts with "/".`,
  example: `  # May I make pods anywhere?
  kubectl auth can-i create pods --all-namespaces

  # May a service account read logs?
  kubectl auth can-i get pods --subresource=log --as=system:serviceaccount:default:robot

  # All that I may do
  kubectl auth can-i --list`,
  disableFlagsInUseLine: true,
  flags: {
    ...allNamespacesFlag,
    list: bool({ usage: 'Print all allowed actions.' }),
    noHeaders: bool({ usage: "Don't print column headings." }),
    quiet: bool({ shorthand: 'q', usage: 'Print nothing; only set the exit code.' }),
    subresource: string({ usage: 'A subresource such as log or scale.' }),
  },
  async run({ context, args, flags, commandPath }) {
    checkArguments(args, flags.list, commandPath);
    const client = await context.client();
    const namespace = flags.allNamespaces ? '' : (await context.namespace()).namespace;
    if (flags.list) {
      if (flags.quiet || flags.allNamespaces || flags.subresource !== '') {
        throw new Error(
          "list option can't be specified with neither quiet, all-namespaces nor subresource options",
        );
      }
      const review = await client.request<RulesReview>({
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
        body: {
          kind: 'SelfSubjectRulesReview',
          apiVersion: 'authorization.k8s.io/v1',
          metadata: {},
          spec: { namespace },
        },
      });
      if (review.status?.evaluationError)
        context.printError(`warning: the list may be incomplete: ${review.status.evaluationError}\n`);
      context.print(rulesTable(review, !flags.noHeaders));
      return;
    }
    const [verb = '', subject = ''] = args;
    const warn = (text: string) => context.printError(`Warning: ${text}\n\n`);
    const isUrl = subject.startsWith('/');
    if (isUrl && flags.subresource !== '')
      throw new Error('--subresource can not be used with NonResourceURL');
    const spec = isUrl
      ? { nonResourceAttributes: { path: subject, verb } }
      : {
          resourceAttributes: {
            ...(await resourceOf(context, subject, namespace, warn)),
            verb,
            ...(flags.subresource === '' ? {} : { subresource: flags.subresource }),
          },
        };
    if (subject !== '' && !(isUrl ? urlVerbs : resourceVerbs).includes(verb))
      warn(`verb '${verb}' is not a known verb`);
    if (flags.noHeaders) throw new Error('--no-headers cannot be set without --list specified');
    const { status } = await client.request<AccessReview>({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', metadata: {}, spec },
    });
    const reasons = [status?.reason, status?.evaluationError].filter((text) => text);
    if (!flags.quiet) context.print(status?.allowed ? 'yes\n' : `${['no', ...reasons].join(' - ')}\n`);
    if (!status?.allowed) throw new ExitError(1);
  },
});

function checkArguments(args: readonly string[], list: boolean, commandPath: string): void {
  if (list && args.length > 0) throw new Error('list option must be specified with no arguments');
  if (list || args.length === 2) return;
  throw new Error(
    `you must specify two arguments: verb resource or verb resource/resourceName.\nSee '${commandPath} -h' for help and examples.`,
  );
}

interface AccessReview {
  readonly status?: {
    readonly allowed?: boolean;
    readonly reason?: string;
    readonly evaluationError?: string;
  };
}

/** Accepts `TYPE` or `TYPE/NAME`; a type that the server doesn't know is queried as written. */
async function resourceOf(
  context: CommandContext,
  subject: string,
  namespace: string,
  warn: (text: string) => void,
) {
  const slash = subject.indexOf('/');
  const type = slash < 0 ? subject : subject.slice(0, slash);
  const name = slash < 0 ? {} : { name: subject.slice(slash + 1) };
  const place = namespace === '' ? {} : { namespace };
  if (type === '*') return { ...place, resource: '*', ...name };
  try {
    const { group, resource, namespaced } = await (await context.mapper()).forResource(type);
    if (!namespaced && namespace !== '')
      warn(`resource '${resource}' is not namespace scoped${inGroup(group)}`);
    return { ...place, group, resource, ...name };
  } catch (failure) {
    if (!(failure instanceof NoResourceMatch)) throw failure;
    const dot = type.indexOf('.');
    const [resource, group] = dot < 0 ? [type, ''] : [type.slice(0, dot), type.slice(dot + 1)];
    if (!unlisted.has(type)) warn(`the server doesn't have a resource type '${resource}'${inGroup(group)}`);
    return { ...place, group, resource, ...name };
  }
}

/** Resources for impersonation, which a server doesn't list. */
const unlisted: ReadonlySet<string> = new Set(['users', 'groups']);

const inGroup = (group: string): string => (group === '' ? '' : ` in group '${group}'`);
