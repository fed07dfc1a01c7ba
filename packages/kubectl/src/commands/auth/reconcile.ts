import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { bool } from '@coxswain/cobra';
import { command } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { readDryRun } from '../../flags/dry-run.ts';
import { printFlags } from '../../flags/print.ts';
import { dryRunFlag, filenameFlags } from '../../flags/shared.ts';
import { ResourceHelper } from '../../resource/helper.ts';
import { mappingOf, objectOf } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';
import { mergeRules, splitRule, type Rule } from '../../rbac/rules.ts';

interface Subject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

interface RbacObject extends KubeObject {
  readonly rules?: readonly Rule[];
  readonly subjects?: readonly Subject[];
}

interface Outcome {
  readonly object: RbacObject;
  readonly operation: 'create' | 'update' | '';
  readonly lines: readonly string[];
}

interface Removal {
  readonly rules: boolean;
  readonly subjects: boolean;
}

export const reconcile = command({
  use: 'reconcile -f FILENAME',
  long: `Make sure that roles, role bindings, cluster roles and cluster role bindings have at least the rules and subjects of those in files.

 Objects that are missing are created. What is there beyond the files stays, unless it is asked to go.`,
  example: `  # What a file says
  kubectl auth reconcile -f rbac.yaml`,
  disableFlagsInUseLine: true,
  flags: {
    ...printFlags,
    ...dryRunFlag,
    ...filenameFlags('of the objects'),
    removeExtraPermissions: bool({ usage: 'Remove rules that the files have not.' }),
    removeExtraSubjects: bool({ usage: 'Remove subjects that the files have not.' }),
  },
  async run({ context, args, flags }) {
    if (args.length > 0) throw new Error('no arguments are allowed');
    const dryRun = readDryRun(context, flags.dryRun);
    if (dryRun === 'server') throw new Error('--dry-run=server for command reconcile is not supported yet');
    if (flags.filename.length === 0 && flags.kustomize === '')
      throw new Error('must specify one of -f and -k');
    const print = await context.printer(flags, { operation: 'reconciled', dryRun });
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, {
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      namespace,
      requireNamespace: explicit,
      continueOnError: true,
    });
    const removal = { rules: flags.removeExtraPermissions, subjects: flags.removeExtraSubjects };
    await selected.each(async (info) => {
      const wanted = objectOf(info) as RbacObject;
      if (!wanted.apiVersion?.startsWith('rbac.authorization.k8s.io/')) {
        throw new Error(
          `only rbac.authorization.k8s.io/v1 is supported: not ${wanted.apiVersion ?? ''}, Kind=${wanted.kind ?? ''}`,
        );
      }
      const helper = new ResourceHelper(await context.client(), mappingOf(info));
      const outcome = reconciled(await existing(helper, info.namespace, info.name), wanted, removal);
      const stored =
        dryRun === 'client' ? outcome.object : await write(helper, info.namespace, info.name, outcome);
      context.print(print(stored));
      report(context, outcome);
    });
  },
});

function report(context: CommandContext, { operation, lines }: Outcome): void {
  if (operation === '') return;
  context.printError(
    `\treconciliation required ${operation}\n${lines.map((line) => `\t${line}\n`).join('')}`,
  );
}

async function existing(
  helper: ResourceHelper,
  namespace: string,
  name: string,
): Promise<RbacObject | undefined> {
  try {
    return await helper.get(namespace, name);
  } catch (failure) {
    if (failure instanceof StatusError && failure.reason === 'NotFound') return undefined;
    throw failure;
  }
}

async function write(
  helper: ResourceHelper,
  namespace: string,
  name: string,
  { object, operation }: Outcome,
): Promise<KubeObject> {
  if (operation === 'create') return helper.create(namespace, object);
  return operation === '' ? object : helper.replace(namespace, name, object, false);
}

function reconciled(current: RbacObject | undefined, wanted: RbacObject, removal: Removal): Outcome {
  if (current === undefined) return { object: wanted, operation: 'create', lines: [] };
  return wanted.kind?.endsWith('Binding')
    ? withSubjects(current, wanted, removal.subjects)
    : withRules(current, wanted, removal.rules);
}

function withRules(current: RbacObject, wanted: RbacObject, remove: boolean): Outcome {
  const [there, asked] = [current.rules ?? [], wanted.rules ?? []];
  const missing = uncovered(asked, there);
  const extra = remove ? uncovered(there, asked) : [];
  const rules = remove && extra.length > 0 ? asked : [...there, ...missing];
  return {
    object: { ...current, rules } as RbacObject,
    operation: missing.length + extra.length > 0 ? 'update' : '',
    lines: [
      ...section('missing rules added:', missing.map(ruleText)),
      ...section('extra rules removed:', extra.map(ruleText)),
    ],
  };
}

/** One rule for each verb, resource and name. */
const atoms = (rule: Rule) => rule.verbs.flatMap((verb) => splitRule({ ...rule, verbs: [verb] }));

/** What of `rules` the others don't allow. */
function uncovered(rules: readonly Rule[], others: readonly Rule[]): Rule[] {
  const allowed = others.flatMap(atoms);
  return mergeRules(rules.flatMap(atoms).filter((atom) => !allowed.some((one) => covers(one, atom))));
}

function covers(rule: Rule, atom: Rule): boolean {
  const has = (key: 'verbs' | 'apiGroups' | 'resources' | 'nonResourceURLs') => {
    const wanted = atom[key]?.[0];
    return wanted === undefined || rule[key]?.[0] === '*' || rule[key]?.[0] === wanted;
  };
  const name = rule.resourceNames?.[0];
  return (
    (rule.nonResourceURLs === undefined) === (atom.nonResourceURLs === undefined) &&
    has('verbs') &&
    has('apiGroups') &&
    has('resources') &&
    has('nonResourceURLs') &&
    (name === undefined || name === atom.resourceNames?.[0])
  );
}

function withSubjects(current: RbacObject, wanted: RbacObject, remove: boolean): Outcome {
  const [there, asked] = [current.subjects ?? [], wanted.subjects ?? []];
  const isIn = (list: readonly Subject[]) => (one: Subject) =>
    list.some((other) => subjectText(other) === subjectText(one));
  const missing = asked.filter((one) => !isIn(there)(one));
  const extra = remove ? there.filter((one) => !isIn(asked)(one)) : [];
  return {
    object: {
      ...current,
      subjects: remove && extra.length > 0 ? asked : [...there, ...missing],
    } as RbacObject,
    operation: missing.length + extra.length > 0 ? 'update' : '',
    lines: [
      ...section('missing subjects added:', missing.map(subjectText)),
      ...section('extra subjects removed:', extra.map(subjectText)),
    ],
  };
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `\t${line}`)];

const list = (words: readonly string[] = []): string => `[${words.join(' ')}]`;

const ruleText = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): string =>
  `{Verbs:${list(verbs)} APIGroups:${list(apiGroups)} Resources:${list(resources)} ResourceNames:${list(resourceNames)} NonResourceURLs:${list(nonResourceURLs)}}`;

const defaultGroup = ({ kind }: Subject): string =>
  kind === 'ServiceAccount' ? '' : 'rbac.authorization.k8s.io';

const subjectText = (subject: Subject): string =>
  `{Kind:${subject.kind} APIGroup:${subject.apiGroup ?? defaultGroup(subject)} Name:${subject.name} Namespace:${subject.namespace ?? ''}}`;
