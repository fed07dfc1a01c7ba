import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { checkLabelValue, checkQualifiedName } from '@coxswain/apimachinery/names.ts';
import { bool } from '@coxswain/cobra';
import { command, usageError } from '../command.ts';
import { typesAndNames } from '../completion/resources.ts';
import { throwFailures } from '../errors.ts';
import { printFlags } from '../flags/print.ts';
import { readDryRun, readValidation } from '../flags/dry-run.ts';
import { dryRunFlag, fieldManagerFlag, selectorFlag, validateFlag } from '../flags/object-flags.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, objectOf } from '../resource/info.ts';
import { select } from '../resource/select.ts';

type Taint = Live<core.Taint>;
type Node = Live<core.Node>;

export const taint = command({
  use: 'taint NODE NAME KEY_1=VAL_1:TAINT_EFFECT_1 ... KEY_N=VAL_N:TAINT_EFFECT_N',
  long: `Change the taints of nodes: KEY=VALUE:EFFECT sets a taint, KEY- or KEY:EFFECT- removes it.

 The effects are NoSchedule, PreferNoSchedule and NoExecute.`,
  example: `  # Keep pods away that don't tolerate it
  kubectl taint nodes node-1 dedicated=database:NoSchedule

  # Remove it
  kubectl taint nodes node-1 dedicated:NoSchedule-`,
  disableFlagsInUseLine: true,
  complete: typesAndNames({ types: ['node'] }),
  flags: {
    ...printFlags,
    ...dryRunFlag,
    ...validateFlag,
    ...selectorFlag,
    ...fieldManagerFlag('kubectl-taint'),
    overwrite: bool({ usage: 'Overwrite existing taints.' }),
    all: bool({ usage: 'Select all nodes in the cluster.' }),
  },
  async run(invocation) {
    const { context, flags, args } = invocation;
    const dryRun = readDryRun(context, flags.dryRun);
    const fieldValidation = readValidation(flags.validate);
    const { resources, specs } = split(args);
    const [type, ...names] = resources;
    if (type === undefined) throw new Error('one or more resources must be specified as <resource> <name>');
    if (specs.length === 0) throw new Error('at least one taint update is required');
    let changes: Changes;
    try {
      changes = readTaints(specs);
    } catch (failure) {
      throw usageError(invocation, messageOf(failure));
    }
    const { kind } = await (await context.mapper()).forResource(type.toLowerCase());
    if (kind !== 'Node')
      throw new Error(`invalid resource type ${type.toLowerCase()}, only node types are supported`);
    refuseBoth(changes);
    if (flags.all && flags.selector !== '')
      throw new Error("setting 'all' parameter with a non empty selector is prohibited");
    if (!flags.all && flags.selector === '' && names.length === 0) {
      throw new Error("at least one resource name must be specified since 'all' parameter is not set");
    }
    // Reports a missing server configuration before looking up the node.
    await context.client();
    const { namespace } = await context.namespace();
    const byName = !flags.all && flags.selector === '';
    const selected = await select(context, {
      ...(byName ? { args: names, defaultType: 'node' } : { args: ['node'] }),
      labelSelector: flags.selector,
      selectAll: flags.all,
      namespace,
      continueOnError: true,
    });
    await selected.each(async (info) => {
      const node: Node = objectOf(info);
      const { taints, operation } = changed(node, changes, flags.overwrite);
      const print = await context.printer(flags, { operation });
      const updated = { ...node, spec: { ...node.spec, taints } };
      if (dryRun === 'client') return context.print(print(updated));
      const helper = new ResourceHelper(await context.client(), mappingOf(info));
      const patch = { spec: { taints: taints.length === 0 ? null : taints } };
      const answer = await helper.patch('', info.name, 'strategic', patch, {
        dryRun: dryRun === 'server',
        fieldManager: flags.fieldManager,
        fieldValidation,
      });
      context.print(print(answer));
    });
  },
});

interface Changes {
  readonly add: readonly Taint[];
  readonly remove: readonly Taint[];
}

const isTaint = (word: string) => word.includes('=') || word.includes(':') || word.endsWith('-');

function split(args: readonly string[]): { resources: readonly string[]; specs: readonly string[] } {
  const first = args.findIndex(isTaint);
  if (first < 0) return { resources: args, specs: [] };
  const stray = args.slice(first).find((word) => !isTaint(word));
  if (stray !== undefined) throw new Error(`all resources must be specified before taint changes: ${stray}`);
  return { resources: args.slice(0, first), specs: args.slice(first) };
}

function readTaints(specs: readonly string[]): Changes {
  const add: Taint[] = [];
  const remove: Taint[] = [];
  for (const spec of specs) {
    if (spec.endsWith('-')) {
      const { key, effect } = readTaint(spec.slice(0, -1));
      remove.push({ key, effect });
      continue;
    }
    const taint = readTaint(spec);
    if (taint.effect === '') throw new Error(`invalid taint spec: ${spec}`);
    if (add.some(({ key, effect }) => key === taint.key && effect === taint.effect)) {
      throw new Error(
        `duplicated taints with the same key and effect: {${taint.key} ${taint.value ?? ''} ${taint.effect} <nil>}`,
      );
    }
    add.push(taint);
  }
  return { add, remove };
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function readTaint(spec: string): Taint {
  const [pair = '', effect = '', ...more] = spec.split(':');
  if (more.length > 0) throw new Error(`invalid taint spec: ${spec}`);
  const hasEffect = spec.includes(':');
  if (hasEffect && !effects.includes(effect))
    throw new Error(`invalid taint effect: ${effect}, unsupported taint effect`);
  const [key = '', value, ...rest] = hasEffect ? pair.split('=') : [spec];
  if (rest.length > 0) throw new Error(`invalid taint spec: ${spec}`);
  const reasons = value === undefined ? [] : checkLabelValue(value);
  const problems = reasons.length > 0 ? reasons : checkQualifiedName(key);
  if (problems.length > 0) throw new Error(`invalid taint spec: ${spec}, ${problems.join('; ')}`);
  return { key, ...(value ? { value } : {}), effect };
}

function refuseBoth({ add, remove }: Changes): void {
  const both = add.flatMap((taint) =>
    remove
      .filter(({ key, effect }) => key === taint.key && (effect === '' || effect === taint.effect))
      .map(({ key, effect }) => `${key}=${effect}`),
  );
  if (both.length > 0) {
    throw new Error(
      `can not both modify and remove the following taint(s) in the same command: ${both.join(', ')}`,
    );
  }
}

function changed(
  node: Node,
  { add, remove }: Changes,
  overwrite: boolean,
): { taints: Taint[]; operation: string } {
  const old = node.spec?.taints ?? [];
  const same = (a: Taint, b: Taint) => a.key === b.key && a.effect === b.effect;
  const existing = add.filter((taint) => old.some((one) => same(one, taint))).map(({ key }) => key);
  if (!overwrite && existing.length > 0) {
    throw new Error(
      `node ${node.metadata.name} already has ${existing.join(',')} taint(s) with same effect(s) and --overwrite is false`,
    );
  }
  let taints = [...add, ...old.filter((taint) => !add.some((one) => same(one, taint)))];
  const added = taints.length !== old.length;
  let deleted = false;
  const failures: Error[] = [];
  for (const taint of remove) {
    const left = taints.filter((one) => (taint.effect === '' ? one.key !== taint.key : !same(one, taint)));
    deleted = left.length !== taints.length;
    if (!deleted)
      failures.push(
        new Error(`taint "${taint.effect === '' ? taint.key : `${taint.key}:${taint.effect}`}" not found`),
      );
    taints = left;
  }
  throwFailures(failures);
  return {
    taints,
    operation: (added && deleted) || overwrite ? 'modified' : added ? 'tainted' : 'untainted',
  };
}
