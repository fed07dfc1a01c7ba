import { mappingOfTarget } from '../../mapping.ts';
import { runStep, StatusError, parseApiVersion, type KubeObject } from '@coxswain/apimachinery';
import { bool } from '@coxswain/cobra';
import { command } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readDryRun, type DryRun } from '../../flags/dry-run.ts';
import { printFlags } from '../../flags/print.ts';
import { dryRunFlag, filenameFlags } from '../../flags/object-flags.ts';
import {
  isBinding,
  reconciliation,
  ruleText,
  subjectText,
  type RbacObject,
  type Reconciliation,
  type Removal,
} from '../../rbac/reconcile.ts';
import { ResourceHelper } from '../../resource/resource-helper.ts';
import { objectOf, type Info } from '../../resource/info.ts';
import { select } from '../../resource/select.ts';
import { targets } from '../create/create-object.ts';

export const reconcile = command({
  use: 'reconcile -f FILENAME',
  long: `Ensure that roles, role bindings, cluster roles and cluster role bindings contain at least the rules and subjects of those in files.

 Missing objects are created. Additional rules and subjects are kept unless the flags say to remove them.`,
  example: `  # What a file says
  kubectl auth reconcile -f rbac.yaml`,
  disableFlagsInUseLine: true,
  flags: {
    ...printFlags,
    ...dryRunFlag,
    ...filenameFlags('of the objects'),
    removeExtraPermissions: bool({ usage: 'Remove rules that are not in the files.' }),
    removeExtraSubjects: bool({ usage: 'Remove subjects that are not in the files.' }),
  },
  async run({ context, args, flags }) {
    if (flags.filename.length === 0 && flags.kustomize === '')
      throw new Error('must specify one of -f and -k');
    if (args.length > 0) throw new Error('no arguments are allowed');
    const dryRun = readDryRunOfReconcile(context, flags.dryRun);
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, {
      filenames: flags.filename,
      kustomize: flags.kustomize,
      recursive: flags.recursive,
      namespace,
      requireNamespace: explicit,
      continueOnError: true,
      local: true,
      typed: true,
    });
    const print = await context.printer(flags, { operation: 'reconciled', dryRun, order: 'declared' });
    const removal = { rules: flags.removeExtraPermissions, subjects: flags.removeExtraSubjects };
    await selected.each(async (info) => {
      if (!isReconcilable(info)) return;
      const outcome = await reconcileOne(context, objectOf(info) as RbacObject, removal, dryRun === 'none');
      context.print(print(outcome.object));
      report(context, outcome);
    });
  },
});

/** @throws Error for an invalid value, and for `server` */
function readDryRunOfReconcile(context: CommandContext, value: string): DryRun {
  let dryRun: DryRun;
  try {
    dryRun = readDryRun(context, value);
  } catch (error) {
    throw new Error(`error accessing --dry-run flag for command reconcile: ${messageOf(error)}`, {
      cause: error,
    });
  }
  if (dryRun === 'server') throw new Error('--dry-run=server for command reconcile is not supported yet');
  return dryRun;
}

const kinds: Readonly<Record<string, keyof typeof targets>> = {
  Role: 'role',
  RoleBinding: 'roleBinding',
  ClusterRole: 'clusterRole',
  ClusterRoleBinding: 'clusterRoleBinding',
};

/** Other kinds are skipped. @throws Error for old versions */
function isReconcilable({ object }: Info): boolean {
  const { apiVersion = '', kind = '' } = object ?? {};
  const { group, version } = parseApiVersion(apiVersion);
  if (group !== 'rbac.authorization.k8s.io' || !Object.hasOwn(kinds, kind)) return false;
  if (version !== 'v1')
    throw new Error(`only rbac.authorization.k8s.io/v1 is supported: not *${version}.${kind}`);
  return true;
}

/** Also used for a namespace: objects without one are looked up without it, and can't be created. */
const emptyName = 'resource name may not be empty';

/** The number of attempts in case of conflicts. */
const attemptsMax = 3;

async function reconcileOne(
  context: CommandContext,
  wanted: RbacObject,
  removal: Removal,
  isWriting: boolean,
): Promise<Reconciliation> {
  const target = targets[kinds[wanted.kind ?? ''] as keyof typeof targets];
  const { name = '', namespace = '' } = wanted.metadata;
  if (name === '') throw new Error(emptyName);
  const helper = new ResourceHelper(await context.client(), mappingOfTarget(target));
  for (let attempt = 1; ; attempt++) {
    const current = await unlessMissing(helper.get(target.namespaced ? namespace : '', name));
    const { observer } = context.io;
    const compare = () => {
      const compared = reconciliation(current, wanted, removal);
      const { operation, missingRules, missingSubjects } = compared;
      observer?.note?.({ operation, missingRules, missingSubjects });
      return compared;
    };
    const outcome = runStep(observer, 'compare', compare, undefined, reconciliation);
    if (outcome.isProtected || !isWriting || outcome.operation === 'none')
      return { ...outcome, object: typed(outcome.object) };
    try {
      if (outcome.operation === 'create' && target.namespaced) await ensureNamespace(context, namespace);
      return { ...outcome, object: await write(helper, outcome, current) };
    } catch (failure) {
      const isRace =
        failure instanceof StatusError && ['Conflict', 'AlreadyExists', 'NotFound'].includes(failure.reason);
      if (!isRace || attempt === attemptsMax) throw failure;
    }
  }
}

async function write(
  helper: ResourceHelper,
  { object, operation }: Reconciliation,
  current: KubeObject | undefined,
): Promise<KubeObject> {
  const { name = '', namespace = '' } = object.metadata;
  if (operation === 'update') return helper.replace(namespace, name, object, false);
  if (operation === 'recreate') {
    const { uid } = current?.metadata ?? {};
    await unlessMissing(helper.delete(namespace, name, { preconditions: { uid } }));
  }
  return helper.create(namespace, object);
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (failure) {
    if (failure instanceof StatusError && failure.reason === 'NotFound') return undefined;
    throw failure;
  }
}

/** Does nothing without permission, so that users who may only write roles can use the command, too. */
async function ensureNamespace(context: CommandContext, name: string): Promise<void> {
  if (name === '') throw new Error(emptyName);
  const helper = new ResourceHelper(await context.client(), mappingOfTarget(targets.namespace));
  const unless =
    (...reasons: readonly string[]) =>
    (failure: unknown) => {
      if (failure instanceof StatusError && reasons.includes(failure.reason)) return undefined;
      throw failure;
    };
  const found = await helper.get('', name).catch(unless('NotFound', 'Forbidden'));
  if (found !== undefined) return;
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  await helper.create('', object).catch(unless('AlreadyExists', 'Forbidden'));
}

/** Adds the fields that upstream's types always print. */
function typed(object: RbacObject): RbacObject {
  if (isBinding(object)) return { ...object, roleRef: { apiGroup: '', ...object.roleRef } };
  return { ...object, rules: object.rules ?? null };
}

function report(context: CommandContext, outcome: Reconciliation): void {
  if (outcome.operation === 'none') return;
  const caveat = outcome.isProtected
    ? ', but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)'
    : '';
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['missing subjects added:', outcome.missingSubjects.map(subjectText)],
    ['extra subjects removed:', outcome.extraSubjects.map(subjectText)],
    ['missing rules added:', outcome.missingRules.map(ruleText)],
    ['extra rules removed:', outcome.extraRules.map(ruleText)],
  ];
  const lines = sections.flatMap(([title, entries]) =>
    entries.length === 0 ? [] : [title, ...entries.map((entry) => `\t${entry}`)],
  );
  context.printError(
    `\treconciliation required ${outcome.operation}${caveat}\n${lines.map((line) => `\t${line}\n`).join('')}`,
  );
}
