/** Completion of kinds and names by querying the server. */
import { completionDirective, type Completion, type CompletionResult } from '@coxswain/cobra';
import { runStep, type KubeObject } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import type { ResourceMapping } from '../mapping.ts';

export type KubectlCompletion = Completion<CommandContext>;

export const noFiles = (candidates: readonly string[]): CompletionResult => ({
  candidates,
  directive: completionDirective.noFiles,
});

/** If a query fails, nothing is completed. */
export const quietly =
  (body: KubectlCompletion): KubectlCompletion =>
  async (invocation, typed) => {
    const { observer } = invocation.context.io;
    try {
      return await runStep(observer, 'complete', () => body(invocation, typed), { typed }, body);
    } catch {
      return noFiles([]);
    }
  };

export async function namesOf(
  context: CommandContext,
  mapping: ResourceMapping,
  typed: string,
  prefix = '',
): Promise<string[]> {
  const { namespace } = await context.namespace();
  const list = await new ResourceHelper(await context.client(), mapping).list(
    mapping.namespaced ? namespace : '',
  );
  const items = (list as KubeObject & { items?: KubeObject[] }).items ?? [];
  return items.map((item) => `${prefix}${item.metadata.name ?? ''}`).filter((name) => name.startsWith(typed));
}

/** Names of one kind; only for the first argument. */
export const completeNames = (type: string): KubectlCompletion =>
  quietly(async function namesOfArgument({ context, args }, typed) {
    return noFiles(args.length > 0 ? [] : await namesOfType(context, type, typed));
  });

/** Names of one kind as the value of an option, regardless of arguments. */
export const completeValues = (type: string): KubectlCompletion =>
  quietly(async function namesOfValue({ context }, typed) {
    return noFiles(await namesOfType(context, type, typed));
  });

const namesOfType = async (context: CommandContext, type: string, typed: string): Promise<string[]> =>
  namesOf(context, await (await context.mapper()).forArgument(type), typed);

interface TypesAndNames {
  /** Replaces the list of all types that the server has. */
  readonly types?: readonly string[];
  /** Whether more than one object may be named. */
  readonly several?: boolean;
}

/** `TYPE NAME…` or `TYPE/NAME…` */
export const typesAndNames = ({ types, several = true }: TypesAndNames = {}): KubectlCompletion =>
  quietly(async function typesOrNames({ context, args }, typed) {
    const mapper = await context.mapper();
    const [first, ...names] = args;
    if (!several && args.length > 1) return noFiles([]);
    if (first !== undefined && !first.includes('/')) {
      const found = await namesOf(context, await mapper.forArgument(first), typed);
      return noFiles(found.filter((name) => !names.includes(name)));
    }
    if (!several && args.length > 0) return noFiles([]);
    if (typed.includes('/')) {
      return noFiles((await slashedNames(context, typed)).filter((name) => !args.includes(name)));
    }
    const fitting = types?.filter((type) => type.startsWith(typed)) ?? (await completeTypes(context, typed));
    if (args.length === 0) return noFiles(fitting);
    return {
      candidates: fitting.map((type) => `${type}/`),
      directive: completionDirective.noFiles + completionDirective.noSpace,
    };
  });

export const completeTypesAndNames = typesAndNames();

/** Completes a partly typed `TYPE/NAME`. */
export async function slashedNames(context: CommandContext, typed: string): Promise<string[]> {
  const type = typed.slice(0, typed.indexOf('/'));
  return namesOf(context, await (await context.mapper()).forArgument(type), typed, `${type}/`);
}

async function completeTypes(context: CommandContext, typed: string): Promise<string[]> {
  const all = await (await context.mapper()).all();
  const listed = typed.slice(0, typed.lastIndexOf(',') + 1);
  const names = all
    .filter((mapping) => mapping.verbs.includes('get'))
    .map(({ resource, group }) => (group === '' ? resource : `${resource}.${group}`));
  return [...new Set(names)]
    .map((name) => `${listed}${name}`)
    .filter((name) => name.startsWith(typed))
    .sort();
}
